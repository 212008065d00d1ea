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
    chess::position::{PackedMove, Position},
    workshop::data::{Blocks, GameWriter, Header, Ply, Record, Termination, TrainingGame, Variant},
};

use crate::calls::{Folder, called, command, generate, records, refused};

/// The games that OpenBench brings home in its two forms, and one of `zugwerk match`; the second has no
/// result, the third no scores.
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
    assert_eq!(scores, [31, -25, 31997, -2, 50, -500], "for the side to move");
    assert_eq!(packed.last().unwrap().result(), KnownOutcome::from_winner(Some(Color::Black)));
    assert_eq!(Blocks::open(Path::new(&path("games.zwd"))).unwrap().header().variant, Variant::Chess960);
}

/// The last position tells how the game ended, if it ended by the rules.
#[test]
fn packed_games_know_their_ends() {
    let folder = Folder::new("data-ends");
    let path = |name: &str| folder.path(name);
    let game = |fen: &str, moves: &str, result: &str| {
        let moves = moves.replace(';', " {+0.10/9 0.01s}");
        format!("[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n{moves} {result}\n\n")
    };
    let start = Position::default().fen();
    let shuffle = "1. Nf3; Nf6; 2. Ng1; Ng8; 3. Nf3; Nf6; 4. Ng1; Ng8;";
    let pgn = [
        game(&start, "1. f3; e5; 2. g4; Qh4#;", "0-1"),
        game("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "1. Qf7;", "1/2-1/2"),
        game("7k/8/6K1/8/8/8/5p2/8 w - - 99 70", "1. Kh6;", "1/2-1/2"),
        game("7k/8/8/8/8/8/5p2/6K1 w - - 0 1", "1. Kxf2;", "1/2-1/2"),
        game(&start, shuffle, "1/2-1/2"),
        game(&start, "1. e4;", "1-0"),
        game(&start, shuffle, "1-0"),
    ];
    fs::write(path("games.pgn"), pgn.concat()).unwrap();
    called(0, &["data", "pack", &path("games.pgn"), "--output", &path("games.zwd")]);
    let bytes = fs::read(path("games.zwd")).unwrap();
    let block = bytes.windows(4).position(|bytes| bytes == b"ZWGB").unwrap();
    let mut games = &bytes[block + 28..];
    let mut endings = Vec::new();
    while !games.is_empty() {
        endings.push(TrainingGame::read(&mut games).unwrap().ending);
    }
    let expected = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::FiftyMoves,
        Termination::InsufficientMaterial,
        Termination::Repetition,
        Termination::Unknown,
        Termination::Unknown,
    ];
    assert_eq!(endings, expected);
}

/// A game that no reader would take is left out, and the games after it can be read.
#[test]
fn a_game_without_an_end_is_left_out() {
    let folder = Folder::new("data-long");
    let path = |name: &str| folder.path(name);
    let there = ["Nf3", "Nf6", "Ng1", "Ng8"].map(|text| format!("{text} {{+0.10/9 0.01s}} "));
    let long = there.concat().repeat(3001);
    let pgn = format!("[Result \"1-0\"]\n\n{long}1-0\n\n[Result \"1-0\"]\n\n1. e4 {{+0.10/9 0.01s}} 1-0\n");
    fs::write(path("games.pgn"), pgn).unwrap();
    let (out, err) = called(0, &["data", "pack", &path("games.pgn"), "--output", &path("games.zwd")]);
    assert!(err.contains(": game 1: more than 12000 plies; left out\n"), "{err}");
    assert!(out.contains("1 position of 1 game"), "{out}");
    called(0, &["data", "verify", &path("games.zwd")]);
}

