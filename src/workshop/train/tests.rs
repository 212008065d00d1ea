//! Tests of the pipeline from files to a network.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    thread,
};

use rand::{Rng as _, SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, KnownOutcome, Position as _};
use tempfile::TempDir;

use super::{lane::Lane, target::target, *};
use crate::{
    chess::position::{PackedMove, Position},
    engine::eval::network,
    files::LockedFile,
    workshop::data::{
        Filter, Record, checksum,
        tests::{record, write},
    },
};

const FILTER: Filter =
    Filter { score_limit: Some(2500), no_checks: false, no_tacticals: false, ..Filter::QUIET };

/// Writes a file with `records` into `folder`.
fn file(folder: &TempDir, name: &str, records: &[Record]) -> PathBuf {
    let path = folder.path().join(name);
    write(&path, records);
    path
}

/// Positions of random games, in order; score and result follow from the material.
fn games(count: usize) -> Vec<Record> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut records = Vec::with_capacity(count);
    while records.len() < count {
        let mut position = Position::default();
        for _ in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() || records.len() == count {
                break;
            }
            let m = moves[rng.random_range(0..moves.len())];
            let material = |color| {
                let side = position.chess().board().material_side(color);
                100 * i32::from(side.pawn)
                    + 300 * i32::from(side.knight + side.bishop)
                    + 500 * i32::from(side.rook)
                    + 900 * i32::from(side.queen)
            };
            let (us, them) = (material(position.turn()), material(!position.turn()));
            let winner = (us != them).then_some(if us > them { position.turn() } else { !position.turn() });
            let outcome = KnownOutcome::from_winner(winner);
            records.push(Record::new(&position, us - them, PackedMove::new(m).unwrap(), outcome).unwrap());
            position.play(m);
        }
    }
    records
}

fn in_random_order(count: usize) -> Vec<Record> {
    let mut records = games(count);
    records.shuffle(&mut ChaCha8Rng::seed_from_u64(8));
    records
}

