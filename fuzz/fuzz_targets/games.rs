//! Training data: bytes as a game, as the records of a block with a matching checksum, and as a whole file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use zugwerk::workshop::data::{Blocks, Record, TrainingGame};

fuzz_target!(|bytes: &[u8]| {
    let mut rest = bytes;
    while let Ok(game) = TrainingGame::read(&mut rest) {
        let mut written = Vec::new();
        game.write(&mut written);
        let again = TrainingGame::read(&mut &*written).expect("what was written can be read");
        assert_eq!(again, game);
        let mut records = Vec::new();
        if game.records(&mut records).is_ok() {
            assert_eq!(records.len(), game.plies().len());
        }
    }
    for bytes in bytes.as_chunks::<{ Record::SIZE }>().0 {
        let Ok(record) = Record::from_bytes(bytes) else { continue };
        assert_eq!(&record.to_bytes(), bytes);
        let _ = record.position();
    }
    let Ok(blocks) = Blocks::new(bytes) else { return };
    for block in blocks {
        let Err(error) = block else { continue };
        assert!(!error.to_string().is_empty());
    }
});