/// Labels that are wrong teach the opposite.
#[test]
fn a_result_that_is_contradicted_is_named() {
    let folder = Folder::new("data-contradicted");
    let path = |name: &str| folder.path(name);
    let scored = |moves: &str| moves.replace(';', " {+0.10/9 0.01s}");
    let mate = scored("1. f3; e5; 2. g4; Qh4#;");
    let pgn = format!(
        "[Result \"1-0\"]\n\n{mate} 1-0\n\n[Result \"1-0\"]\n\n{} 0-1\n\n[Result \"1-0\"]\n\n{} 1-0\n\n\
         [Result \"1-0\"]\n\n{} 1-0\n",
        scored("1. e4; e5;"),
        scored("1. e4; Ke4; 2. d4;"),
        scored("1. d4; d5;"),
    );
    fs::write(path("games.pgn"), pgn).unwrap();
    let (out, err) = called(0, &["data", "pack", &path("games.pgn"), "--output", &path("games.zwd")]);
    for part in [
        "game 1: the result is 1-0, but the last position is 0-1, which counts",
        "game 2: the tag Result is 1-0, but the moves end with 0-1; left out",
        "game 3: cut at move 1: illegal Ke4; left out",
        "3 games have a result that is contradicted",
        "2 games left out",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
    assert!(out.contains("6 positions of 2 games"), "{out}");
    let results: Vec<_> = records(&path("games.zwd")).iter().map(Record::result).collect();
    assert_eq!(results[3], KnownOutcome::from_winner(Some(Color::Black)));
    assert_eq!(results[5], KnownOutcome::from_winner(Some(Color::White)));
    called(0, &["data", "verify", &path("games.zwd")]);
}

/// Files that other programs have packed may have such games.
#[test]
fn a_wrong_result_in_a_file_is_invalid() {
    let folder = Folder::new("data-wrong-result");
    let path = folder.path("wrong.zwd");
    let mut position = Position::default();
    let plies = ["f2f3", "e7e5", "g2g4", "d8h4"].map(|uci| {
        let m = position.find_move(uci).unwrap();
        position.play(m);
        Ply { played: PackedMove::new(m).unwrap(), score: 0 }
    });
    let won = KnownOutcome::from_winner(Some(Color::White));
    let game = TrainingGame::new(&Position::default(), plies.to_vec(), won, Termination::Unknown).unwrap();
    let mut writer = GameWriter::create(Path::new(&path), &Header::new("test")).unwrap();
    writer.write(&game);
    writer.end_game(1).unwrap();
    writer.finish().unwrap();
    let (out, _) = called(1, &["data", "verify", &path]);
    assert!(out.contains("4 positions of 1 game, 1 invalid"), "{out}");
}

/// The message says where the damage is and how much before it is whole; the file can be cut there and
/// continued.
#[test]
fn reading_ends_at_the_first_damaged_block() {
    let folder = Folder::new("data-damaged");
    let file = folder.path("games.zwd");
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
    let (_, err) = called(2, &["data", "loss", &file]);
    assert!(err.contains(&message), "{err}");
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

/// A game that the rules do not allow is damage.
#[test]
fn a_game_that_cannot_be_played_is_damage() {
    let folder = Folder::new("data-unplayable");
    let (sound, ill) = (folder.path("sound.zwd"), folder.path("ill.zwd"));
    generate(&sound, "100", &[]);
    let start = Position::default();
    let ply = Ply { played: PackedMove::new(start.find_move("e2e4").unwrap()).unwrap(), score: 0 };
    let twice = TrainingGame::new(&start, vec![ply; 2], KnownOutcome::Draw, Termination::Unknown).unwrap();
    let mut writer = GameWriter::create(Path::new(&ill), &Header::new("a test")).unwrap();
    writer.write(&twice);
    writer.finish().unwrap();
    let at = Blocks::open(Path::new(&ill)).unwrap().position();
    let (_, err) = called(2, &["data", "loss", &sound, &ill]);
    let damaged = format!("ill.zwd: the block at byte {at} is damaged; the 0 positions before it");
    assert!(err.contains(&damaged), "{err}");
}

#[test]
fn nonsense_is_refused() {
    let folder = Folder::new("data-refused");
    let (file, text, new) = (folder.path("games.zwd"), folder.path("lines.txt"), folder.path("new.zwd"));
    generate(&file, "1", &[]);
    fs::write(&text, "nonsense\n").unwrap();
    for args in [
        &["datagen", &file, "--positions", "9"][..],
        &["datagen", &new, "--positions", "9", "--double-chess960", "110%"],
        &["datagen", &file, "--positions", "9", "--resume", "--seed", "2"],
        &["datagen", &new, "--positions", "9", "--threads", "0"],
        &["datagen", &new, "--positions", "9", "--hash", "1000000", "--threads", "1000"],
        &["datagen", &text, "--positions", "9", "--resume"],
        &["data", "show", &text],
        &["data", "verify", &new],
        &["data", "pack", &text, "--output", &new],
        &["data", "pack", &text],
    ] {
        refused(args);
        let _ = fs::remove_file(&new);
    }
    for tool in ["datagen", "data"] {
        let (help, _) = called(0, &[tool, "--help"]);
        assert!(help.contains(&format!("  zugwerk {tool} ")) && help.contains("Exit codes:"), "{help}");
    }
}

/// A limit on the size of files stands for it. The file has its name only when it is complete.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_with_the_name_of_the_output() {
    const LIMITED: &str = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let folder = Folder::new("data-full");
    let (games, new) = (folder.path("games.pgn"), folder.path("new.zwd"));
    fs::write(&games, "[Result \"1-0\"]\n\n1. e4 {+0.31} 1-0\n\n".repeat(100)).unwrap();
    let mut call = Command::new("sh");
    call.args(["-c", LIMITED, env!("CARGO_BIN_EXE_zugwerk"), "data", "pack", &games, "--output", &new]);
    let said = crate::calls::refusal(&mut call);
    assert!(said.starts_with(&format!("zugwerk: cannot write {new}: ")), "{said}");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1, "nothing is left of it");
}

/// It could command a terminal.
#[test]
fn a_name_in_a_header_is_shown_without_control_characters() {
    let folder = Folder::new("data-control");
    let games = folder.path("games.zwd");
    GameWriter::create(Path::new(&games), &Header::new("a\u{1b}[2Jb")).unwrap().finish().unwrap();
    let (shown, _) = called(0, &["data", "show", &games]);
    assert!(shown.contains("by `a [2Jb`") && !shown.contains('\u{1b}'), "{shown}");
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
        &["data", "loss"],
        &["train", "--stream", &path(""), "--output", &path("net"), "--positions", "9", "--validation"],
    ] {
        let said = crate::calls::refusal(&mut piped(args));
        assert!(said.contains("/dev/stdin: expected a regular file"), "{args:?}: {said}");
    }
    let output = piped(&["data", "verify"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// Another run with the same output may have finished first, after hours.
#[test]
#[cfg(unix)]
fn a_file_that_was_made_meanwhile_stays_and_so_does_the_result() {
    let folder = Folder::new("data-meanwhile");
    let to = folder.path("to.zwd");
    let mut call = command(&["data", "pack", "/dev/stdin", "--output", &to]);
    let mut run = call.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_dir(folder.path("")).unwrap().count() == 0 {
        thread::sleep(Duration::from_millis(5));
    }
    fs::write(&to, "mine").unwrap();
    let game = b"[Result \"1-0\"]\n\n1. e4 {+0.31} 1-0\n";
    run.stdin.take().unwrap().write_all(game).unwrap();
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
    for tool in ["verify", "show"] {
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
