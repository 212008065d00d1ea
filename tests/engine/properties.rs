//! Property tests with proptest: properties that hold for every input of the readers and for every table
//! entry. Failing inputs are minimised.
//!
//! The inputs are nearly valid on purpose: valid text or bytes with a few changes, which get further than
//! noise. The fuzz targets (`fuzz/`, `docs/testing.md`) test the same readers for hours.

use std::{fmt::Debug, sync::LazyLock};

use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    test_runner::RngSeed,
};
use shakmaty::{CastlingMode, KnownOutcome};
use zugwerk::{
    chess::{
        clock::{TimeControl, Unit, duration},
        epd::{self, EpdRecord},
        notation::{read_move, san},
        pgn::read_games,
        position::{PackedMove, Position},
        value::{EVAL_LIMIT, MAX_PLY, Value, mate_in, mated_in},
    },
    engine::{
        eval::network::{Architecture, Network},
        tt::{Bound, Entry, Table},
        uci::command::{Command, parse},
    },
    workshop::data::{Blocks, GameError, Header, Ply, Record, Termination, TrainingGame},
};

use crate::support::walks::random_positions;

/// The inputs are fixed, because a test that fails at random is useless. PROPTEST_CASES and PROPTEST_RNG_SEED
/// in the environment change them.
fn settings(cases: u32) -> ProptestConfig {
    let by_hand = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { by_hand.cases } else { cases };
    let rng_seed = match by_hand.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed @ RngSeed::Fixed(_) => fixed,
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..by_hand }
}

/// One of `whole` with up to five bytes of `alphabet` replaced, inserted or removed.
fn damaged<T>(whole: Vec<T>, alphabet: impl Strategy<Value = u8> + Clone) -> impl Strategy<Value = Vec<u8>>
where
    T: AsRef<[u8]> + Clone + Debug + 'static,
{
    let changes = vec((any::<Index>(), alphabet, 0..3_u8), 0..5);
    (select(whole), changes).prop_map(|(whole, changes)| {
        let mut bytes = whole.as_ref().to_vec();
        for (at, byte, kind) in changes {
            let at = at.index(bytes.len() + 1);
            match kind {
                0 if at < bytes.len() => bytes[at] = byte,
                1 if at < bytes.len() => drop(bytes.remove(at)),
                _ => bytes.insert(at, byte),
            }
        }
        bytes
    })
}

/// Like [`damaged`], as text.
fn misspelt(whole: &'static [&'static str], alphabet: &'static str) -> impl Strategy<Value = String> {
    damaged(whole.to_vec(), select(alphabet.as_bytes()))
        .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

const FENS: &[&str] = &[
    "7k/8/8/8/8/8/P7/R6K w - - 4294967295 4294967295",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "bnrk1r2/p1p2p2/8/8/8/8/P1P2P2/BNRK1R2 w FCfc - 99 60",
    "1n6/P1P4k/8/8/8/8/p1p4K/1N6 w - - 0 40",
    "8/8/8/3k4/8/8/8/KBN5 w - -",
];
const IN_FENS: &str = " /12345678-wbKQRBNPkqrbnpHAhae36";
const SUITE: &[&str] = &[
    "7k/P7/8/8/8/8/p7/7K w - - bm a8=Q+; am a8=N; id \"a pawn\"; dm 5; c0 \"a8=Q+=10, Kg2=3\";",
    "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 40; bm e4;",
];
const LINES: &[&str] = &[
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1g1",
    "go wtime 1000 btime 1000 winc 10 movestogo 40 ponder searchmoves e2e4",
    "setoption name Move Overhead value 100",
    "joho debug on",
];
const PGN: &[&str] = &[
    "[White \"A \\\"B\\\"\"]\n[Result \"1-0\"]\n\n{before} 1. e4! $14 e5 (1... c5 2. Nf3 (2. c3 d5?!) d6) 2. Bc4 ; to the \
     end\nNc6 3. Qh5 Nf6?? 4. Qxf7# 1-0\n",
    "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20\"]\n\n20... O-O-O 21. O-O Z0 22. Rxf8 *\n\n% no\n1. d4 d5 1/2-1/2\n",
];