/// The positions of `batches` in a canonical order, to compare them as sets.
fn sorted(batches: &[Batch]) -> Vec<(Vec<u16>, String)> {
    let mut all: Vec<_> = batches
        .iter()
        .flat_map(|batch| {
            (0..batch.len()).map(|at| {
                let features = batch.features(at).as_flattened().to_vec();
                (features, format!("{} {}", batch.scores[at], batch.results[at]))
            })
        })
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn batches_hold_every_position_once_in_an_order_that_threads_do_not_change() {
    let folder = TempDir::new().unwrap();
    let records = in_random_order(40_500);
    let files = [file(&folder, "a", &records[..30_000]), file(&folder, "b", &records[30_000..])];
    let read = |files: &[PathBuf], threads| batches(files, FILTER, 1000, threads).unwrap();
    let plain = read(&files, 1);
    assert_eq!(plain.iter().map(Batch::len).collect::<Vec<_>>(), [vec![1000; 40], vec![500]].concat());
    assert_eq!(plain, read(&files, 3));
    assert_eq!(sorted(&plain), sorted(&[pack(&records, FILTER)]));

    let in_order = |seed, threads| -> Vec<Batch> {
        let mut records = records.clone();
        thread::scope(|scope| shuffled(scope, &mut records, 500, seed, threads).unwrap().collect())
    };
    let one = in_order(1, 1);
    assert_eq!(one, in_order(1, 2));
    assert_ne!(one, in_order(2, 1));
    assert_ne!(one, plain);
    assert_eq!(sorted(&one), sorted(&plain));

    let whole = read(&[file(&folder, "c", &records[..3_000])], 2);
    assert_eq!(whole.iter().map(Batch::len).collect::<Vec<_>>(), [1000; 3], "no rest without positions");
}

#[test]
fn a_position_enters_as_the_network_will_see_it() {
    for line in [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 | 157 | 1.0 | f1b5",
        "2kr4/ppp5/8/3n4/8/5N2/PPP5/2KR4 b - - 0 31 | -157 | 1.0 | d5f4",
    ] {
        let record = record(line);
        let batch = pack(&[record], FILTER);
        let board = record.board();
        let inputs = |color: Color| -> Vec<u16> {
            let mut inputs: Vec<_> =
                network::View::of(color, &board).inputs(&board).map(|input| input as u16).collect();
            inputs.sort_unstable();
            inputs
        };
        let [us, them] = [0, 1].map(|side| {
            let mut inputs: Vec<u16> = batch.features(0).iter().map(|both| both[side]).collect();
            inputs.sort_unstable();
            inputs
        });
        assert_eq!((us, them), (inputs(record.turn()), inputs(!record.turn())), "{line}");
        assert_eq!(batch.bucket(0), network::bucket(board.occupied().count(), BUCKETS));
        let white = 1.0 / (1.0 + (-1.0_f32).exp());
        assert!((batch.scores[0] - record.turn().fold_wb(white, white)).abs() < 1e-6, "{line}");
        assert_eq!(batch.results[0], record.turn().fold_wb(1.0, 0.0));
    }
}

#[test]
fn what_is_left_out_is_counted_by_its_reason() {
    let lines = [
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 31 | 30 | 0.5 | e2e4",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 2 | 30 | 0.5 | e2e4",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 31 | 3000 | 0.5 | e2e4",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 31 | 31990 | 0.5 | e2e4",
        "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 31 | 30 | 0.5 | e2d3",
        "4k3/8/8/8/8/8/4r3/4K3 w - - 0 31 | 30 | 0.5 | e1f1",
    ];
    let filter = Filter { score_limit: Some(2500), first_ply: 16, ..Filter::QUIET };
    let mut counts = Accepted::default();
    let accepted: Vec<bool> = lines.iter().map(|line| counts.accept(filter, &record(line))).collect();
    assert_eq!(accepted, [true, false, false, false, false, false]);
    let expected = Accepted { positions: 1, early: 1, large: 2, tactical: 1, checks: 1, unplayable: 0 };
    assert_eq!((counts, counts.total()), (expected, 6));
}

#[test]
fn a_damaged_file_is_an_error_that_names_it() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "games", &in_random_order(40_000));
    let bytes = fs::read(&path).unwrap();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    for (content, complaint) in [
        (&damaged[..], "damaged"),
        (&bytes[..bytes.len() - 7], "the last block"),
        (&bytes[1..], "not a data file"),
        (&[], "the file is empty"),
    ] {
        fs::write(&path, content).unwrap();
        let error = Accepted::of(std::slice::from_ref(&path), FILTER, 2, |_| ()).unwrap_err().to_string();
        assert!(error.contains(complaint) && error.contains("games"), "{error}");
        let error = batches(std::slice::from_ref(&path), FILTER, 1000, 2).unwrap_err().to_string();
        assert!(error.contains(complaint) && error.contains("games"), "{error}");
    }
}

fn data_file(path: &Path) -> DataFile {
    DataFile {
        name: path.display().to_string(),
        bytes: fs::metadata(path).unwrap().len(),
        crc32: format!("{:08x}", checksum(path).unwrap()),
        counts: Accepted::of(&[path.to_owned()], FILTER, 1, |_| ()).unwrap(),
    }
}

/// A training of 50 steps, in rounds of at least 256 positions.
fn plan() -> Plan {
    let schedule = TrainingSchedule {
        steps: 50,
        warm_up: 5,
        rate: 0.01,
        final_rate: 0.0001,
        shape: Shape::Cosine,
        result_share: [0.1, 0.4],
        decay: 0.01,
        exponent: 2.0,
    };
    let feeding = Feeding { uses: 3, window: 256 };
    Plan {
        hidden: 32,
        seed: 1,
        batch: 256,
        schedule,
        filter: FILTER,
        feeding,
        validation: vec![],
        start: None,
        anchor: 0.0,
    }
}

/// Continues with the shards in `folder` until the training is over, or that many steps are done.
fn advance(run: &mut TrainingRun, folder: &TempDir, validation: &[Batch], until: u64) {
    while !run.is_over() && run.trainer.steps() < until {
        let window = window(run, folder).unwrap().unwrap();
        run.round(window, validation, None, 2, |run| run.trainer.steps() < until).unwrap();
    }
}

