//! Tests of files of training data from outside: what the subcommands of `data` show, check and refuse.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use shakmaty::{Color, KnownOutcome};
use zugwerk::{
    data::{
        Blocks, DataKind, GameWriter, Header, Ply, PositionWriter, Record, Termination, TrainingGame, Variant,
    },
    position::{PackedMove, Position},
};

use crate::calls::{Folder, called, command, generate, records, refused};

#[test]
fn positions_survive_as_text() {
    let folder = Folder::new("data-text");
    let path = |name: &str| folder.path(name);
    let one = path("one.zwd");
    generate(&one, "500", &["--seed", "1"]);
    let (text, _) = called(0, &["data", "text", &one]);
    fs::write(path("one.txt"), &text).unwrap();
    called(0, &["data", "pack", &path("one.txt"), "--output", &path("packed.zwd")]);
    assert_eq!(records(&path("packed.zwd")), records(&one));

    let line = "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 3 20 | 0 | 0.5 | e1g1\n";
    fs::write(path("960.txt"), text + line).unwrap();
    for (name, variant) in [("one", Variant::Standard), ("960", Variant::Chess960)] {
        let (text, packed) = (path(&format!("{name}.txt")), path(&format!("{name}-packed.zwd")));
        called(0, &["data", "pack", &text, "--output", &packed]);
        assert_eq!(Blocks::open(Path::new(&packed)).unwrap().header().variant, variant, "{name}");
        assert_eq!(records(&packed).len(), fs::read_to_string(&text).unwrap().lines().count(), "{name}");
    }
}

