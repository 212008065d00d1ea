//! FEN, EPD and moves in human notation: everything accepted can be written, read again and played.

#![no_main]

use libfuzzer_sys::fuzz_target;
use zugwerk::chess::{
    epd::{self, EpdRecord},
    notation,
    position::Position,
};

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let _ = (epd::fen(first), epd::operands(first, "id"));
    if let Ok(record) = EpdRecord::parse(first) {
        assert!(record.best.iter().chain(&record.avoid).all(|m| record.position.legal_moves().contains(m)));
    }
    let Ok(mut position) = Position::from_fen(first) else { return };
    let again = Position::from_fen(&position.fen()).expect("what was written can be read");
    assert_eq!((again.fen(), again.key()), (position.fen(), position.key()));
    for text in lines {
        for m in position.legal_moves() {
            assert_eq!(notation::read_move(position.chess(), &notation::san(&position, m)), Some(m));
        }
        let m = notation::read_move(position.chess(), text);
        assert!(m.is_some() || position.find_move(text).is_err());
        match m {
            Some(m) => {
                position.play(m);
            }
            None if position.play_null() => {}
            None => break,
        }
    }
});