#[test]
fn a_training_learns_and_an_interrupted_one_becomes_the_same_network() {
    let folder = TempDir::new().unwrap();
    let records = in_random_order(6_000);
    file(&folder, "own.zwd", &records[..5_000]);
    let validation = [pack(&records[5_000..], FILTER)];
    let mut whole = TrainingRun::new(plan(), Begin::Random);
    let before = whole.validation_loss(&validation);
    advance(&mut whole, &folder, &validation, u64::MAX);
    assert_eq!((whole.rounds.len(), whole.trainer.steps()), (3, 50));
    assert_eq!(whole.rounds[0].positions, 19 * 256);
    let after = whole.rounds.last().unwrap().validation;
    assert!(after < before / 2.0, "from {before} to {after}");

    // Interrupted within a round, at its end, and in the next one.
    let checkpoint = folder.path().join("checkpoint");
    let mut pieces = TrainingRun::new(plan(), Begin::Random);
    for until in [7, 19, 30] {
        advance(&mut pieces, &folder, &validation, until);
        pieces.save(&checkpoint).unwrap();
        pieces = TrainingRun::load(&checkpoint).unwrap();
        assert_eq!(pieces.trainer.steps(), until);
    }
    advance(&mut pieces, &folder, &validation, u64::MAX);
    assert!(pieces.to_bytes() == whole.to_bytes(), "the checkpoints differ");
}

/// Between the last step of a round and its result there is no checkpoint: it would have lost the result.
#[test]
fn every_checkpoint_within_a_round_continues_to_the_same_network() {
    let folder = TempDir::new().unwrap();
    let records = in_random_order(3_000);
    file(&folder, "own.zwd", &records[..2_500]);
    let validation = [pack(&records[2_500..], FILTER)];
    let schedule = TrainingSchedule { steps: 13, ..plan().schedule };
    let mut whole = TrainingRun::new(Plan { schedule, ..plan() }, Begin::Random);
    let mut checkpoints = Vec::new();
    while !whole.is_over() {
        let step = |run: &TrainingRun| {
            checkpoints.push(run.to_bytes());
            true
        };
        let window = window(&mut whole, &folder).unwrap().unwrap();
        whole.round(window, &validation, None, 2, step).unwrap();
    }
    assert!(checkpoints.len() >= 11, "{}", checkpoints.len());
    for checkpoint in &checkpoints {
        let mut run = TrainingRun::from_bytes(checkpoint).unwrap();
        let steps = run.trainer.steps();
        advance(&mut run, &folder, &validation, u64::MAX);
        assert!(run.to_bytes() == whole.to_bytes(), "the checkpoint after {steps} steps");
    }
}

/// The whole of the target is the anchor's opinion: the network that begins with its weights has nothing to
/// learn.
#[test]
fn an_anchor_gives_its_share_of_the_target() {
    let network = FloatNetwork::random(32, 7);
    let mut batch = pack(&in_random_order(300), FILTER);
    let given = batch.clone();
    let outputs = NetworkTrainer::new(TrainerState::new(network.clone()), plan().schedule).outputs(&batch);
    Anchor::new(network.clone(), 0.25).pull(&mut batch);
    for (index, output) in outputs.iter().enumerate() {
        let blend = |share: f32, batch: &Batch| target(share, batch.results[index], batch.scores[index]);
        let expected = 0.75 * blend(0.3, &given) + 0.25 * sigmoid(*output);
        assert!((blend(0.3, &batch) - expected).abs() < 1e-6);
    }
    Anchor::new(network.clone(), 1.0).pull(&mut batch);
    let loss = NetworkTrainer::new(TrainerState::new(network), plan().schedule).loss(&batch, 0.3);
    assert!(loss < 1e-12, "{loss}");
}

#[test]
fn losses_that_are_no_numbers_end_a_training() {
    let records = in_random_order(2_000);
    let validation = [pack(&records, FILTER)];
    let mut network = FloatNetwork::random(32, 1);
    network.biases = Lane::new([f32::NAN; LANES]);
    let mut run = TrainingRun::new(plan(), Begin::Weights(network));
    let step = |_: &TrainingRun| panic!("a checkpoint of it could not be read");
    assert!(matches!(run.round(records, &validation, None, 2, step), Err(TrainingError::Diverged)));
}

