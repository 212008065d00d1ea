//! Tests of `zugwerk play`.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use crate::calls::{called, file, fresh, printed, refused, start, stderr, stdout, with_input};

#[test]
fn a_person_can_play_and_leave() {
    let path = fresh("played.pgn");
    let args = ["play", "--plain", "--level", "1", "--pgn", path.to_str().unwrap()];
    let output = with_input(&args, "e2e4\nnonsense\nKe3\nundo\nundo\nd4\nfen\npgn\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("`nonsense` is neither a legal move nor a command"), "{text}");
    assert!(text.contains("You have no move to take back."), "{text}");
    let game = fs::read_to_string(&path).unwrap();
    assert!(game.contains("\n1. d4 ") && game.trim_end().ends_with('*'), "{game}");

    let output = with_input(&["play", "--plain", "--level", "1500"], "e4\nquit\n");
    assert!(stdout(&output).starts_with("Human - Zugwerk 1500."), "{}", stdout(&output));

    let output = with_input(&args, "e4\nresign\n");
    assert!(stdout(&output).contains("0-1 (resignation)"));
    let games = zugwerk::chess::pgn::read_games(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(games.len(), 2, "the second game was appended");
}

#[test]
fn the_commands_of_a_person_do_what_they_say() {
    let kept = fresh("kept.pgn");
    let ask = |input: &str| {
        let output = with_input(&["play", "--plain", "--level", "1", "--seed", "1"], input);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let text = ask(&format!("moves\neval\nhint\nhint\nsave {}\nsave\nBb3\nNe4\n", kept.display()));
    assert!(text.contains("Na3") && text.contains(" h4\n"), "{text}");
    for part in [
        " for you\n",
        ", and `hint` again shows the line.",
        " for you: 1. ",
        "The game so far is in ",
        "`save` needs the name of a file",
        "`Bb3`: no bishop can go to b3. To b3 you can play b3.",
        "`Ne4`: no knight can go to e4. To e4 you can play e4.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(fs::read_to_string(&kept).unwrap().contains("[Result \"*\"]"));
    // Its opponent is a queen down, and agrees; or up, and does not.
    let draw = |fen: &str| stdout(&with_input(&["play", "--plain", "--level", "1", fen], "draw\n"));
    assert!(draw("3qk3/8/8/8/8/8/8/4K3 w - - 0 1").contains("Your opponent plays on."));
    assert!(draw("4k3/7p/8/8/8/8/7P/3QK3 w - - 0 1").contains("1/2-1/2 (draw by agreement)"));
}

#[test]
fn a_game_of_chess960_says_so() {
    let fen = "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1";
    for (players, input) in
        [(&["--level", "1"][..], "O-O\n"), (&["--white", "random", "--black", "random"], "")]
    {
        let text = stdout(&with_input(&[&["play", "--plain", "--seed", "1", fen], players].concat(), input));
        assert_eq!(text.matches("[Variant \"Chess960\"]").count(), 1, "{text}");
    }
    let text = stdout(&with_input(&["play", "--plain", "--level", "1"], "e4\n"));
    assert!(text.contains("[Event ") && !text.contains("[Variant "), "{text}");
}

#[test]
fn a_game_is_appended_after_an_empty_line() {
    for (earlier, between) in [
        ("", ""),
        ("1. d4 d5 1-0", "\n\n"),
        ("1. d4 d5 1-0\n", "\n"),
        ("1. d4 d5 1-0\r\n", "\n"),
        ("1. d4 d5 1-0\n\n", ""),
        ("1. d4 d5 1-0\r\n\r\n", ""),
    ] {
        let path = file("appended.pgn", earlier.as_bytes());
        let args = ["play", "--plain", "--level", "1", "--pgn", path.to_str().unwrap()];
        assert_eq!(with_input(&args, "e4\nresign\n").status.code(), Some(0));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&format!("{earlier}{between}[Event ")), "{earlier:?}: {text}");
    }
}

/// Plays until the program has answered 1. e4, and closes its output.
fn begun_without_reader(pgn: &Path) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zugwerk"))
        .args(["play", "--plain", "--level", "1", "--pgn", pgn.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"e4\n").unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map(Result::unwrap).any(|line| line.starts_with("1... ")), "it answers");
    child
}