/// ASCII and Latin-1 without control characters, which are not written, and without blanks that would be
/// converted.
fn in_pgn() -> impl Strategy<Value = u8> + Clone {
    prop_oneof![Just(b'\n'), b' '..=b'~', 0xa1..=0xff_u8]
}

proptest! {
    #![proptest_config(settings(200))]

    #[test]
    fn an_accepted_fen_is_written_and_read_as_the_same_position(fen in misspelt(FENS, IN_FENS)) {
        let _ = epd::fen(&fen);
        if let Ok(position) = Position::from_fen(&fen) {
            let again = Position::from_fen(&position.fen()).expect("what was written can be read");
            prop_assert_eq!((again.fen(), again.key()), (position.fen(), position.key()));
            for m in position.legal_moves() {
                prop_assert_eq!(read_move(position.chess(), &san(&position, m)), Some(m));
                let mut after = position.clone();
                after.play(m);
                prop_assert_eq!(after.key(), Position::from_fen(&after.fen()).unwrap().key());
            }
        }
    }

    #[test]
    fn the_moves_of_an_accepted_suite_are_legal(line in misspelt(SUITE, "abcdeh12345678;\"+=-, KQRBN")) {
        if let Ok(record) = EpdRecord::parse(&line) {
            let legal = record.position.legal_moves();
            prop_assert!(record.best.iter().chain(&record.avoid).all(|m| legal.contains(m)));
        }
    }

    #[test]
    fn every_line_is_understood_or_refused(line in misspelt(LINES, " \t-+09abehkqmovsKQ/\u{e4}")) {
        match parse(&line, &Position::default(), CastlingMode::Standard) {
            Ok(Some(Command::Position { position, .. })) => prop_assert!(Position::from_fen(&position.fen()).is_ok()),
            Ok(_) => {}
            Err(error) => prop_assert!(!error.to_string().contains('\n'), "{}", error),
        }
    }

    #[test]
    fn every_time_is_understood_or_refused(text in misspelt(&["40/60+0.6", "1:30", "500ms", "5m", "0.1+0.001"], "0159.:+/-ms e")) {
        let _ = (duration(&text, Unit::Seconds), text.parse::<TimeControl>());
    }

    #[test]
    fn a_game_that_can_be_read_is_written_and_read_as_the_same(bytes in damaged(PGN.to_vec(), in_pgn())) {
        for game in read_games(&*bytes).unwrap().into_iter().flatten() {
            let written = game.to_pgn();
            let again = read_games(written.as_bytes()).unwrap();
            let [Ok(again)] = &again[..] else { panic!("expected one game, got {again:?} from {written}") };
            prop_assert_eq!(&again.movetext, &game.movetext, "{}", written);
            prop_assert_eq!(again.start.fen(), game.start.fen());
        }
    }
}

/// Random games with random scores, as training data.
fn training_games() -> Vec<TrainingGame> {
    let positions = random_positions(3, 12);
    let games = positions.iter().enumerate().map(|(number, start)| {
        let (mut position, mut plies) = (start.clone(), Vec::new());
        for ply in 0..=number {
            let moves = position.legal_moves();
            let Some(&m) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            let score = (ply as Value * 977 % 4001 - 2000) * if ply % 2 == 0 { 1 } else { -1 };
            plies.push(Ply { played: PackedMove::new(m).unwrap(), score });
            position.play(m);
        }
        TrainingGame::new(start, plies, KnownOutcome::Draw, Termination::Unknown).unwrap()
    });
    games.collect()
}

fn written(game: &TrainingGame) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.write(&mut bytes);
    bytes
}

