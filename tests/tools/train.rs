//! Tests of training from outside: reproducible networks, interruptions, and refusals.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
};

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::KnownOutcome;
use zugwerk::{
    chess::position::{PackedMove, Position},
    engine::eval::network::Network,
    files::LockedFile,
    workshop::data::{GameWriter, Header, Ply, Record, Termination, TrainingGame},
};

use crate::calls::{Folder, called, command};

/// A separate folder for each test, with data for training and validation.
struct Ground(Folder);

impl Ground {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let records = games(6_000);
        fs::create_dir(folder.path("games")).unwrap();
        write(&folder.path("games/training.zwd"), &records[..5_000]);
        write(&folder.path("validation.zwd"), &records[5_000..]);
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path(name)
    }

    /// The arguments of a small training into the folder `output`, with `more`.
    fn arguments(&self, output: &str, more: &[&str]) -> Vec<String> {
        self.arguments_for("32", output, more)
    }

    /// The arguments of a training of a network with `hidden` neurons.
    fn arguments_for(&self, hidden: &str, output: &str, more: &[&str]) -> Vec<String> {
        let (data, held_out, output) = (self.path("games"), self.path("validation.zwd"), self.path(output));
        let usual = ["train", "--stream", &data, "--validation", &held_out, "--output", &output];
        let flags = "--batch 256 --first-ply 0 --window 256 --uses 99 --hidden";
        let usual = usual.into_iter().chain(flags.split(' ')).chain([hidden]);
        usual.chain(more.iter().copied()).map(str::to_owned).collect()
    }

    fn train(&self, code: i32, output: &str, more: &[&str]) -> (String, String) {
        let args = self.arguments(output, more);
        called(code, &args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Kills a training at its first checkpoint.
    fn kill(&self, output: &str, more: &[&str]) {
        let args = self.arguments(output, more);
        let mut child = command(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !Path::new(&self.path(&format!("{output}/checkpoint.zwt"))).exists() {
            assert!(child.try_wait().unwrap().is_none(), "it ended before its first checkpoint");
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// The network of a training in the folder `output`.
    fn network(&self, output: &str) -> PathBuf {
        let files = fs::read_dir(self.path(output)).unwrap().map(|entry| entry.unwrap().path());
        let networks: Vec<PathBuf> =
            files.filter(|path| path.extension().is_some_and(|extension| extension == "zwn")).collect();
        assert_eq!(networks.len(), 1, "{networks:?}");
        networks[0].clone()
    }
}

/// Positions of random games.
fn games(count: usize) -> Vec<Record> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut records = Vec::new();
    while records.len() < count {
        let mut position = Position::default();
        for _ in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[rng.random_range(0..moves.len())];
            let score = rng.random_range(-200..200);
            let best = PackedMove::new(m).unwrap();
            records.push(Record::new(&position, score, best, KnownOutcome::Draw).unwrap());
            position.play(m);
        }
    }
    records.truncate(count);
    records
}

/// Writes each of `records` as a game of one ply.
fn write(path: &str, records: &[Record]) {
    let mut writer = GameWriter::create(Path::new(path), &Header::new("a test")).unwrap();
    for (record, next) in records.iter().zip(1..) {
        let ply = Ply { played: record.best_move(), score: record.score() };
        let position = record.position().unwrap();
        let game = TrainingGame::new(&position, vec![ply], record.result(), Termination::Unknown);
        writer.write(&game.unwrap());
        writer.end_game(next).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn one_seed_gives_one_file_with_any_number_of_threads_and_another_seed_another() {
    let folder = Ground::new("train-threads");
    let (out, _) = folder.train(0, "one", &["--positions", "9000", "--threads", "1"]);
    assert!(out.contains("left out") && out.contains("validation") && out.contains("largest"), "{out}");
    folder.train(0, "two", &["--positions", "9000", "--threads", "2"]);
    folder.train(0, "other", &["--positions", "9000", "--seed", "2"]);
    let bytes = |output| fs::read(folder.network(output)).unwrap();
    assert!(bytes("one") == bytes("two") && bytes("one") != bytes("other"));

    let network = Network::read(&folder.network("one")).unwrap();
    assert!(folder.network("one").to_str().unwrap().contains(&network.hash()));
    let provenance: serde_json::Value = serde_json::from_str(network.provenance()).unwrap();
    assert_eq!(provenance["shards"][0]["name"], "training.zwd");
    assert!(provenance["rounds"].as_array().unwrap().len() > 1);
    assert_eq!(provenance["command"], serde_json::Value::Null, "it depends on folders and order of flags");
    let beside = fs::read_to_string(folder.network("one").with_extension("json")).unwrap();
    let beside: serde_json::Value = serde_json::from_str(&beside).unwrap();
    assert_eq!((&beside["command"][0], &beside["plan"]), (&"train".into(), &provenance["plan"]));
    let args = ["train", "--seed=1", "--positions=9000", "--batch=256", "--first-ply=0", "--hidden=32"];
    let (games, held_out) = (folder.path("games"), folder.path("validation.zwd"));
    let data = ["--window=256", "--uses=99", "--validation", &held_out, "--stream", &games];
    called(0, &[&args[..], &data, &["--output", &folder.path("reordered")]].concat());
    assert!(bytes("one") == bytes("reordered"), "flags in another order");
    let svg = fs::read_to_string(folder.path("one/losses.svg")).unwrap();
    assert!(svg.contains("validation") && svg.ends_with("</svg>\n"));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_no_folder() {
    let folder = Ground::new("train-link");
    std::os::unix::fs::symlink("nowhere", folder.path("linked")).unwrap();
    let (_, err) = folder.train(2, "linked", &["--positions", "9"]);
    assert!(err.contains("expected a folder, got a link that leads nowhere"), "{err}");
}

#[test]
fn a_training_that_was_killed_goes_on_and_comes_to_the_same() {
    let folder = Ground::new("train-resume");
    folder.train(0, "whole", &["--positions", "150000"]);
    folder.kill("pieces", &["--positions", "150000"]);
    let (_, err) = folder.train(2, "pieces", &["--positions", "150000"]);
    assert!(err.contains("not empty") && err.contains("--resume"), "{err}");
    let (_, err) = folder.train(2, "pieces", &["--positions", "150000", "--resume", "--rate", "0.002"]);
    assert!(err.contains("other flags or data: expected --rate 0.001, got --rate 0.002\n"), "{err}");
    folder.train(0, "pieces", &["--positions", "150000", "--resume"]);
    let bytes = |output| fs::read(folder.network(output)).unwrap();
    assert!(bytes("whole") == bytes("pieces"));
    // Resuming a finished training reports again that it is finished.
    folder.train(0, "pieces", &["--positions", "150000", "--resume"]);
}

#[test]
fn a_second_run_is_kept_out() {
    let folder = Ground::new("train-alone");
    fs::create_dir(folder.path("output")).unwrap();
    let lock = fs::File::create(folder.path("output/checkpoint.zwt.lock")).unwrap();
    lock.lock().unwrap();
    for flags in [&["--positions", "4000"][..], &["--positions", "4000", "--resume"]] {
        let (_, err) = folder.train(2, "output", flags);
        assert!(err.contains("checkpoint.zwt: another run is writing to it"), "{err}");
    }
    assert_eq!(fs::read_dir(folder.path("output")).unwrap().count(), 1, "the lock of that run stays");
    drop(lock);
    folder.train(0, "output", &["--positions", "4000"]);
    assert!(!Path::new(&folder.path("output/checkpoint.zwt.lock")).exists(), "left by a killed run");
}

#[test]
fn a_run_killed_during_its_first_checkpoint_can_be_begun_again() {
    let folder = Ground::new("train-anew");
    fs::create_dir(folder.path("output")).unwrap();
    fs::write(folder.path("output/checkpoint.zwt.lock"), "").unwrap();
    fs::write(folder.path("output/checkpoint.unfinished"), "ZWTRAIN\n").unwrap();
    folder.train(0, "output", &["--positions", "4000"]);
    assert!(!Path::new(&folder.path("output/checkpoint.unfinished")).exists());
}

#[test]
fn a_training_can_begin_where_another_ended() {
    let folder = Ground::new("train-start");
    folder.train(0, "first", &["--positions", "4000"]);
    let network = folder.network("first");
    for (output, start) in [("a", folder.path("first/checkpoint.zwt")), ("b", network.display().to_string())]
    {
        folder.train(0, output, &["--positions", "4000", "--start", &start]);
    }
    let begun = Network::read(&folder.network("b")).unwrap();
    let provenance: serde_json::Value = serde_json::from_str(begun.provenance()).unwrap();
    let start = &provenance["plan"]["start"];
    assert_eq!(start["name"], network.file_name().unwrap().to_str().unwrap());
    assert_eq!(start["crc32"].as_str().unwrap().len(), 8);

    let other = folder.path("other.zwt");
    fs::copy(folder.path("first/checkpoint.zwt"), &other).unwrap();
    folder.train(0, "d", &["--positions", "4000", "--start", &other]);
    folder.train(0, "d", &["--positions", "4000", "--start", &other, "--resume"]);
    fs::copy(folder.path("a/checkpoint.zwt"), &other).unwrap();
    let (_, err) = folder.train(2, "d", &["--positions", "4000", "--start", &other, "--resume"]);
    assert!(err.contains("expected --start other.zwt with checksum "), "{err}");

    let begin = |code, hidden, output, start: &str| {
        let args = folder.arguments_for(hidden, output, &["--positions", "4000", "--start", start]);
        called(code, &args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    begin(0, "64", "wide", &folder.path("first/checkpoint.zwt"));
    assert_eq!(Network::read(&folder.network("wide")).unwrap().architecture().neurons, 64);
    let (_, err) = begin(2, "32", "c", &folder.path("wide/checkpoint.zwt"));
    assert!(err.contains("expected at most 32 hidden neurons, got 64"), "{err}");
    assert!(!Path::new(&folder.path("c")).exists());
}

#[test]
fn an_anchored_training_that_was_interrupted_comes_to_the_same() {
    let folder = Ground::new("train-anchor");
    folder.train(0, "first", &["--positions", "4000"]);
    let first = folder.path("first/checkpoint.zwt");
    let flags = ["--positions", "150000", "--start", &first, "--anchor", "0.5"];
    let (_, err) = folder.train(2, "none", &["--positions", "4000", "--anchor", "0.5"]);
    assert!(err.contains("--start"), "{err}");
    folder.train(0, "whole", &flags);
    folder.kill("pieces", &flags);
    let (_, err) = folder.train(2, "pieces", &[&flags[..4], &["--resume"]].concat());
    assert!(err.contains("expected --anchor 0.5, got --anchor 0"), "{err}");
    folder.train(0, "pieces", &[&flags[..], &["--resume"]].concat());
    let read = |output: &str| fs::read(folder.network(output)).unwrap();
    assert!(read("whole") == read("pieces"));
    folder.train(0, "free", &flags[..4]);
    assert!(read("whole") != read("free"));
}

#[test]
fn threads_that_cannot_be_started_are_an_error_in_one_line() {
    let folder = Ground::new("train-many-threads");
    let (games, data) = (folder.path("games"), folder.path("validation.zwd"));
    let train = ["train", "--stream", &games, "--output", "never", "--positions", "9", "--validation"];
    for tool in [&["data", "loss"][..], &train] {
        let args = |threads| [tool, &[data.as_str(), "--threads", threads]].concat();
        let (_, err) = called(2, &args("1025"));
        assert!(err.contains("--threads: expected 1 to 1024, got 1025"), "{err}");
        // No machine has room for such a stack.
        let output = command(&args("3")).env("RUST_MIN_STACK", (1_u64 << 50).to_string()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("--threads: cannot start 3: "), "{err}");
        assert_eq!((err.lines().count(), err.matches("os error").count()), (1, 1), "{err}");
    }
}

#[test]
fn what_cannot_be_learnt_from_is_refused() {
    let folder = Ground::new("train-refused");
    let (good, held_out) = (folder.path("games/training.zwd"), folder.path("validation.zwd"));
    let bytes = fs::read(&good).unwrap();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 4;
    let train = |games: &str, validation: &str, output: &str| {
        let args = ["train", "--stream", games, "--validation", validation, "--output", &folder.path(output)];
        called(2, &[&args[..], &["--positions", "9", "--first-ply", "0"]].concat()).1
    };
    for (name, content, complaint) in [
        ("damaged.zwd", &damaged[..], " damaged"),
        ("partial.zwd", &bytes[..bytes.len() - 9], "the last block"),
        ("foreign.zwd", b"PK\x03\x04 an archive, say", "not a data file"),
        ("empty.zwd", b"", "the file is empty"),
    ] {
        fs::create_dir(folder.path(complaint)).unwrap();
        let path = folder.path(&format!("{complaint}/{name}"));
        fs::write(&path, content).unwrap();
        for err in
            [train(&folder.path("games"), &path, "output"), train(&folder.path(complaint), &held_out, name)]
        {
            let told = [name, complaint].map(|told| err.contains(told));
            assert!(told == [true; 2] && err.matches(complaint).count() <= 2, "{name}: {err}");
            assert_eq!(err.trim().lines().count(), 1, "{name}: {err}");
        }
        assert!(!Path::new(&folder.path("output")).exists(), "{name}");
    }
    assert!(train(&folder.path("games"), "nowhere.zwd", "output").contains("nowhere.zwd"));
    assert!(train(&folder.path("nowhere"), &held_out, "elsewhere").contains("nowhere: "));
    let err = train(&folder.path("games"), &good, "twin");
    assert!(err.contains("training.zwd: the same data as the file for validation"), "{err}");

    let (games, output) = (folder.path("games"), folder.path("output"));
    for (flags, complaint) in [
        (["--hidden", "100"], "multiple of 32"),
        (["--positions", "0"], "--positions"),
        (["--positions", "18446744073709551615"], "too many positions"),
        (["--result-share", "0.5-1.5"], "0 to 1"),
        (["--result-share", "1e"], "expected a share from 0 to 1"),
        (["--batch", "0"], "--batch"),
        (["--window", "9"], "--window: expected the size of a batch, 16384,"),
        (["--shape", "square"], "cosine, constant"),
        (["--exponent", "0.5"], "1 to 4"),
        (["--start", "nowhere.zwt"], "nowhere.zwt"),
        (["--seed", "2"], "expected --positions, or --shape constant"),
        (["--seed", &held_out], "invalid digit"),
    ] {
        let args = ["train", "--stream", &games, "--validation", &held_out, "--output", &output];
        let shape = ["--first-ply", "0", "--shape", "constant"];
        let shape = if ["--shape", "--seed"].contains(&flags[0]) { &shape[..2] } else { &shape };
        let (_, err) = called(2, &[&args[..], shape, &flags].concat());
        assert!(err.contains(complaint), "{flags:?}: {err}");
        assert!(!Path::new(&output).exists(), "{flags:?}");
    }
}

#[test]
fn losses_of_evaluators_can_be_compared() {
    let folder = Ground::new("train-loss");
    folder.train(0, "first", &["--positions", "4000"]);
    let held_out = folder.path("validation.zwd");
    let (out, _) = called(0, &["data", "loss", &held_out, "--first-ply", "0"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[2].starts_with("classical  ") && lines[3].starts_with("search  "), "{out}");
    let end = lines[0].find("  least loss").unwrap();
    let is_loss = |row: &&str| row[..end].ends_with(|last: char| last.is_ascii_digit());
    assert!(lines[1..4].iter().all(|row| is_loss(row) && row[end..].starts_with("  ")), "{out}");
    let network = folder.network("first").display().to_string();
    let (out, _) = called(0, &["data", "loss", &held_out, "--first-ply", "0", "--network", &network]);
    assert!(out.lines().nth(1).unwrap().contains(".zwn  "), "{out}");
}

#[test]
fn positions_for_validation_may_be_a_multiple_of_the_batch() {
    let folder = Ground::new("train-multiple");
    for (output, batch) in [("exact", "500"), ("single", "1")] {
        let (data, held_out) = (folder.path("games"), folder.path("validation.zwd"));
        let args = ["train", "--stream", &data, "--validation", &held_out, "--output", &folder.path(output)];
        let more = "--hidden 32 --first-ply 0 --positions 500 --window 500 --tactical --batch";
        let more = more.split(' ').chain([batch]).collect::<Vec<_>>();
        let (out, _) = called(0, &[&args[..], &more].concat());
        assert!(out.contains("validation.zwd: 1000 of 1000 positions"), "{out}");
    }
}

#[test]
fn a_training_goes_on_when_nobody_reads_what_it_says() {
    let folder = Ground::new("train-unread");
    let args = folder.arguments("unread", &["--positions", "4000"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut training = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop((training.stdout.take(), training.stderr.take()));
    assert!(training.wait().unwrap().success());
    folder.network("unread");
}

#[test]
fn a_trunk_a_branch_and_a_finishing_stage_keep_the_moments() {
    let folder = Ground::new("train-branch");
    let trunk = &["--positions", "5000", "--shape", "constant", "--rate", "0.0008", "--exponent", "2.5"];
    folder.train(0, "trunk", trunk);
    let begin = |output: &str, flag: &str, from: &str, more: &[&str]| {
        let flags = ["--positions", "2500", flag, &folder.path(from), "--exponent", "2.5"];
        folder.train(0, output, &[&flags, more].concat());
        fs::read(folder.network(output)).unwrap()
    };
    let rates = ["--rate", "0.0008", "--final-rate", "0.000008"];
    let branch = begin("branch", "--branch", "trunk/checkpoint.zwt", &rates);
    assert!(branch != begin("weights", "--start", "trunk/checkpoint.zwt", &rates));
    let last = ["--rate", "0.00001", "--final-rate", "0.0000001", "--warm-up", "0", "--result-share", "0.4"];
    begin("finish", "--branch", "branch/checkpoint.zwt", &last);
    let network = Network::read(&folder.network("finish")).unwrap();
    let provenance: serde_json::Value = serde_json::from_str(network.provenance()).unwrap();
    let plan = &provenance["plan"];
    assert_eq!((&plan["start"]["moments"], &plan["schedule"]["exponent"]), (&true.into(), &2.5.into()));
    for (flags, complaint) in [
        (["--branch", &folder.path("trunk/checkpoint.zwt")], "expected 64 hidden neurons, got 32"),
        (["--branch", folder.network("trunk").to_str().unwrap()], "not a checkpoint"),
    ] {
        let args = folder.arguments_for("64", "refused", &[&flags[..], &["--positions", "9"]].concat());
        let (_, err) = called(2, &args.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(err.contains(complaint) && err.trim().lines().count() == 1, "{err}");
    }
}

#[test]
fn a_stream_takes_finished_files_and_goes_on_after_an_interruption() {
    let folder = Ground::new("train-stream");
    fs::create_dir(folder.path("shards")).unwrap();
    for (name, seed) in [("own-0001.zwd", 1), ("own-0002.zwd", 2), ("own-0003.zwd", 3)] {
        let mut records = games(2_000);
        records.rotate_left(seed * 100);
        write(&folder.path(&format!("shards/{name}")), &records);
    }
    let written = LockedFile::create_new(Path::new(&folder.path("shards/own-0004.zwd"))).unwrap().unwrap();
    let (shards, held_out) = (folder.path("shards"), folder.path("validation.zwd"));
    let train = |code, output: &str, more: &[&str]| {
        let usual =
            ["train", "--stream", &shards, "--validation", &held_out, "--hidden", "32", "--batch", "250"];
        let flags = ["--first-ply", "0", "--tactical", "--window", "3000", "--output", &folder.path(output)];
        called(code, &[&usual[..], &flags, more].concat())
    };
    let length = ["--positions", "12000", "--uses", "2"];
    let (out, _) = train(0, "whole", &length);
    assert!(out.contains("rounds of 3000 positions or more, 48 steps of 250"), "{out}");
    let network = Network::read(&folder.network("whole")).unwrap();
    let provenance: serde_json::Value = serde_json::from_str(network.provenance()).unwrap();
    let uses: Vec<_> = provenance["shards"].as_array().unwrap().iter().map(|shard| &shard["uses"]).collect();
    assert_eq!(uses, [2, 2, 2], "{provenance}");

    // All files are used up, and the training waits for more until it is interrupted.
    let endless = ["--shape", "constant"];
    let args = ["train", "--stream", &shards, "--validation", &held_out, "--hidden", "32", "--batch", "250"];
    let flags = ["--first-ply", "0", "--tactical", "--window", "3000", "--output", &folder.path("endless")];
    let mut child = command(&[&args[..], &flags, &endless].concat()).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(said.any(|line| line.contains("0 of 3000 positions are ready; waiting for more")));
    child.kill().unwrap();
    child.wait().unwrap();
    drop(written);
    fs::remove_file(folder.path("shards/own-0004.zwd")).unwrap();
    let mut more = games(4_000);
    more.rotate_left(777);
    write(&folder.path("shards/own-0004.zwd"), &more);
    // Nobody writes another file, so the training ends when this one is used up.
    let (out, err) = called(2, &[&args[..], &flags, &endless, &["--resume"]].concat());
    let row = |text: &str| out.lines().any(|row| row.trim_start().starts_with(text));
    assert!(row("1           6000 ") && row("2          10000 "), "{out}");
    assert!(err.contains("no file is left that was used less than 1 times"), "{err}");

    for (flags, complaint) in [
        (&[][..], "expected --positions, or --shape constant"),
        (&["--epochs", "3"], "unexpected argument '--epochs'"),
        (&["--positions", "1000", &held_out], "unexpected argument"),
    ] {
        let (_, err) = train(2, "refused", flags);
        assert!(err.contains(complaint), "{flags:?}: {err}");
    }
}
