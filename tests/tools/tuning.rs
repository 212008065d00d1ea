//! Tests of `zugwerk tune` from outside: data in, weights out, and invalid input refused.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use rand::{SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use shakmaty::KnownOutcome;
use zugwerk::{
    data::{DataKind, GameWriter, Header, Ply, Termination, TrainingGame},
    eval::Material,
    position::{PackedMove, Position},
};

use crate::calls::{called, command, printed, refused, training_data, validation_data};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Random games with scores and results by material.
fn data(name: &str) -> PathBuf {
    let path = path(name);
    let _ = fs::remove_file(&path);
    let mut rng = StdRng::seed_from_u64(5);
    let mut writer = GameWriter::create(&path, &Header::new(DataKind::Games, "a test")).unwrap();
    for _ in 0..200 {
        let (mut position, mut plies) = (Position::default(), Vec::new());
        while let (true, Some(&m)) = (plies.len() < 150, position.legal_moves().choose(&mut rng)) {
            let balance = Material::balance(&position);
            let score = position.turn().fold_wb(balance, -balance);
            plies.push(Ply { played: PackedMove::new(m).unwrap(), score });
            position.play(m);
        }
        let winner = match Material::balance(&position) {
            ..-300 => Some(shakmaty::Color::Black),
            301.. => Some(shakmaty::Color::White),
            _ => None,
        };
        let result = KnownOutcome::from_winner(winner);
        let game = TrainingGame::new(&Position::default(), plies, result, Termination::Unknown);
        writer.write(&game.unwrap());
        writer.end_game(0).unwrap();
    }
    writer.finish().unwrap();
    path
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn weights_are_written_and_depend_on_the_seed_alone() {
    let data = data("tune.zwd");
    let fit = |name: &str, threads: &str| {
        let output = path(name);
        let args = ["--epochs", "3", "--batch", "2000", "--threads", threads, "-o", text(&output), "--force"];
        let printed = printed(&[&["tune", text(&data)], &args[..]].concat());
        (printed, fs::read_to_string(output).unwrap())
    };
    let (printed, weights) = fit("weights-1.rs", "1");
    for part in ["positions for training", "scale ", "midpoint", "validation", "best validation loss"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    let last_epoch = printed.lines().find(|line| line.starts_with("    3 ")).expect("three epochs");
    assert_eq!(
        last_epoch.split_whitespace().filter(|word| word.starts_with("0.0")).count(),
        3,
        "{last_epoch}"
    );
    assert!(weights.starts_with("//! The weights of the classical evaluator"));
    assert!(weights.contains("pub const MATERIAL_MG: [i16; 6]") && weights.contains("pub const KING_ATTACK"));
    assert_eq!(weights, fit("weights-2.rs", "2").1);
}

#[test]
fn no_epochs_fit_the_curves_alone() {
    let data = data("curves.zwd");
    let printed = printed(&["tune", text(&data), "--epochs", "0"]);
    assert!(printed.contains("midpoint"), "{printed}");
}

#[test]
fn bad_data_and_bad_flags_give_one_line_and_exit_code_2() {
    let data = data("refused.zwd");
    let foreign = path("foreign.zwd");
    fs::write(&foreign, "not data").unwrap();
    let data = text(&data);
    for args in [
        &[][..],
        &["/no/such/file"],
        &[text(&foreign)],
        &[data, "--without", "NO_SUCH_TERM"],
        &[data, "--result-share", "2"],
        &[data, "--validation-share", "0"],
        &[data, "--validation", data],
        &[data, "--threads", "0"],
        &[data, "--first-ply", "5000"],
        &[data, "--epochs", "0", "-o", "/no/such/folder/weights.rs"],
    ] {
        refused(&[&["tune"], args].concat());
    }
}

/// A torn file, and one with a flipped bit, are refused.
#[test]
fn damaged_data_write_nothing() {
    let whole = fs::read(data("whole.zwd")).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    for (name, bytes) in [("torn.zwd", &whole[..whole.len() - 100]), ("flipped.zwd", &flipped)] {
        let (damaged, weights) = (path(name), path("none.rs"));
        let _ = fs::remove_file(&weights);
        fs::write(&damaged, bytes).unwrap();
        let error = refused(&["tune", text(&damaged), "--epochs", "1", "-o", text(&weights)]);
        assert!(error.contains(name), "{error}");
        assert!(!weights.exists(), "{name}: nothing is written");
    }
}

#[test]
fn nobody_reading_is_no_panic() {
    let (data, weights) = (data("closed.zwd"), path("closed.rs"));
    let _ = fs::remove_file(&weights);
    for more in [&[][..], &["-o", text(&weights)]] {
        let mut call = command(&[&["tune", text(&data), "--epochs", "2"], more].concat());
        let mut child = call.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
    assert!(weights.exists(), "the weights are written all the same");
}

/// Shuffled positions cannot be split by games; the split must be made when shuffling.
#[test]
fn shuffled_data_need_a_validation_file() {
    let data = data("for-shuffle.zwd");
    let (shuffled, validation) = (path("shuffled.zwd"), path("for-validation.zwd"));
    for file in [&shuffled, &validation] {
        let _ = fs::remove_file(file);
    }
    let shuffle = ["data", "shuffle", text(&data), "--output", text(&shuffled)];
    called(0, &[&shuffle[..], &["--validation", text(&validation), "--validation-share", "0.2"]].concat());
    let tune = ["tune", text(&shuffled), "--epochs", "0"];
    assert!(refused(&tune).contains("expected --validation FILE"));
    called(0, &[&tune[..], &["--validation", text(&validation)]].concat());
}

#[test]
fn a_fit_that_diverges_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = training_data(folder.path());
    let weights = folder.path().join("weights.rs").display().to_string();
    let held_out = validation_data(folder.path());
    let flags = ["--validation", &held_out, "--first-ply", "0", "--rate", "3e38", "-o", &weights];
    let (_, said) = called(2, &[&["tune", &data], &flags[..]].concat());
    assert!(said.lines().count() == 1 && said.contains("not a number any more"), "{said}");
    assert!(!Path::new(&weights).exists());
}
