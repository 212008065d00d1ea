//! Games: every game that can be read is written so that it reads as the same game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use zugwerk::game::read_games;

fuzz_target!(|bytes: &[u8]| {
    for game in read_games(bytes).expect("memory can be read").into_iter().flatten() {
        let written = game.to_pgn();
        // Control characters are not written, and all kinds of blanks become one.
        if !bytes.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~' | 0xa1..)) {
            continue;
        }
        let again = read_games(written.as_bytes()).expect("memory can be read");
        let [Ok(again)] = &again[..] else { panic!("expected one game, got {again:?} from {written}") };
        assert_eq!(again.movetext, game.movetext, "{written}");
        assert_eq!(again.start.fen(), game.start.fen(), "{written}");
    }
});