#[test]
fn a_checkpoint_that_is_none_is_refused() {
    let folder = TempDir::new().unwrap();
    let run = TrainingRun::new(plan(), Begin::Random);
    let bytes = run.to_bytes();
    assert_eq!(TrainingRun::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..50 {
        let mut damaged = bytes.clone();
        damaged[rng.random_range(0..bytes.len())] ^= 1 << rng.random_range(0..8);
        assert!(TrainingRun::from_bytes(&damaged).is_err());
        assert!(TrainingRun::from_bytes(&bytes[..rng.random_range(0..bytes.len())]).is_err());
    }
    let error = |bytes: &[u8]| TrainingRun::from_bytes(bytes).unwrap_err().to_string();
    assert!(error(b"").contains("not a checkpoint") && error(b"PK\x03\x04").contains("not a checkpoint"));
    let mut later = bytes.clone();
    later[8] = 9;
    assert!(error(&later).contains("expected version 3 of the format, got 9"));
    assert!(error(&[&bytes[..], &[0]].concat()).contains("damaged"));
    let (head, numbers) =
        bytes[16..].split_at(u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize);
    let with_head = |old: &str, new: &str| {
        let head = str::from_utf8(head).unwrap().replace(old, new);
        let length = (head.len() as u32).to_le_bytes();
        let mut other = [&bytes[..12], &length, head.as_bytes(), numbers].concat();
        let (content, checksum) = other.split_last_chunk_mut().unwrap();
        *checksum = crc32fast::hash(content).to_le_bytes();
        other
    };
    let huge = with_head("\"hidden\":32", "\"hidden\":18446744073709551600");
    assert!(error(&huge).contains("damaged"), "its plan has more neurons than the file");
    // As an earlier program wrote it for a training by epochs.
    let by_epochs = with_head("{\"uses\":3,\"window\":256}", "null");
    assert!(error(&by_epochs).starts_with("expected a checkpoint of this program: "));
    assert!(matches!(TrainingRun::load(Path::new("/nowhere/at/all")), Err(CheckpointError::Io(_))));
    fs::create_dir(folder.path().join("taken")).unwrap();
    run.save(&folder.path().join("taken")).unwrap_err();
    assert!(!folder.path().join("taken.unfinished").exists(), "nothing is left where the disk may be full");
    // No memory is large enough for it.
    let huge = folder.path().join("huge");
    File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(TrainingRun::load(&huge), Err(CheckpointError::Foreign)));
}

#[test]
fn another_plan_is_told_from_the_first() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "held-out", &in_random_order(300));
    let first = Plan { validation: vec![data_file(&path)], ..plan() };
    assert_eq!(first.difference(&first.clone()), None);
    let schedule = |change: fn(&mut TrainingSchedule)| {
        let mut plan = first.clone();
        change(&mut plan.schedule);
        plan
    };
    let filter = |filter| Plan { filter, ..first.clone() };
    let start = Start { name: "a.zwt".to_owned(), crc32: "1a2b3c4d".to_owned(), moments: true };
    for (other, reported) in [
        (Plan { seed: 2, ..first.clone() }, "expected --seed 1, got --seed 2"),
        (filter(Filter { no_checks: true, ..FILTER }), "expected --tactical, got no --tactical"),
        (
            filter(Filter { score_limit: Some(9), ..FILTER }),
            "expected --score-limit 2500, got --score-limit 9",
        ),
        (
            Plan { validation: Vec::new(), ..first.clone() },
            "expected 1 file for --validation, got 0 files for --validation",
        ),
        (
            Plan { start: Some(start), ..first.clone() },
            "expected no --start and no --branch, got --branch a.zwt with checksum 1a2b3c4d",
        ),
        (
            Plan { feeding: Feeding { uses: 1, window: 256 }, ..first.clone() },
            "expected --uses 3, got --uses 1",
        ),
        (Plan { anchor: 0.5, ..first.clone() }, "expected --anchor 0, got --anchor 0.5"),
        (schedule(|it| it.steps = 24), "expected 50 steps by --positions, got 24 steps by --positions"),
        (schedule(|it| it.final_rate = 0.0), "expected --final-rate 0.0001, got --final-rate 0"),
        (schedule(|it| it.shape = Shape::Constant), "expected --shape cosine, got --shape constant"),
        (
            schedule(|it| it.result_share[1] = 0.5),
            "expected --result-share 0.1-0.4, got --result-share 0.1-0.5",
        ),
    ] {
        assert_eq!(first.difference(&other).as_deref(), Some(reported));
    }
    let mut other = first.clone();
    other.validation[0].crc32 = "1a2b3c4d".to_owned();
    let reported = first.difference(&other).unwrap();
    assert!(reported.contains(" bytes with checksum 1a2b3c4d: "), "{reported}");
}