#[test]
fn a_game_is_saved_when_nobody_reads() {
    let path = fresh("unread.pgn");
    let mut child = begun_without_reader(&path);
    child.stdin.as_mut().unwrap().write_all(b"d4\nNf3\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let game = fs::read_to_string(&path).unwrap();
    assert!(game.contains("\n1. e4 ") && game.trim_end().ends_with('*'), "{game}");
    assert_eq!(game.matches("[Event ").count(), 1, "{game}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_a_game_when_nobody_reads() {
    let path = fresh("unread-interrupted.pgn");
    let mut child = begun_without_reader(&path);
    // The prompt after the board is written by then, or its error ends the game.
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let game = fs::read_to_string(&path).unwrap();
    assert!(game.contains("\n1. e4 ") && game.trim_end().ends_with('*'), "{game}");
    assert_eq!(game.matches("[Event ").count(), 1, "{game}");
}

/// Every write to `/dev/full` fails, but it can be opened.
#[cfg(target_os = "linux")]
#[test]
fn a_game_that_cannot_be_saved_is_printed() {
    let ends_with_the_game = |output: &Output| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let (text, error) = (stdout(output), stderr(output));
        assert!(text.contains("\n[Event ") && text.contains("\n1. e4 ") && text.ends_with(" *\n"), "{text}");
        assert!(!text.contains("The game is in"), "{text}");
        assert!(
            error.starts_with("zugwerk: cannot write /dev/full: ") && error.lines().count() == 1,
            "{error}"
        );
    };
    let args = ["play", "--plain", "--level", "1", "--pgn", "/dev/full"];
    ends_with_the_game(&with_input(&args, "e4\nquit\n"));
    let mut child = start(&args);
    child.stdin.as_mut().unwrap().write_all(b"e4\n").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("\n1... ") {
        assert_ne!(output.read_line(&mut text).unwrap(), 0, "it answers");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    // The input stays open until the program has ended.
    let input = child.stdin.take();
    output.read_to_string(&mut text).unwrap();
    let ended = child.wait_with_output().unwrap();
    drop(input);
    ends_with_the_game(&Output { stdout: text.into_bytes(), ..ended });
}

/// The match ends with the game, and its result is told.
#[cfg(target_os = "linux")]
#[test]
fn a_game_between_programs_that_cannot_be_saved_is_printed() {
    let args = ["play", "startpos", "--white", "greedy", "--black", "random", "--games", "3", "--seed", "1"];
    let complaint = "zugwerk: cannot write /dev/full: ";
    let (text, error) = called(2, &[&args[..], &["--pgn", "/dev/full"]].concat());
    assert!(text.matches("[Event ").count() == 1 && text.contains("\n1. "), "{text}");
    assert!(text.trim_end().lines().last().unwrap().starts_with("greedy against random: "), "{text}");
    assert!(text.contains(" of 1 ("), "{text}");
    assert!(error.starts_with(complaint) && error.lines().count() == 1, "{error}");
}

#[test]
fn resigning_against_a_bare_king_is_a_draw() {
    let args = ["play", "4k3/8/8/8/8/8/8/R3K2Q w - - 0 1", "--plain", "--level", "1"];
    let text = stdout(&with_input(&args, "resign\n"));
    assert!(text.contains("1/2-1/2 (resignation, but the opponent cannot mate)"), "{text}");
    let tags = ["[Result \"1/2-1/2\"]", "[Termination \"resignation\"]"];
    assert!(tags.iter().all(|tag| text.contains(tag)), "{text}");
}

/// The limit on the size of files stands for a full disk: both let a write end in the middle of a game.
#[cfg(unix)]
#[test]
fn a_game_that_does_not_fit_in_the_file_is_not_begun() {
    let path = fresh("full.pgn");
    let script = "trap '' XFSZ; ulimit -f 12; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args([
        "-c",
        script,
        env!("CARGO_BIN_EXE_zugwerk"),
        "play",
        "--white",
        "random",
        "--black",
        "random",
    ]);
    let output = command.args(["--games", "50", "--seed", "1", "--pgn"]).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let games = fs::read_to_string(&path).unwrap();
    assert!(games.contains("[Event ") && games.ends_with("\n\n"), "{games}");
    let mut last = games.trim_end().rsplit(' ').next().unwrap().rsplit('\n');
    assert!(["1-0", "0-1", "1/2-1/2"].contains(&last.next().unwrap()), "{games}");
}

