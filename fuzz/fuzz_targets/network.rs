//! Networks: one with changed bytes and a matching checksum is either refused or evaluates.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shakmaty::{Color, Position as _};
use zugwerk::{
    chess::position::Position,
    engine::eval::network::{Activation, Architecture, Network},
};

fuzz_target!(|input: (Vec<(u32, u8)>, &[u8])| {
    let (changes, bytes) = input;
    let _ = Network::from_bytes(bytes);
    let architecture = Architecture { neurons: 32, activation: Activation::SquaredClipped, buckets: 1 };
    let mut file = Network::random(architecture, 1).to_bytes();
    file.truncate(file.len() - 4);
    let length = file.len();
    for (at, byte) in changes {
        // The header and the rest are changed with the same probability.
        let range = if at % 2 == 0 { 64 } else { length };
        file[at as usize / 2 % range] = byte;
    }
    file.extend(crc32fast::hash(&file).to_le_bytes());
    let Ok(network) = Network::from_bytes(&file) else { return };
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "QQQQQQQQ/QQQQQQQQ/8/k6K/8/8/8/8 b - - 0 1",
    ] {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for turn in Color::ALL {
            let _ = network.evaluate(position.chess().board(), turn);
        }
    }
});