/// A checkpoint is read by these names, also by a later program.
#[test]
fn the_names_in_a_plan_stay() {
    let file = DataFile {
        name: "a.zwd".to_owned(),
        bytes: 1,
        crc32: "1a2b3c4d".to_owned(),
        counts: Accepted::default(),
    };
    let start = Start { name: "a.zwt".to_owned(), crc32: "1a2b3c4d".to_owned(), moments: true };
    let written = serde_json::to_value(Plan { validation: vec![file], start: Some(start), ..plan() });
    fn names(value: &serde_json::Value) -> Vec<String> {
        let serde_json::Value::Object(fields) = value else {
            return value.as_array().into_iter().flatten().flat_map(names).collect();
        };
        fields.iter().flat_map(|(name, value)| [vec![name.clone()], names(value)].concat()).collect()
    }
    assert_eq!(
        names(&written.unwrap()).join(" "),
        "anchor batch feeding uses window filter first_ply no_checks no_mates no_tacticals score_limit hidden schedule decay \
         exponent final_rate rate result_share shape steps warm_up seed start crc32 moments name validation bytes counts \
         checks early large positions tactical unplayable crc32 name"
    );
}

#[test]
fn the_quantised_network_says_nearly_the_same() {
    let records = in_random_order(2_000);
    let random = FloatNetwork::random(64, 5);
    let quantised = quantise(&random, "{}", &records[..1_000]).unwrap();
    let deviation = compare(&random, &quantised, &records[1_000..]);
    assert_eq!(deviation.positions, 1_000);
    assert!(deviation.mean < 2.0 && deviation.largest < 10.0, "{deviation:?}");
    let nearest = quantise(&random, "{}", &[]).unwrap();
    assert!(deviation.mean < compare(&random, &nearest, &records[1_000..]).mean, "{deviation:?}");
    // A network with other values is detected.
    let other = compare(&FloatNetwork::random(64, 6), &quantised, &records);
    assert!(other.mean > 10.0, "{other:?}");
    let again = quantise(&dequantise(&quantised).unwrap(), "{}", &records).unwrap();
    assert!(again == quantised, "whole numbers survive");
}

#[test]
fn a_start_with_fewer_buckets_is_divided() {
    let records = in_random_order(500);
    let network = |buckets| network::Network::random(network::Architecture { neurons: 32, buckets }, 11);
    for buckets in [1, 8, BUCKETS] {
        let old = network(buckets);
        let new = quantise(&dequantise(&old).unwrap(), "{}", &records).unwrap();
        assert_eq!(new.architecture().buckets, BUCKETS);
        for record in &records {
            let value = |network: &network::Network| network.evaluate(&record.board(), record.turn());
            assert_eq!(value(&new), value(&old), "{buckets} buckets: {record:?}");
        }
    }
    let refusal = dequantise(&network(2 * BUCKETS)).unwrap_err().to_string();
    assert!(refusal.contains("at most 16 output buckets"), "{refusal}");
}

#[test]
fn a_start_with_another_scale_has_the_same_values() {
    let architecture = network::Architecture { neurons: 32, buckets: 8 };
    let mut bytes = network::Network::random(architecture, 11).to_bytes();
    bytes[32..36].copy_from_slice(&300_i32.to_le_bytes());
    let (content, checksum) = bytes.split_last_chunk_mut::<4>().unwrap();
    *checksum = crc32fast::hash(content).to_le_bytes();
    let start = network::Network::from_bytes(&bytes).unwrap();
    let deviation = compare(&dequantise(&start).unwrap(), &start, &in_random_order(500));
    assert!(start.scale() == 300 && deviation.largest < 2.0, "{deviation:?}");
}

