//! Games: every game that can be read is written so that it reads as the same game, and games do not depend
//! on how much of a file is read at a time.

#![no_main]

use std::io::{self, Read};

use libfuzzer_sys::fuzz_target;
use zugwerk::chess::pgn::{Games, read_games};

/// An input that gives a few bytes at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(9);
        self.0.read(&mut buffer[..count])
    }
}

fuzz_target!(|bytes: &[u8]| {
    let games = read_games(bytes).expect("memory can be read");
    // The first bytes tell how lines end.
    if bytes.len() < 4000 && !bytes.contains(&b'\r') {
        let in_parts: Vec<_> = Games::new(Slow(bytes)).map(|game| game.expect("memory can be read")).collect();
        assert_eq!(format!("{in_parts:?}"), format!("{games:?}"));
    }
    for game in games.into_iter().flatten() {
        let written = game.to_pgn();
        // Control characters are not written, and all kinds of blanks become one.
        if !bytes.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~' | 0xa1..)) {
            continue;
        }
        let again = read_games(written.as_bytes()).expect("memory can be read");
        let [Ok(again)] = &again[..] else { panic!("expected one game, got {again:?} from {written}") };
        assert_eq!(again.movetext, game.movetext, "{written}");
        assert_eq!(again.start.fen(), game.start.fen(), "{written}");
        assert_eq!(again.to_pgn(), written);
    }
});