#[test]
fn a_training_game_is_written_and_read_as_the_same() {
    for game in training_games() {
        assert_eq!(TrainingGame::read(&mut &*written(&game)).unwrap(), game);
    }
}

/// Returns a file of one block, as written by `zugwerk datagen`.
fn data_file() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.zwd");
    let mut writer = zugwerk::workshop::data::GameWriter::create(&path, &Header::new("test")).unwrap();
    training_games().iter().for_each(|game| writer.write(game));
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

/// Returns the positions in the file.
static KNOWN: LazyLock<Vec<Record>> =
    LazyLock::new(|| Blocks::new(&*data_file()).unwrap().flat_map(|block| block.unwrap().records).collect());

fn table_entry() -> impl Strategy<Value = (usize, Entry)> {
    let value = |ply: usize| {
        let plies = ply..=MAX_PLY;
        prop_oneof![-EVAL_LIMIT..=EVAL_LIMIT, plies.clone().prop_map(mate_in), plies.prop_map(mated_in)]
    };
    let bound = select(vec![None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)]);
    let rest = (any::<u16>(), prop::option::of(-EVAL_LIMIT..=EVAL_LIMIT), 0..256_i32, bound, any::<bool>());
    ((0..MAX_PLY).prop_flat_map(move |ply| (Just(ply), value(ply))), rest).prop_map(
        |((ply, value), (m, raw_eval, depth, bound, pv))| {
            (ply, Entry { m: PackedMove::from_bits(m), value, raw_eval, depth, bound, pv })
        },
    )
}

proptest! {
    #![proptest_config(settings(200))]

    #[test]
    fn a_damaged_training_game_is_read_as_one_that_can_be_written_or_refused(
        bytes in damaged(training_games().iter().map(written).collect(), any::<u8>()),
    ) {
        let read: Result<TrainingGame, GameError> = TrainingGame::read(&mut &*bytes);
        if let Ok(game) = read {
            prop_assert_eq!(&TrainingGame::read(&mut &*written(&game)).unwrap(), &game);
            let mut records: Vec<Record> = Vec::new();
            if game.records(&mut records).is_ok() {
                prop_assert_eq!(records.len(), game.plies().len());
            }
        }
    }

    #[test]
    fn no_game_of_a_damaged_file_is_invented(bytes in damaged(vec![data_file()], any::<u8>())) {
        if let Ok(blocks) = Blocks::new(&*bytes) {
            for block in blocks {
                match block {
                    Ok(block) => prop_assert!(block.records.iter().all(|record| KNOWN.contains(record))),
                    Err(error) => prop_assert!(error.is_damage(), "{}", error),
                }
            }
        }
    }

    #[test]
    fn the_table_gives_back_what_it_is_given(key in any::<u64>(), (ply, entry) in table_entry()) {
        let table = Table::default();
        table.store(key, ply, entry);
        // An entry without contents need not be kept.
        let kept = table.probe(key, ply).unwrap_or(Entry { raw_eval: Some(0), ..Entry::default() });
        prop_assert_eq!(kept, entry);
        prop_assert_eq!(table.probe(key ^ 1, ply), None);
    }
}

proptest! {
    #![proptest_config(settings(30))]

    #[test]
    fn a_network_that_is_accepted_evaluates(changes in vec((any::<Index>(), any::<u8>(), any::<bool>()), 1..6)) {
        let architecture = Architecture { neurons: 32, buckets: 1 };
        let whole = Network::random(architecture, 1).to_bytes();
        let mut bytes = whole[..whole.len() - 4].to_vec();
        for (at, byte, in_header) in changes {
            let range = if in_header { 64 } else { bytes.len() };
            bytes[at.index(range)] = byte;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        if let Ok(network) = Network::from_bytes(&bytes) {
            let position = Position::default();
            let value = network.evaluate(shakmaty::Position::board(position.chess()), position.turn());
            prop_assert!(value.abs() <= EVAL_LIMIT);
        }
    }
}