/// A training on the shards in a folder: four steps of 64 positions a round.
fn stream(uses: u64) -> TrainingRun {
    let schedule = TrainingSchedule { steps: u64::MAX, shape: Shape::Constant, ..plan().schedule };
    let feeding = Feeding { uses, window: 256 };
    TrainingRun::new(Plan { schedule, feeding, batch: 64, ..plan() }, Begin::Random)
}

/// Fills the next window with what is there; `None` if there is nothing.
fn window(run: &mut TrainingRun, folder: &TempDir) -> Result<Option<Vec<Record>>, FeedError> {
    match run.fed.fill(folder.path(), run.plan.feeding, FILTER, &run.plan.validation, |_| false) {
        Err(FeedError::UsedUp { .. }) => Ok(None),
        filled => filled,
    }
}

/// A file that another process writes.
fn being_written(folder: &TempDir, name: &str) -> LockedFile {
    LockedFile::create_new(&folder.path().join(name)).unwrap().unwrap()
}

/// Runs rounds until no shard is left, or that many steps are done; returns all windows.
fn rounds(run: &mut TrainingRun, folder: &TempDir, until: u64) -> Vec<Vec<Record>> {
    let (mut windows, validation) = (vec![], [pack(&games(50), FILTER)]);
    while run.trainer.steps() < until
        && let Some(window) = window(run, folder).unwrap()
    {
        windows.push(window.clone());
        run.round(window, &validation, None, 2, |run| run.trainer.steps() < until).unwrap();
    }
    windows
}

fn by_bytes(mut records: Vec<Record>) -> Vec<[u8; 32]> {
    records.sort_unstable_by_key(Record::to_bytes);
    records.iter().map(Record::to_bytes).collect()
}

#[test]
fn every_position_of_finished_shards_is_used_the_stated_number_of_times() {
    let folder = TempDir::new().unwrap();
    let records = games(1_500);
    let (shards, unfinished) = records.as_chunks::<150>().0.split_at(8);
    for (index, shard) in shards.iter().enumerate() {
        file(&folder, &format!("own-{:04}.zwd", index + 1), shard);
    }
    let unfinished_file = being_written(&folder, "own-0009.zwd");
    fs::write(folder.path().join("notes.txt"), "").unwrap();
    for uses in [1, 3] {
        let mut run = stream(uses);
        let windows = rounds(&mut run, &folder, u64::MAX);
        let used: Vec<Record> = windows.concat();
        assert_eq!(by_bytes(used), by_bytes(vec![shards.as_flattened().to_vec(); uses as usize].concat()));
        assert_eq!((run.fed.shards.len(), run.fed.round.len()), (8, 0));
        assert!(run.fed.shards.iter().all(|shard| shard.uses == uses && shard.file.counts.positions == 150));
        assert_eq!(run.trainer.steps(), windows.iter().map(|window| window.len() as u64 / 64).sum::<u64>());
        assert_eq!(run.rounds.len(), windows.len());
    }
    // New shards are taken before the others are used again.
    let mut run = stream(2);
    let first = window(&mut run, &folder).unwrap().unwrap();
    assert_eq!((first.len(), &*run.fed.round), (600, &[1, 2, 3, 4].map(|n| format!("own-000{n}.zwd"))[..]));
    run.fed.end_round();
    drop(unfinished_file);
    fs::remove_file(folder.path().join("own-0009.zwd")).unwrap();
    file(&folder, "own-0009.zwd", &unfinished[0]);
    window(&mut run, &folder).unwrap().unwrap();
    assert_eq!(run.fed.round, [5, 6, 7, 8].map(|n| format!("own-000{n}.zwd")));
    run.fed.end_round();
    window(&mut run, &folder).unwrap().unwrap();
    assert_eq!(run.fed.round, [9, 1, 2, 3].map(|n| format!("own-000{n}.zwd")));
}

