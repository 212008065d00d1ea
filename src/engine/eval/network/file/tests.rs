//! Tests with valid and invalid network files.

use super::*;

fn network() -> Network {
    let architecture = Architecture { neurons: 32, buckets: 8 };
    Network::random(architecture, 1)
}

/// Returns bytes with a matching checksum, after `change`.
fn changed(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = network().to_bytes();
    bytes.truncate(bytes.len() - CHECKSUM);
    change(&mut bytes);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    Network::from_bytes(bytes).expect_err("not a network").to_string()
}

#[test]
fn what_is_written_is_read() {
    for (neurons, buckets) in [(32, 1), (96, 8), (1024, 32)] {
        let network = Network::random(Architecture { neurons, buckets }, 7);
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes).unwrap(), network);
        assert_eq!(network.hash(), format!("{:08x}", crc32fast::hash(&bytes[..bytes.len() - 4])));
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = network().to_bytes();
    for length in (0..60).chain((60..bytes.len()).step_by(997)).chain([bytes.len() - 1]) {
        let said = refusal(&bytes[..length]);
        let wanted = if length == 0 { "not a network file" } else { "truncated" };
        assert!(said.contains(wanted), "{length}: {said}");
    }
}

#[test]
fn a_file_that_goes_on_is_refused() {
    let mut bytes = network().to_bytes();
    bytes.push(0);
    assert!(refusal(&bytes).ends_with("the file is too long"), "{}", refusal(&bytes));
}

#[test]
fn a_single_changed_bit_is_noticed() {
    let bytes = network().to_bytes();
    for at in (0..bytes.len()).step_by(499).chain(0..HEADER).chain(bytes.len() - 4..bytes.len()) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 4;
        assert!(Network::from_bytes(&bytes).is_err(), "byte {at}");
    }
    let mut damaged = bytes.clone();
    damaged[5000] ^= 1;
    assert!(refusal(&damaged).ends_with("the file is damaged"));
}

#[test]
fn each_refusal_says_what_was_expected() {
    assert_eq!(refusal(b"ZWDATA\r\n and what follows"), "not a network file");
    let word = |at: usize, value: u32| {
        refusal(&changed(|bytes| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes())))
    };
    assert_eq!(word(8, 9), "expected version 1 of the format, got 9");
    assert!(word(12, 33).contains("multiple of 32 neurons"), "{}", word(12, 33));
    assert!(word(12, 0).contains("multiple of 32 neurons"));
    assert!(word(12, u32::MAX).contains("multiple of 32 neurons"));
    assert_eq!(word(16, 4), "expected king buckets 1, got 4");
    assert!(word(20, 7).contains("1, 2, 4, 8, 16 or 32 buckets"));
    assert_eq!(word(24, 2 | 255 << 16), "expected activation 1, got 2");
    assert_eq!(word(24, 1 | 127 << 16), "expected QA 255, got 127");
    assert_eq!(word(28, 128), "expected QB 64, got 128");
    assert_eq!(word(32, 0), "expected a scale from 1 to 10000 centipawns, got 0");
    assert!(word(36, u32::MAX).ends_with("the file is truncated"));
    assert!(word(36, 0).ends_with("the file is too long"));
}

#[test]
fn weights_that_could_overflow_and_foreign_provenance_are_refused() {
    let first_weight = HEADER + network().provenance().len();
    let said = refusal(&changed(|bytes| {
        bytes[first_weight..first_weight + 2].copy_from_slice(&506_i16.to_le_bytes());
    }));
    assert_eq!(said, "expected weights of inputs from -505 to 505, got 506");
    let said = refusal(&changed(|bytes| bytes[HEADER] = b'?'));
    assert!(said.starts_with("expected a JSON object as provenance"), "{said}");
    let said = refusal(&changed(|bytes| bytes[HEADER] = 0xff));
    assert!(said.starts_with("expected a JSON object as provenance"), "{said}");
}