#[test]
fn a_person_is_understood_and_can_begin_again() {
    let path = fresh("again.pgn");
    let args = ["play", "--plain", "--level", "1", "--seed", "1", "--pgn", path.to_str().unwrap()];
    let output = with_input(&args, "nf3\nTakeBack\n1. c4\nflip\nnew\n E2-E4 \nN f3\nquit\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("    h  g  f  e  d  c  b  a \n"), "{text}");
    let games = fs::read_to_string(&path).unwrap();
    assert!(
        games.contains("\n1. c4 ") && games.contains("\n1. e4 ") && games.contains(" 2. Nf3 "),
        "{games}"
    );
    assert!(!games.contains("????"), "the date is known: {games}");
}

/// The program's answer shows the board, so the person's move does not.
#[test]
fn a_board_is_shown_once_a_move() {
    let boards = |input: &str| {
        let args = ["play", "--plain", "--level", "1", "--seed", "1"];
        stdout(&with_input(&args, input)).matches("    a  b  c  d  e  f  g  h \n").count()
    };
    assert_eq!(["", "e4\n", "e4\nd4\n", "e4\nnonsense\n", "e4\nfen\nboard\n"].map(boards), [1, 2, 3, 2, 3]);
}

/// The board, the game and its FEN can still be seen, and another game can begin.
#[test]
fn the_prompt_stays_after_the_end_of_a_game() {
    let path = fresh("ended.pgn");
    let args = ["play", "--plain", "--white", "human", "--black", "human", "--pgn", path.to_str().unwrap()];
    let output = with_input(&args, "f3\ne5\ng4\nQh4\nhint\nfen\nnew\nd4\nresign\nresign\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let (_, after) = text.split_once("0-1 (checkmate)\nThe game is in ").expect(&text);
    assert!(after.contains("new or quit> The game is over: `new` begins another, `undo` goes on"), "{text}");
    assert!(after.contains("new or quit> rnb1kbnr/"), "{text}");
    assert_eq!(text.matches("The game is in ").count(), 2, "{text}");
    let page = path.with_extension("html");
    let command = format!(
        "To see its mistakes: {} analyse {} --html {}\n",
        env!("CARGO_BIN_EXE_zugwerk"),
        path.display(),
        page.display()
    );
    assert_eq!(text.matches(&command).count(), 2, "{text}");
    let games = zugwerk::chess::pgn::read_games(fs::File::open(&path).unwrap()).unwrap();
    let results: Vec<_> = games.into_iter().map(|game| game.unwrap().result).collect();
    assert_eq!(results, ["0-1", "1-0"]);
}

/// The game goes on before the move that is taken back, and is saved again at its next end.
#[test]
fn a_game_that_is_over_goes_on_after_undo() {
    let path = fresh("undone.pgn");
    let both = ["play", "--plain", "--white", "human", "--black", "human", "--pgn", path.to_str().unwrap()];
    let output = with_input(&both, "f3\ne5\ng4\nQh4\nundo\nd5\nresign\n");
    let text = stdout(&output);
    let (_, after) = text.split_once("0-1 (checkmate)\n").expect(&text);
    assert!(after.contains("Black> ") && after.contains("0-1 (resignation)"), "{text}");
    let games = zugwerk::chess::pgn::read_games(fs::File::open(&path).unwrap()).unwrap();
    let ends: Vec<_> = games
        .into_iter()
        .map(|game| {
            game.map(|game| (game.moves().len(), game.tag("Termination").unwrap().to_owned())).unwrap()
        })
        .collect();
    assert_eq!(ends, [(4, "checkmate".to_owned()), (4, "resignation".to_owned())]);
    let mate = ["play", "--plain", "--fen", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "--level", "1"];
    let text = stdout(&with_input(&mate, "Ra8\nundo\nfen\n"));
    assert!(text.contains("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), "only the own move was taken back: {text}");
}

#[test]
fn programs_meet() {
    let text = printed(&[
        "play",
        "startpos",
        "--white",
        "prototype:2",
        "--black",
        "random",
        "--games",
        "4",
        "--seed",
        "3",
    ]);
    assert!(text.starts_with("prototype:2 against random: 4 of 4"), "{text}");
    let game = printed(&["play", "--white", "random", "--black", "minimax:1", "--seed", "3"]);
    assert!(game.contains("[White \"random\"]") && game.contains("[Termination "), "{game}");
    assert_eq!(game, printed(&["play", "--white", "random", "--black", "minimax:1", "--seed", "3"]));
    let limited = ["play", "--white", "elo:950", "--black", "greedy", "--seed", "5"];
    let game = printed(&limited);
    assert!(game.contains("[White \"Zugwerk 950\"]"), "{game}");
    assert_eq!(game, printed(&limited), "the same seed is the same game");
}

/// No game of a seed is a game of another one.
#[test]
fn seeds_have_no_game_in_common() {
    let games = |seed: u32| {
        let (pgn, seed) = (fresh("seeds.pgn"), seed.to_string());
        let players = ["play", "startpos", "--white", "random", "--black", "random", "--games", "3"];
        printed(&[&players[..], &["--seed", &seed, "--pgn", pgn.to_str().unwrap()]].concat());
        let games = zugwerk::chess::pgn::read_games(fs::read(&pgn).unwrap().as_slice()).unwrap();
        games.into_iter().map(|game| format!("{:?}", game.unwrap().moves())).collect::<Vec<_>>()
    };
    let different: std::collections::HashSet<String> = (1..=5).flat_map(games).collect();
    assert_eq!(different.len(), 15);
}

/// Each game has an opening of its own, so no game is played twice, not even between equal players.
#[test]
fn games_between_programs_differ() {
    let pgn = file("different.pgn", b"");
    let players = ["--white", "minimax:1", "--black", "minimax:1", "--seed", "7"];
    let args = [&["play", "--games", "20", "--pgn", pgn.to_str().unwrap()], &players[..]].concat();
    assert!(printed(&args).starts_with("minimax:1 against minimax:1: "));
    let text = fs::read_to_string(&pgn).unwrap();
    let games = zugwerk::chess::pgn::read_games(text.as_bytes()).unwrap();
    let games: Vec<_> = games.into_iter().map(|game| game.unwrap()).collect();
    let different: std::collections::HashSet<String> =
        games.iter().map(|game| format!("{} {:?}", game.start.fen(), game.moves())).collect();
    assert_eq!((games.len(), different.len()), (20, 20));
    assert!(text.contains("[Round \"20\"]"), "{text}");
    // A person plays one game.
    refused(&["play", "--games", "2"]);
}

/// Every opening is played with both colours in a row, and with equal players once. When games repeat that is
/// told.
#[test]
fn openings_are_played_with_both_colours_before_games_repeat() {
    let played = |black: &str, games: &str, more: &[&str]| {
        let pgn = fresh("few.pgn");
        let players = ["play", "--white", "search:1", "--black", black, "--seed", "1"];
        let flags = ["--games", games, "--pgn", pgn.to_str().unwrap()];
        let (_, said) = called(0, &[&players[..], &flags, more].concat());
        let games = zugwerk::chess::pgn::read_games(fs::read(&pgn).unwrap().as_slice()).unwrap();
        let starts: Vec<String> = games.into_iter().map(|game| game.unwrap().start.fen()).collect();
        (starts, said)
    };
    for (black, legs) in [("search:2", 2), ("search:1", 1)] {
        let (starts, told) = played(black, "4", &[]);
        let different: std::collections::HashSet<_> = starts.iter().collect();
        assert_eq!((different.len(), told.as_str()), (4 / legs, ""));
        assert!(starts.chunks(legs).all(|chunk| chunk[0] == chunk[legs - 1]), "{starts:?}");
        let (_, told) = played(black, "3", &["startpos"]);
        let after = format!("zugwerk: the games repeat after game {legs}: all begin with one position");
        assert!(told.starts_with(&after), "{told}");
    }
}