/// The games that OpenBench brings home in its two forms, and one of `zugwerk match`; the second has no result, the third no
/// scores.
#[test]
fn games_with_scores_become_training_data() {
    let folder = Folder::new("data-pgn");
    let path = |name: &str| folder.path(name);
    let pgn = "[Result \"1-0\"]\n\n1. e4 {+0.31 12/20 104 33333} 1... e5 {-0.25 11/17 90 20000} 2. Qh5 {+M3 9/9 5 700} 1-0\n\n\
               [Result \"*\"]\n\n1. d4 {+0.31} *\n\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
               [Result \"1/2-1/2\"]\n[FEN \"r1k2b1r/8/8/8/8/8/8/4K3 b ha - 0 1\"]\n\n1... Kd7 {-0.02} 1/2-1/2\n\n\
               [Result \"0-1\"]\n\n1. f4 {book} 1... e5 {+0.50/9 0.01s} 2. g4 {-5.00/9 0.01s} 0-1\n";
    fs::write(path("games.pgn"), pgn).unwrap();
    let (out, err) = called(0, &["data", "pack", &path("games.pgn"), "--output", &path("games.zwd")]);
    assert!(err.contains("2 games left out") && out.contains("6 positions of 3 games"), "{out}{err}");
    let packed = records(&path("games.zwd"));
    let scores: Vec<_> = packed.iter().map(Record::score).collect();
    assert_eq!(scores, [31, -25, 31995, -2, 50, -500], "for the side to move");
    assert_eq!(packed.last().unwrap().result(), KnownOutcome::from_winner(Some(Color::Black)));
    assert_eq!(Blocks::open(Path::new(&path("games.zwd"))).unwrap().header().variant, Variant::Chess960);
}

/// The message says where the damage is and how much before it is whole; the file can be cut there and continued.
#[test]
fn reading_ends_at_the_first_damaged_block() {
    let folder = Folder::new("data-damaged");
    let (file, new) = (folder.path("games.zwd"), folder.path("new.zwd"));
    generate(&file, "6000", &[]);
    let bytes = fs::read(&file).unwrap();
    let mut blocks = Blocks::open(Path::new(&file)).unwrap();
    let before = blocks.next().unwrap().unwrap().records.len();
    let second = blocks.position();
    let ends = std::iter::from_fn(|| Some(blocks.position()).filter(|_| blocks.next().is_some()));
    let last = ends.last().expect("more than one block");
    let mut damaged = bytes.clone();
    damaged[second as usize + 1000] ^= 1;
    fs::write(&file, &damaged).unwrap();
    let message =
        format!("the block at byte {second} is damaged; the {before} positions before it are whole");
    let (out, err) = called(1, &["data", "verify", &file]);
    assert!(err.contains(&message) && out.contains(&format!(" {before} positions of ")), "{out}{err}");
    let (_, err) = called(2, &["data", "shuffle", &file, "--output", &new]);
    assert!(err.contains(&message) && !Path::new(&new).exists(), "{err}");
    let resume = ["--positions", "6000", "--nodes", "100", "--hash", "1", "--resume"];
    let (_, err) = called(2, &[&["datagen", &file], &resume[..]].concat());
    assert!(
        err.contains(&format!("cut it there (on Linux: `truncate -s {second}`): `datagen --resume`")),
        "{err}"
    );
    fs::write(&file, &bytes[..second as usize]).unwrap();
    generate(&file, "6000", &["--resume"]);
    assert_eq!(fs::read(&file).unwrap(), bytes, "the other games are played again");

    fs::write(&file, &bytes[..bytes.len() - 5]).unwrap();
    let (_, err) = called(1, &["data", "show", &file]);
    assert!(err.contains("the last block, at byte ") && err.contains("`datagen --resume`"), "{err}");
    let run = ["datagen", &file, "--positions", "6000", "--nodes", "100", "--hash", "1", "--resume"];
    let (_, err) = called(0, &run);
    let (at, cut) = (last, bytes.len() as u64 - 5 - last);
    assert_eq!(
        err,
        format!(
            "zugwerk: {file}: cut off {cut} bytes at byte {at}, no whole block; the run plays their games again\n"
        )
    );
    assert_eq!(fs::read(&file).unwrap(), bytes, "the lost block is played again");
    assert_eq!(called(0, &run).1, "", "nothing to cut off");
}

/// `datagen` did not make it, so it cannot continue it.
#[test]
fn a_damaged_file_of_positions_is_to_be_made_again() {
    let folder = Folder::new("data-damaged-positions");
    let (games, file) = (folder.path("games.zwd"), folder.path("positions.zwd"));
    generate(&games, "500", &[]);
    called(0, &["data", "shuffle", &games, "--output", &file]);
    let bytes = fs::read(&file).unwrap();
    let behind = [&bytes[..], b"more"].concat();
    let mut damaged = behind.clone();
    damaged[bytes.len() - 9] ^= 1;
    for (bytes, told) in [
        (&damaged[..], "is damaged; the 0 positions before it are whole. Make the file again"),
        (&behind, "is incomplete or damaged; the "),
        (
            &bytes[..bytes.len() - 9],
            "is incomplete or damaged; the 0 positions before it are whole. Make the file again",
        ),
    ] {
        fs::write(&file, bytes).unwrap();
        let net = folder.path("net");
        for (code, args) in [
            (1, &["data", "verify", &file][..]),
            (2, &["train", &file, "--validation", &games, "--output", &net]),
        ] {
            let (_, err) = called(code, args);
            assert!(err.contains(told) && err.ends_with(" Make the file again\n"), "{err}");
        }
    }
}

/// A game that the rules do not allow is damage: it is named, and never copied.
#[test]
fn a_game_that_cannot_be_played_is_damage() {
    let folder = Folder::new("data-unplayable");
    let (sound, ill, new) = (folder.path("sound.zwd"), folder.path("ill.zwd"), folder.path("new.zwd"));
    generate(&sound, "100", &[]);
    let start = Position::default();
    let ply = Ply { played: PackedMove::new(start.find_move("e2e4").unwrap()).unwrap(), score: 0 };
    let twice = TrainingGame::new(&start, vec![ply; 2], KnownOutcome::Draw, Termination::Unknown).unwrap();
    let mut writer = GameWriter::create(Path::new(&ill), &Header::new(DataKind::Games, "a test")).unwrap();
    writer.write(&twice);
    writer.finish().unwrap();
    let at = Blocks::open(Path::new(&ill)).unwrap().position();
    let (_, err) = called(2, &["data", "shuffle", &sound, &ill, "--output", &new]);
    let damaged = format!("ill.zwd: the block at byte {at} is damaged; the 0 positions before it");
    assert!(err.contains(&damaged) && !Path::new(&new).exists(), "{err}");
}

#[test]
fn nonsense_is_refused() {
    let folder = Folder::new("data-refused");
    let (file, text, new) = (folder.path("games.zwd"), folder.path("lines.txt"), folder.path("new.zwd"));
    generate(&file, "1", &[]);
    fs::write(&text, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 0 | 0.5 | e1e2\nnonsense\n").unwrap();
    for args in [
        &["datagen", &file, "--positions", "9"][..],
        &["datagen", &new, "--positions", "9", "--double-chess960", "110%"],
        &["datagen", &file, "--positions", "9", "--resume", "--seed", "2"],
        &["datagen", &new, "--positions", "9", "--threads", "0"],
        &["datagen", &new, "--positions", "9", "--hash", "1000000", "--threads", "1000"],
        &["datagen", &text, "--positions", "9", "--resume"],
        &["data", "show", &text],
        &["data", "verify", &new],
        &["data", "text"],
        &["data", "pack", &text, "--output", &new],
        &["data", "shuffle", &file, "--output", &file],
        &["data", "shuffle", &file, "--output", &new, "--validation", &file],
        &["data", "shuffle", &file, "--output", &new, "--validation-share", "0.5"],
        &["data", "shuffle", &file],
    ] {
        refused(args);
        let _ = fs::remove_file(&new);
    }
    // No memory is large enough for its only line.
    fs::File::create(&text).unwrap().set_len(1 << 40).unwrap();
    let (_, err) = called(2, &["data", "pack", &text, "--output", &new]);
    assert!(err.contains("lines.txt line 1: expected `FEN | score | result | move`"), "{err}");
    for tool in ["datagen", "data"] {
        let (help, _) = called(0, &[tool, "--help"]);
        assert!(help.contains(&format!("  zugwerk {tool} ")) && help.contains("Exit codes:"), "{help}");
    }
}

#[test]
fn invalid_records_are_named_and_left_out() {
    let folder = Folder::new("data-invalid");
    let (good, bad) = (folder.path("good.zwd"), folder.path("bad.zwd"));
    generate(&good, "100", &[]);
    let made = records(&good);
    let mut writer =
        PositionWriter::create(Path::new(&bad), Header::new(DataKind::Positions, "a test")).unwrap();
    for (number, record) in made.iter().enumerate() {
        let mut bytes = record.to_bytes();
        if number % 2 == 1 {
            bytes[30..].copy_from_slice(&(55_u16 << 6).to_le_bytes()); // from a1 to h7
        }
        writer.write(Record::from_bytes(&bytes).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    let (out, err) = called(1, &["data", "text", &bad, &good]);
    let invalid = made.len() / 2;
    assert_eq!(out.lines().count(), 2 * made.len() - invalid);
    let message = format!("{bad}: {invalid} invalid positions left out; the first: the move is not legal");
    assert!(err.contains(&message) && err.lines().count() == 1, "{err}");
}

/// A limit on the size of files stands for it. The file has its name only when it is complete.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_with_the_name_of_the_output() {
    const LIMITED: &str = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let folder = Folder::new("data-full");
    let (games, lines, new) = (folder.path("games.zwd"), folder.path("lines.txt"), folder.path("new.zwd"));
    generate(&games, "1000", &[]);
    fs::write(&lines, called(0, &["data", "text", &games]).0).unwrap();
    for tool in [&["shuffle", &games], &["pack", &lines]] {
        let mut call = Command::new("sh");
        call.args(["-c", LIMITED, env!("CARGO_BIN_EXE_zugwerk"), "data"]).args(tool).args(["--output", &new]);
        let said = crate::calls::refusal(&mut call);
        assert!(said.starts_with(&format!("zugwerk: cannot write {new}: ")), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 2, "nothing is left of them");
}

/// It could command a terminal.
#[test]
#[cfg_attr(windows, ignore = "needs a file with such a name")]
fn a_name_in_a_header_is_shown_without_control_characters() {
    let folder = Folder::new("data-control");
    let (games, all) = (folder.path("a\u{1b}[2Jb.zwd"), folder.path("all.zwd"));
    generate(&games, "100", &[]);
    called(0, &["data", "shuffle", &games, "--output", &all]);
    let (shown, _) = called(0, &["data", "show", &all]);
    assert!(shown.contains("from a [2Jb.zwd: ") && !shown.contains('\u{1b}'), "{shown}");
}

#[test]
#[cfg(unix)]
fn what_is_read_more_than_once_is_no_pipe() {
    let folder = Folder::new("data-pipes");
    let path = |name: &str| folder.path(name);
    let games = path("games.zwd");
    generate(&games, "100", &[]);
    let bytes = fs::read(&games).unwrap();
    let piped = |args: &[&str]| {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(&bytes).unwrap();
        let mut call = command(&[args, &["/dev/stdin"]].concat());
        call.stdin(reader);
        call
    };
    for args in [
        &["data", "show"][..],
        &["data", "shuffle", "--output", &path("to.zwd")],
        &["data", "loss"],
        &["train", "--validation", &games, "--output", &path("net")],
    ] {
        let said = crate::calls::refusal(&mut piped(args));
        assert!(said.contains("/dev/stdin: expected a regular file"), "{args:?}: {said}");
    }
    for args in [["data", "verify"], ["data", "text"]] {
        let output = piped(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    }
}

/// Another run with the same output may have finished first, after hours.
#[test]
fn a_file_that_was_made_meanwhile_stays_and_so_does_the_result() {
    let folder = Folder::new("data-meanwhile");
    let to = folder.path("to.zwd");
    let mut call = command(&["data", "pack", "-", "--output", &to]);
    let mut run = call.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_dir(folder.path("")).unwrap().count() == 0 {
        thread::sleep(Duration::from_millis(5));
    }
    fs::write(&to, "mine").unwrap();
    let line = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0 | 0.5 | e2e4\n";
    run.stdin.take().unwrap().write_all(line).unwrap();
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let told = said.strip_prefix(&format!("zugwerk: cannot write {to}; the result is in "));
    let new = told.and_then(|told| told.split(": ").next()).unwrap_or_else(|| panic!("{said}"));
    assert_eq!((fs::read(&to).unwrap(), records(new).len()), (b"mine".to_vec(), 1));
}

#[test]
fn tools_end_quietly_when_nobody_reads() {
    let folder = Folder::new("data-closed");
    let file = folder.path("games.zwd");
    generate(&file, "2000", &[]);
    let unread = |args: &[&str]| {
        let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for tool in ["verify", "show", "text"] {
        assert_eq!(unread(&["data", tool, &file]), (Some(0), String::new()), "{tool}");
    }
    // The exit code is the result. It says the same without a reader.
    let damaged = folder.path("damaged.zwd");
    let suite = folder.path("suite.epd");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&damaged, bytes).unwrap();
    fs::write(&suite, "4k3/8/8/8/8/8/8/QQ2K3 w - - bm Kd1;\n").unwrap();
    for args in
        [&["data", "verify", &file, &damaged][..], &["epd", &suite, "--nodes", "100", "--require", "1"]]
    {
        let (code, err) = unread(args);
        assert_eq!(code, Some(1), "{args:?}: {err}");
        assert!(!args.contains(&"verify") || err.contains("damaged.zwd"), "all files are checked: {err}");
    }
}