#[test]
fn an_interrupted_round_goes_on_with_the_same_positions_also_if_new_shards_have_come() {
    let folder = TempDir::new().unwrap();
    let records = games(1_500);
    let shards = records.as_chunks::<300>().0;
    file(&folder, "own-0001.zwd", &shards[0]);
    let second = file(&folder, "own-0002.zwd", &shards[1]);
    let _written = LockedFile::open(&second).unwrap().unwrap();
    let mut whole = stream(1);
    let first = rounds(&mut whole, &folder, u64::MAX);
    assert_eq!((first.len(), whole.trainer.steps()), (1, 4));
    for until in [1, 3, 4] {
        let mut pieces = stream(1);
        rounds(&mut pieces, &folder, until);
        pieces = TrainingRun::from_bytes(&pieces.to_bytes()).unwrap();
        assert_eq!((pieces.trainer.steps(), pieces.fed.round.is_empty()), (until, until == 4));
        file(&folder, "early.zwd", &shards[2]);
        let window = window(&mut pieces, &folder).unwrap().unwrap();
        assert_eq!(window == first[0], until < 4, "a round that is over does not begin again");
        if until < 4 {
            pieces.round(window, &[pack(&games(50), FILTER)], None, 2, |_| true).unwrap();
            assert!(pieces.to_bytes() == whole.to_bytes(), "from step {until}");
        }
        fs::remove_file(folder.path().join("early.zwd")).unwrap();
    }
    let mut pieces = stream(1);
    rounds(&mut pieces, &folder, 2);
    fs::remove_file(folder.path().join("own-0001.zwd")).unwrap();
    let error = |run: &mut TrainingRun| window(run, &folder).map(drop).unwrap_err().to_string();
    assert!(error(&mut pieces).contains("own-0001.zwd: the round that has begun needs this file as it was"));
    file(&folder, "own-0001.zwd", &shards[3]);
    assert!(error(&mut pieces).contains("own-0001.zwd: the round that has begun"));
}

/// Only a file that another process writes is waited for.
#[test]
fn a_training_does_not_wait_for_what_cannot_come() {
    let folder = TempDir::new().unwrap();
    file(&folder, "own-0001.zwd", &games(100));
    let fill = |run: &mut TrainingRun, wait: &mut dyn FnMut(usize) -> bool| {
        run.fed.fill(folder.path(), run.plan.feeding, FILTER, &[], wait)
    };
    let mut no_wait = |_: usize| -> bool { panic!("nothing can come") };
    let mut run = stream(1);
    assert_eq!(fill(&mut run, &mut no_wait).unwrap().unwrap().len(), 100, "fewer than the window");
    run.fed.end_round();
    let error = fill(&mut run, &mut no_wait).unwrap_err().to_string();
    assert!(error.contains("no file is left that was used less than 1 times"), "{error}");
    let written = being_written(&folder, "own-0002.zwd");
    let mut asked = Vec::new();
    let mut wait = |ready| {
        asked.push(ready);
        asked.len() < 3
    };
    assert!(fill(&mut run, &mut wait).unwrap().is_none());
    assert_eq!(asked, [0, 0, 0]);
    drop(written);
}

#[test]
fn a_shard_for_validation_is_refused_and_a_damaged_one_named() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "own-0001.zwd", &games(300));
    file(&folder, "own-0002.zwd", &[]);
    let mut run = stream(1);
    run.plan.validation = vec![data_file(&path)];
    let error = |run: &mut TrainingRun| window(run, &folder).map(drop).unwrap_err().to_string();
    assert!(error(&mut run).contains("own-0001.zwd: the same data as the file for validation"));
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, bytes).unwrap();
    let message = error(&mut run);
    assert!(message.contains("own-0001.zwd") && message.contains("damaged"), "{message}");
    assert!(run.fed.shards.is_empty() && run.fed.round.is_empty());
}

#[test]
fn the_widest_network_is_trained_and_quantised() {
    let batch = pack(&in_random_order(300), FILTER);
    let schedule = TrainingSchedule { rate: 0.01, steps: 4, ..plan().schedule };
    let mut trainer =
        NetworkTrainer::new(TrainerState::new(FloatNetwork::random(network::MOST_NEURONS, 1)), schedule);
    let losses: Vec<f64> = (0..4).map(|_| trainer.step(&batch)).collect();
    assert!(losses[3] < losses[0], "{losses:?}");
    let records = in_random_order(500);
    let quantised = quantise(&trainer.network(), "{}", &records).unwrap();
    assert_eq!(quantised.architecture().neurons, 1024);
    let deviation = compare(&trainer.network(), &quantised, &records);
    assert!(deviation.mean < 4.0, "{deviation:?}");
}
