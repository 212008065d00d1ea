use std::io;

use super::*;

/// An input that gives a few bytes at a time.
struct Slow<'a>(&'a [u8], usize);

impl io::Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.1);
        self.0.read(&mut buffer[..count])
    }
}

/// The games of `pgn`. They do not depend on how much of it is read at a time.
fn games_of(pgn: impl AsRef<[u8]>) -> Vec<Result<Game, BrokenGame>> {
    let whole = read_games(pgn.as_ref()).unwrap();
    for count in [8, 50].map(|least: usize| least.max(pgn.as_ref().len() / 40)) {
        let in_parts: Vec<_> = Games::new(Slow(pgn.as_ref(), count)).map(Result::unwrap).collect();
        assert_eq!(format!("{in_parts:?}"), format!("{whole:?}"), "{count}");
    }
    whole
}

/// The first game of `pgn`.
fn first(pgn: impl AsRef<[u8]>) -> Result<Game, BrokenGame> {
    games_of(pgn).remove(0)
}

fn read(pgn: impl AsRef<[u8]>) -> Game {
    first(pgn).unwrap()
}

/// Reads and rewrites a game; returns its movetext on one line.
fn rewritten(movetext: &str) -> String {
    let text = read(format!("[White \"W\"]\n\n{movetext}")).to_pgn();
    text.split_once("\n\n").unwrap().1.trim().replace('\n', " ")
}

/// The first fault of the first game: a cut without its words about the rest, or the reason why there is no
/// game.
fn fault(pgn: &str) -> String {
    first(pgn).map_or_else(|broken| broken.reason, |game| game.cut.unwrap_or_else(|| game.faults[0].clone()))
}

#[test]
fn nothing_is_lost_between_reading_and_writing() {
    let movetext = "{Before all} {and more} 1. e4 $1 $36 {c1} ( {first} 1. d4 $2 d5 ( 1... Nf6 {deep} 2. c4 ( 2. Nf3 ) ) \
                    2. c4 ) {c2} ( 1. c4 ) 1... e5 $6 2. -- -- 3. Nf3 {end} 1-0";
    assert_eq!(rewritten(movetext), movetext);
    let game = read("[Event \"a \\\"b\\\" \\\\\"]\n[White \"W\"]\n[X \"y\"]\n\n1. e4 e5 1-0");
    assert_eq!(game.tag("Event"), Some("a \"b\" \\"));
    let again = read(game.to_pgn());
    assert_eq!((again.tag("Event"), again.tag("X")), (game.tag("Event"), game.tag("X")));
    assert_eq!((again.movetext, again.result), (game.movetext, game.result));
}

/// Many files contain such tags, and python-chess writes them.
#[test]
fn a_quote_in_a_tag_needs_no_backslash() {
    for (line, value) in [
        (r#"[Event "The "Big" Open"]"#, r#"The "Big" Open"#),
        (r#"[Event "The "Big"" ] "#, r#"The "Big""#),
        (r#"[Event ""Big" \"Open\""]"#, r#""Big" "Open""#),
        (r#"[Event "a "b"] c"]"#, r#"a "b"] c"#),
        (r#"[Event "C:\"]"#, r"C:\"),
        (r#"[Event "]"#, "(none)"),
        (r#"[Event "a" b]"#, "(none)"),
        (r#"["a "b""]"#, "(none)"),
    ] {
        let game = read(format!("{line}\r\n[White \"W\"]\n\n1. e4 1-0\n"));
        let again = read(game.to_pgn());
        assert_eq!((game.tag("White"), again.tag("White")), (Some("W"), Some("W")), "{line}");
        assert_eq!(again.to_pgn(), game.to_pgn());
        if value == "(none)" {
            assert_eq!(
                (game.tag("Event"), &*game.faults[0]),
                (None, &*format!("expected a tag, got {line}"))
            );
            assert!(game.to_pgn().contains(&format!("\n\n{{{line}}} 1. e4 1-0")), "{}", game.to_pgn());
        } else {
            assert_eq!((game.tag("Event"), again.tag("Event")), (Some(value), Some(value)), "{line}");
        }
    }
    let game = read("[White \"A\"] [Black \"B \\\"C\\\"\"] [Event \"E\"]\n\n1. e4 1-0\n");
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("A"), Some("B \"C\"")));
}

#[test]
fn moves_positions_and_remarks_are_those_of_the_text() {
    let game = read("1. e4 $1 $14 {a} (1. d4) (1. c4 d5) {b} 1... -- 2. Nf3 *");
    let moves = game.moves();
    let ucis = ["e2e4", "g1f3"].map(|uci| Position::default().find_move(uci).ok());
    assert_eq!(moves, [ucis[0], None, ucis[1]]);
    let fens: Vec<_> = game.positions().iter().map(Position::fen).collect();
    assert_eq!(fens[0], Position::default().fen());
    assert_eq!(fens[3], "rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 2");
    let first = &game.movetext.moves[0];
    assert_eq!(first.glyphs().collect::<Vec<_>>(), [1, 14]);
    assert_eq!(first.comments().collect::<Vec<_>>(), ["a", "b"]);
    let lengths: Vec<_> = first.variations().map(|line| line.moves.len()).collect();
    assert_eq!(lengths, [1, 2]);
    let plain: Movetext = ucis.into_iter().flatten().collect();
    assert_eq!(plain.moves.iter().map(|annotated| annotated.m).collect::<Vec<_>>(), ucis);
}

#[test]
fn other_ways_of_writing_are_understood() {
    let cases = [
        ("1.e4! e5?! 2.Nf3!!Nc6??", "1. e4 $1 e5 $6 2. Nf3 $3 Nc6 $4 *"),
        ("1. e2-e4 e7e5 2. Ng1-f3 0000 3. Z0 +/-", "1. e4 e5 2. Nf3 -- 3. -- $16 *"),
        ("1. e4 ; to the end } of the line\ne5 1–0", "1. e4 ; to the end } of the line 1... e5 1-0"),
        ("1. e4 {two\n\nlines}\n% escaped }\n1... e5 ½-½", "1. e4 {two lines} 1... e5 1/2-1/2"),
        ("1. e4 {a { b} e5 (1... c5 1-0) *", "1. e4 {a { b} 1... e5 ( 1... c5 {1-0} ) *"),
        ("1. e4 (1. d4 (1. c4", "1. e4 ( 1. d4 ( 1. c4 ) ) *"),
        ("1. e4 e5 1-0 {White wins} $18\n", "1. e4 e5 {White wins} $18 1-0"),
        ("1. e4 {} e5 $255 $300 0-1", "1. e4 e5 $255 $300 0-1"),
        ("1. e4 e5 1:0", "1. e4 e5 1-0"),
        ("1. e4 e5 ½:½", "1. e4 e5 1/2-1/2"),
        ("1. e4 e5 1 - 0", "1. e4 e5 1-0"),
        ("1. e4 e5 1/2 -\t1/2 {drawn}", "1. e4 e5 {drawn} 1/2-1/2"),
        ("1. e4 e5 0 –1; White resigns", "1. e4 e5 {White resigns} 0-1"),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 00 00 *", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *"),
        (
            "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 000! OOO (5... o-o-o) *",
            "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O $1 O-O-O ( 5... O-O-O ) *",
        ),
        ("1. e4 N □ e5 =", "1. e4 $146 $7 e5 $10 *"),
        ("1. e4= e5+- 2. Nf3-+ Nc6± *", "1. e4 $10 e5 $18 2. Nf3 $19 Nc6 $16 *"),
        (
            "1. Nf3 d6 2. g3=/+! g6□ 3. Bg2 e5 4. 0-0=+ *",
            "1. Nf3 d6 2. g3 $15 $1 g6 $7 3. Bg2 e5 4. O-O $15 *",
        ),
        ("1. e4 1… e5 (1 … c5) 2.…Nf3 *", "1. e4 e5 ( 1... c5 ) 2. Nf3 *"),
        // Check and mate may be words.
        ("1. e4 f5 2. Qh5 ch g6 3. Qxg6ch hxg6 *", "1. e4 f5 2. Qh5+ g6 3. Qxg6+ hxg6 *"),
        ("1. e4 f5 2. Qh5 + g6 *", "1. e4 f5 2. Qh5+ g6 *"),
        ("1. e4 d5 2. Bb5 ch. c6 *", "1. e4 d5 2. Bb5+ c6 *"),
        ("1. f3 e5 2. g4 Qh4 mate {b} 0-1", "1. f3 e5 2. g4 Qh4# {b} 0-1"),
        ("1. f3 e5 2. g4 Qh4mate! (2... Qh4 ++) 0-1", "1. f3 e5 2. g4 Qh4# $1 ( 2... Qh4# ) 0-1"),
        // A novelty, not a promotion.
        ("1. Nf3 Nf6 2. Ng1(N) *", "1. Nf3 Nf6 2. Ng1 ( $146 ) *"),
        ("% a\n1. e4\n% e5\n1... d5 *", "1. e4 d5 *"),
    ];
    for (movetext, written) in cases {
        assert_eq!(rewritten(movetext), written);
    }
}

#[test]
fn the_seven_tags_come_first_and_the_start_last() {
    let mut game = read(
        "[X \"y\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n[SetUp \"1\"]\n[White \"W\"]\n\n1. Ra2 1-0",
    );
    game.set_tag("Event", "a\tb\u{a0}c\u{1}d");
    let tags = "[Event \"a b c?d\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"W\"]\n\
                [Black \"?\"]\n[Result \"1-0\"]\n[X \"y\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n";
    assert_eq!(game.to_pgn(), format!("{tags}\n1. Ra2 1-0\n\n"));
    // They tell of every start that is not the usual one.
    let start = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n";
    game.tags.clear();
    assert!(game.to_pgn().contains(start), "{}", game.to_pgn());
    game.set_tag("FEN", game.start.fen());
    assert!(game.to_pgn().contains(start), "{}", game.to_pgn());
}

#[test]
fn lines_are_as_long_as_they_may_be() {
    let movetext = |pgn: &str| read(pgn).to_pgn().split_once("\n\n").unwrap().1.to_owned();
    let a = |count: usize| vec!["a"; count].join(" ");
    for (begin, fitting) in [("1. e4 {aa", 35), ("1. e4 {aaa", 34)] {
        let written = movetext(&format!("{begin} {}}} 1... e5 *", a(90)));
        let lines = format!("{begin} {}\n{}\n{}}} 1... e5 *\n\n", a(fitting), a(40), a(50 - fitting));
        assert_eq!(written, lines);
    }
    let long = "a".repeat(100);
    let written = movetext(&format!("{{{long} {long}}} 1. e4 *"));
    assert_eq!(written, format!("{{{long}\n{long}}}\n1. e4 *\n\n"));
}

#[test]
fn a_comment_never_escapes_a_line() {
    for mark in ['%', '\u{feff}'] {
        let comment = format!("word {mark}escaped ").repeat(20);
        let movetext = format!("1. e4 {{{}}} 1... e5 *", comment.trim());
        let text = read(&movetext).to_pgn();
        assert!(text.lines().all(|line| !line.starts_with(mark)), "{text}");
        assert!(text.lines().count() > 10, "{text}");
        assert_eq!(rewritten(&movetext), movetext);
    }
}

/// The reader takes a line that begins with `[Event "` for the next game, also within a comment.
#[test]
fn no_line_of_a_comment_begins_like_another_game() {
    for length in 60..80 {
        let movetext = format!("1. e4 {{{} [Event \"x\"]}} 1... e5 *", "a".repeat(length));
        assert_eq!(read(read(&movetext).to_pgn()).movetext, read(&movetext).movetext, "{length}");
    }
}

#[test]
fn move_numbers_never_wrap() {
    let text =
        "[FEN \"4k3/8/8/8/8/8/8/R3K3 b - - 0 4294967295\"]\n[SetUp \"1\"]\n\n1... Ke7 2. Ra2 Ke8 3. Ra1 *";
    let text = read(text).to_pgn();
    assert!(text.ends_with("4294967295... Ke7 4294967296. Ra2 Ke8 4294967297. Ra1 *\n\n"), "{text}");
}

#[test]
fn the_tag_tells_of_results_that_the_board_does_not_know() {
    let result = |tag: &str, end: &str| read(format!("[Result \"{tag}\"]\n\n1. e4 {end}")).result;
    assert_eq!((result("1-0", "*"), result("1-0", "")), ("1-0".into(), "1-0".into()));
    assert_eq!((result("*", "0-1"), result("nonsense", "")), ("0-1".into(), "*".into()));
    assert_eq!((result("0:1", ""), result("½–½", "")), ("0-1".into(), "1/2-1/2".into()));
    assert_eq!((result("0 - 1", ""), result("1/2 - 1/2", "")), ("0-1".into(), "1/2-1/2".into()));
}

/// An input that fails ends the games with its error.
#[test]
fn an_error_of_reading_is_the_last_item() {
    struct Failing;
    impl io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let mut games = Games::new(io::Read::chain(Slow(b"1. e4 *\n\n1. d4 *\n\n1. c4\n", 9), Failing));
    assert!(games.next().unwrap().unwrap().is_ok());
    assert!(games.next().unwrap().unwrap().is_ok());
    assert_eq!(games.next().unwrap().unwrap_err().to_string(), "unplugged");
    assert!(games.next().is_none());
}

#[test]
fn games_end_where_they_end() {
    let lengths = |pgn: &str| -> Vec<usize> {
        let games = games_of(pgn);
        games.into_iter().map(|game| game.unwrap().movetext.moves.len()).collect()
    };
    assert_eq!(lengths("1. e4 *\n\n1. e4 e5 *"), [1, 2]);
    assert_eq!(lengths("1. e4 * 1. e4 e5 1-0"), [1, 2]);
    assert_eq!(lengths("1. e4 1/2 1. e4 e5 1/2 - 1/2 1. c4 1 - 0"), [1, 2, 1]);
    assert_eq!(lengths("\u{feff}% x\n\n1. e4\n\n1. d4 d5\n[Event \"E\"]\n1. c4 c5 2. g3"), [1, 2, 3]);
    assert_eq!(lengths("[Event \"E\"]\r\n\r\n1. e4 e5\r\n\r\n[Event \"F\"]\r\n\r\n1. d4 *\r\n"), [2, 1]);
    assert_eq!(lengths("[Event \"no moves\"]\n\n[Event \"some\"]\n\n1. e4 *"), [0, 1]);
    assert_eq!(lengths("[Event \"E\"]\n\n[White \"W\"]\n\n1. e4 *"), [1], "an empty line among the tags");
    assert_eq!(lengths("[Event \"E\"]\n[Event \"F\"]\n\n1. e4 *"), [1], "no empty line, no other game");
    assert_eq!(lengths("[Event \"E\"]\n"), [0]);
    assert_eq!(lengths(""), [0; 0]);
    for zeros in ["\0\0", "\n\0\0", "\n\n\0\0\n\n"] {
        assert_eq!(
            lengths(&format!("1. e4 1-0{zeros}[Event \"E\"]\n\n1. e4 e5{zeros}")),
            [1, 2],
            "a power failure"
        );
    }
    let joined = "\u{feff}[Event \"E\"]\n\n1. e4 *\n\n\u{feff}[Event \"F\"]\n\n1. d4 d5 *\n";
    assert_eq!(lengths(joined), [1, 2], "two files that were joined");
}

/// The movetext of the games of `pgn` on one line each, or their text if they are broken.
fn rewritten_games(pgn: &str) -> Vec<String> {
    let games = games_of(pgn).into_iter();
    let movetext = |game: Game| game.to_pgn().split_once("\n\n").unwrap().1.trim().replace('\n', " ");
    games.map(|game| game.map_or_else(|broken| broken.text, movetext)).collect()
}

#[test]
fn comments_before_and_between_the_tags_belong_to_the_game() {
    for (pgn, expected) in [
        ("[X \"y\"]\n{Between} ; tags\n[Z \"z\"]\n\n1. e4 *", &["{Between} {tags} 1. e4 *"][..]),
        ("; A file\n; of games\n\n[X \"y\"]\n\n{Before} 1. e4 *", &["{A file} {of games} {Before} 1. e4 *"]),
        ("[X \"y\"] ; A\n\n% x\n{B}\n\n [Z \"z\"]\n\n{C}\n\n1. e4 *", &["{A} {B} {C} 1. e4 *"]),
        ("[X \"y\"]\n\n{A}\n\n[X \"z\"]\n\n1. e4 *", &["{A} *", "1. e4 *"]),
        ("[X \"y\"] % A\n[Z \"z\"]\n\n1. e4 *", &["{% A} *", "1. e4 *"]),
        ("1. e4 *\n\n{Two\nlines}\n% x\n[X \"y\"]\n1. d4 *", &["1. e4 *", "{Two lines} 1. d4 *"]),
        ("; A\n\n[X y]\n\n1. e4 *\n\n1. d4 *", &["{A} {[X y]} 1. e4 *", "1. d4 *"]),
        ("{no end\n[Event \"E\"]\n\n1. e4 *", &["{no end", "1. e4 *"]),
    ] {
        assert_eq!(rewritten_games(pgn), expected, "{pgn}");
    }
    let game = read("[White \"W\"]\n{A}\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 *");
    assert_eq!((game.tag("White"), game.movetext.moves.len(), game.start.ply()), (Some("W"), 1, 59));
    let game = read("; A\n\n[White \"W\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 *");
    assert_eq!((game.tag("White"), game.movetext.moves.len(), game.start.ply()), (Some("W"), 1, 59));
}

#[test]
fn an_empty_line_among_the_moves_ends_no_game() {
    for (pgn, expected) in [
        ("1. e4 {a} e5\n\n2. Nf3 Nc6 1-0", &["1. e4 {a} 1... e5 2. Nf3 Nc6 1-0"][..]),
        ("1. e4\r\n\r\n1... e5\r\n \r\n% x\r\n\r\n2. Nf3 *", &["1. e4 e5 2. Nf3 *"]),
        ("1. e4\n\n1. ... e5\n\n\n1-0\n\n1. d4 *", &["1. e4 e5 1-0", "1. d4 *"]),
        ("1. e4\n\n1.. e5 *", &["1. e4 e5 *"]),
        ("1. e4\n\n1 - 0\n\n1. d4 *", &["1. e4 1-0", "1. d4 *"]),
        ("1. e4\n\n1… e5 *", &["1. e4 e5 *"]),
        ("1. e4 e5\n\n(1... c5\n\n2. Nf3)\n\n{b}\n\n2. Nf3", &["1. e4 e5 ( 1... c5 2. Nf3 ) {b} 2. Nf3 *"]),
        ("[X \"y\"]\n\n{Before}\n\n1. e4 *", &["{Before} 1. e4 *"]),
        ("1. e4\n\n{the end}\n\n[X \"y\"]\n\n1. d4 *", &["1. e4 {the end} *", "1. d4 *"]),
        ("1. e4\n\n{the end}\n[X \"y\"]\n\n1. d4 *", &["1. e4 {the end} *", "1. d4 *"]),
        ("1. e4\n\n{the end}", &["1. e4 {the end} *"]),
        ("1. e4\n\n1. d4\n\n; Three\n1.c4 c5\n\n", &["1. e4 *", "1. d4 *", "{Three} 1. c4 c5 *"]),
        ("1. e4 Ke4\n\n2. d4\n\n1. d4 *", &["1. e4 {Ke4 2. d4} *", "1. d4 *"]),
        ("1. e4 (\n\n1. d4 d5) 1... e5 1-0\n\n1. c4 *", &["1. e4 ( 1. d4 d5 ) 1... e5 1-0", "1. c4 *"]),
        ("1. e4 e5 (\n\n1. d4) 2. d4 1-0\n\n1. c4 *", &["1. e4 e5 {( 1. d4)} 2. d4 1-0", "1. c4 *"]),
        ("1. e4 Ke4 (\n\n1. d4 *) 2. d4 *\n1. c4", &["1. e4 {Ke4 ( 1. d4 *) 2. d4} *", "1. c4 *"]),
    ] {
        assert_eq!(rewritten_games(pgn), expected, "{pgn}");
    }
    let many = "1. e4".to_owned() + &"\n\n{c}\n\n\n".repeat(20_000) + "e5 *";
    assert_eq!(read(&many).movetext.moves.len(), 2, "and it is read in time");
}

#[test]
fn all_tags_are_kept() {
    let start = Position::default().fen();
    for tags in [
        "[X \"a\"]\n[Event \"F\"]\n[X \"b\"]\n[X \"a\"]\n".to_owned(),
        format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n"),
        format!("[SetUp \"0\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n"),
        "[SetUp \"0\"]\n".to_owned(),
    ] {
        let roster = "[Event \"E\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
                      [Black \"?\"]\n[Result \"*\"]\n";
        let text = format!("{roster}{tags}\n1. e4 *\n\n");
        assert_eq!(read(&text).to_pgn(), text);
        assert_eq!(read(&text).tag("Event"), Some("E"), "the first counts");
    }
}

/// Long lines of memory for every position would be quadratic.
#[test]
fn positions_keep_only_recent_history() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(500);
    let positions = read(format!("1. e4 e5 {shuffle} 1002. Nf3 *")).positions();
    assert_eq!(positions.len(), 2004);
    let plies = positions.iter().map(Position::plies_played);
    assert_eq!(plies.max(), Some(100));
    assert!(positions[..6].iter().all(|position| !position.has_repeated()));
    assert!(!positions[9].is_repetition(0) && positions[10].is_repetition(0), "the third time");
    assert!(positions[2003].is_repetition(0));
    assert_eq!(positions[2003].halfmoves(), 2001);
}

#[test]
fn captures_en_passant_may_be_called_so() {
    for mark in [" e.p.", "e.p.", " ep", "ep", "e.p.!", " e.p", "e.p", "e.p!"] {
        let sign = if mark.ends_with('!') { " $1" } else { "" };
        let movetext = format!("1. e4 a6 2. e5 d5 3. exd6{mark} {{b}} cxd6 *");
        assert_eq!(
            rewritten(&movetext),
            format!("1. e4 a6 2. e5 d5 3. exd6{sign} {{b}} 3... cxd6 *"),
            "{mark}"
        );
        if mark.starts_with(' ') {
            assert!(fault(&format!("1. e4{mark} e5 *")).starts_with("move 1: "), "{mark}");
        }
    }
    let start = "[FEN \"8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n\n";
    for mark in ["ep+", " ep+", "ep +", "e.p.+", " e.p.+", "e.p.ch", " ep ch", "+ ep", "+ep", "ep+!"] {
        let written = read(format!("{start}1. exd6{mark} *")).to_pgn();
        let sign = if mark.ends_with('!') { " $1" } else { "" };
        assert!(written.ends_with(&format!("\n\n1. exd6+{sign} *\n\n")), "{mark}: {written}");
    }
}

/// Scoresheets leave out what one legal move makes clear. Where several fit, the question names them.
#[test]
fn the_shorthand_of_scoresheets_is_read_where_one_move_fits() {
    for (movetext, expected) in [
        ("1. e4 d5 2. ed Qxd5 *", "1. e4 d5 2. exd5 Qxd5 *"),
        ("1. e4 d5 2. exd QxP 3. Nc3 *", "1. e4 d5 2. exd5 Qxd5 3. Nc3 *"),
        ("1. e4 Nc6 2. d4 NxP 3. QxN *", "1. e4 Nc6 2. d4 Nxd4 3. Qxd4 *"),
        ("1. e4 Nf6 2. e5 d5 3. ed *", "1. e4 Nf6 2. e5 d5 3. exd6 *"),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. castles 0-0 *", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *"),
        ("1. Nf3 d5 2. Nbc3 *", "1. Nf3 d5 2. Nc3 *"),
        ("[FEN \"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. ab+ *", "1. axb8=Q+ *"),
    ] {
        assert_eq!(read(movetext).faults, [""; 0], "{movetext}");
        assert!(read(movetext).to_pgn().trim_end().ends_with(expected), "{}", read(movetext).to_pgn());
    }
    let two_pawns = "[FEN \"4k3/8/8/3p1p2/2P1P3/5N2/8/4K3 w - - 0 1\"]\n\n1. PxP *";
    let said = fault(two_pawns);
    assert!(said.contains("move 1: ambiguous PxP, which may be cxd5 or exd5 or exf5"), "{said}");
    assert!(fault("1. d4 d5 2. Nf3 Nf6 3. Nd2 *").contains("ambiguous Nd2, which may be Nbd2 or Nfd2"));
    assert!(fault("1. e4 d5 2. NxP *").contains("move 2: unreadable NxP"), "no move fits");
}

#[test]
fn null_moves_have_many_names() {
    for name in ["--", "Z0", "0000", "@@@@", "<>", "null", "NULL", "pass"] {
        assert_eq!(
            rewritten(&format!("1. e4 {name} 2. d4 ( 2. {name} e5 ) 2... {name} *")),
            "1. e4 -- 2. d4 ( 2. -- e5 ) 2... -- *"
        );
    }
}

/// Informant's signs, in plain text and as ChessBase writes them.
#[test]
fn signs_are_no_results_and_no_moves() {
    for (text, expected) in [
        ("1. e4 e5 +-- 2. Nf3 --+ Nc6+--", "1. e4 e5 $20 2. Nf3 $21 Nc6 $20 *"),
        ("1. e4 TN e5 → 2. Nf3 ⊕ Nc6⇆", "1. e4 $146 e5 $40 2. Nf3 $138 Nc6 $132 *"),
        ("1. e4 /\\Qd2 e5 ∆d5 2. Nf3", "1. e4 {/\\Qd2} 1... e5 {∆d5} 2. Nf3 *"),
    ] {
        assert_eq!(games_of(format!("[White \"W\"]\n\n{text}")).len(), 1, "{text}");
        assert_eq!(rewritten(text), expected);
    }
}

#[test]
fn what_a_fen_cannot_mean_is_named() {
    let faults = read("[FEN \"4k3/8/8/44/8/8/8/4K2R w KQ e6 0 1\"]\n\n1. O-O *").faults;
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.starts_with("the FEN has ")), "{faults:?}");
    let sound = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    assert_eq!(read(format!("[FEN \"{sound}\"]\n\n2. Nf3 *")).faults, [""; 0]);
}

/// Other programs have results of games that were not played, and words for them. The tag stays as it is.
#[test]
fn results_of_other_programs_are_kept() {
    for (tag, end, result) in [
        ("+:-", "1-0", "1-0"),
        ("-:+", "0-1", "0-1"),
        ("=:=", "1/2-1/2", "1/2-1/2"),
        ("1-0F", "1-0", "1-0"),
        ("0-1 (forfeit)", "0-1", "0-1"),
        ("1-0 ff", "1-0", "1-0"),
        ("0-0", "*", "*"),
        ("-:-", "*", "*"),
        ("forfeit", "*", "*"),
        ("0:1", "0-1", "0-1"),
        ("abandoned", "*", "*"),
    ] {
        for moves in ["1. e4 e5 ", ""] {
            for said in [tag, end, ""] {
                // Which is no word of movetext.
                if said == "abandoned" {
                    continue;
                }
                let pgn = format!("[Event \"E\"]\n[Result \"{tag}\"]\n\n{moves}{said}\n");
                assert_eq!(games_of(&pgn).len(), 1, "{pgn}");
                let game = read(pgn);
                assert_eq!((&*game.result, &game.faults[..]), (result, &[][..]), "{moves}{said}");
                let written = game.to_pgn();
                assert!(written.contains(&format!("[Result \"{tag}\"]\n\n{moves}{end}\n\n")), "{written}");
                assert_eq!(read(&written).to_pgn(), written);
            }
        }
    }
    let lengths =
        |pgn: &str| games_of(pgn).iter().map(|game| game.as_ref().unwrap().moves().len()).collect::<Vec<_>>();
    assert_eq!(
        lengths(
            "[Event \"E\"]\n\n+:-\n\n[Event \"F\"]\n\n0-0\n\n1. e4 -:- 1. d4 d5 0 - 0 1. c4 forfeit\n1. c4"
        ),
        [0, 0, 1, 2, 1, 1]
    );
    assert_eq!(
        rewritten("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 0-0"),
        "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *"
    );
    for behind in ["Nf6 3. d4 1-0", "{soon} 2... Nf6 1-0", "1-0"] {
        let pgn = format!("[Event \"E\"]\n\n1. e4 e5 2. 0-0 {behind}\n");
        assert_eq!(games_of(&pgn).len(), 1, "{pgn}");
        let game = read(pgn);
        assert_eq!((game.cut.as_deref(), &*game.result), (Some("move 2: illegal 0-0"), "1-0"), "{behind}");
    }
}

#[test]
fn a_result_that_contradicts_the_tag_is_kept_and_named() {
    for (tag, end) in [("1-0", "0-1"), ("1-0", "*"), ("+:-", "0-1"), ("*", "1-0"), ("0-0", "1-0")] {
        let game = read(format!("[Result \"{tag}\"]\n\n1. e4 {end}\n"));
        assert_eq!(game.faults, [format!("the tag Result is \"{tag}\", but the moves end with {end}")]);
        let written = game.to_pgn();
        assert!(written.contains(&format!("[Result \"{tag}\"]\n\n1. e4 {end}\n\n")), "{written}");
    }
}

#[test]
fn what_cannot_be_read_of_a_game_is_kept_as_a_comment() {
    for (moves, written, fault) in [
        // A variation.
        (
            "1. e4 (1. Ke4 {a} (1. d4) e5) e5 *",
            "1. e4 ; (1. Ke4 {a} (1. d4) e5) 1... e5 *",
            "move 1: illegal Ke4; that variation",
        ),
        (
            "1. e4 (1. d4 d5 (1... Kd4) 2. c4) e5 *",
            "1. e4 ( 1. d4 d5 {(1... Kd4)} 2. c4 ) 1... e5 *",
            "move 1: illegal Kd4; that variation",
        ),
        ("(1. e4) 1. d4 *", "{(1. e4)} 1. d4 *", "a variation before any move; that variation"),
        ("1. e4 (hello) e5 *", "1. e4 {(hello)} 1... e5 *", "move 1: unreadable hello; that"),
        ("1. e4 (1. Kd4", "1. e4 {(1. Kd4} *", "move 1: illegal Kd4; that"),
        // The end of the game.
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bxc7 Nf6 1-0 {end}",
            "1. e4 e5 2. Nf3 Nc6 {3. Bxc7 Nf6} {end} 1-0",
            "move 3: illegal Bxc7",
        ),
        (
            "1. e4 {a} e5 2. Ke3 {as it\nis} (2. d4) 2... d6 *",
            "1. e4 {a} 1... e5 ; 2. Ke3 {as it is} (2. d4) 2... d6 *",
            "move 2: illegal Ke3",
        ),
        (
            "1. d4 d5 2. Nf3 Nf6 3. Nd2 e6 1/2-1/2",
            "1. d4 d5 2. Nf3 Nf6 {3. Nd2 e6} 1/2-1/2",
            "move 3: ambiguous Nd2",
        ),
        ("1. d4 d5 2. Nf3 Nf6 3. ♘d2", "1. d4 d5 2. Nf3 Nf6 {3. ♘d2} *", "move 3: ambiguous ♘d2"),
        ("Ke2 e5 1-0", "{Ke2 e5} 1-0", "move 1: illegal Ke2"),
        // Smaller things.
        ("1. e4 ) e5 *", "1. e4 e5 *", "an unmatched closing parenthesis"),
        ("1. e4 $ e5 $70000 *", "1. e4 {$} 1... e5 {$70000} *", "expected a glyph's number, got $"),
        ("1. e4 {no end\n\n", "1. e4 {no end} *", "a comment without an end"),
        ("1. e4 (1. d4 {no", "1. e4 ( 1. d4 {no} ) *", "a comment without an end"),
    ] {
        let game = read(format!("[White \"W\"]\n\n{moves}"));
        let text = game.to_pgn();
        assert_eq!(text.split_once("\n\n").unwrap().1.trim().replace('\n', " "), written);
        assert!(self::fault(&format!("[White \"W\"]\n\n{moves}")).starts_with(fault), "{:?}", game.faults);
        let again = read(&text);
        assert!(again.faults.is_empty() && again.to_pgn() == text, "{text}");
    }
}

#[test]
fn a_broken_tag_loses_that_tag_alone() {
    for broken in
        ["[White Team \"X\"]", "[Site \"a", "[Site \"two\nlines\"]", "[]", "[Site]", "[\"x\"]", "[Site 'x']"]
    {
        let game = read(format!("[Event \"E\"]\n{broken}\n[White \"W\"]\n\n1. e4 *\n"));
        assert_eq!(
            (game.tag("Event"), game.tag("White"), game.moves().len()),
            (Some("E"), Some("W"), 1),
            "{broken}"
        );
        assert_eq!(game.faults.len(), 1, "{broken}: {:?}", game.faults);
        let words: Vec<&str> = game
            .movetext
            .before
            .iter()
            .map(|remark| match remark {
                Remark::Comment(text) => text.as_str(),
                _ => panic!("{remark:?}"),
            })
            .collect();
        assert_eq!(words, [broken.replace('\n', " ")]);
    }
}

/// Regression: a tag on several lines depended on how much of it was read at a time.
#[test]
fn a_tag_may_have_several_lines() {
    let game = read("[Event \"E\"]\n\n[\nWhite \n\"W\"\n]\n[Black \"B\"]\n\n1. e4 *");
    assert_eq!((game.tag("White"), game.tag("Black"), game.moves().len()), (Some("W"), Some("B"), 1));
    assert_eq!(
        games_of("[Event \"a test\"]\n\n[\n[Res \"0\"]\n[hite \"A\n[\n[Res \"0\"]\n\n1. e4 *").len(),
        1
    );
}

#[test]
fn names_of_tags_are_known_in_any_case() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30";
    for name in ["FEN", "Fen", "fen"] {
        let game =
            read(format!("[white \"W\"]\n[Setup \"1\"]\n[{name} \"{fen}\"]\n[eco \"C20\"]\n\n30... Kd7 *"));
        assert_eq!((game.start.fen(), game.moves().len(), game.tag("White")), (fen.into(), 1, Some("W")));
        let written = game.to_pgn();
        assert!(
            written.contains("[eco \"C20\"]\n[SetUp \"1\"]\n[FEN ") && written.matches("FEN").count() == 1,
            "{written}"
        );
    }
}

#[test]
fn figurines_and_promotions_in_brackets_are_moves() {
    let figurines = "1. ♙e4 ♟e5 2. ♘f3! ♞c6 3. ♗b5 ♘f6 4. 0-0 ♗e7 5. ♖e1 ♚f8 6. ♗xc6 ♛e8 *";
    let letters = "1. e4 e5 2. Nf3 $1 Nc6 3. Bb5 Nf6 4. O-O Be7 5. Re1 Kf8 6. Bxc6 Qe8 *";
    assert_eq!(rewritten(figurines), letters);
    let start = "[FEN \"1n2k3/P6P/8/8/8/8/8/4K3 w - - 0 1\"]\n\n";
    for (text, written) in [
        ("a8(Q)", "a8=Q"),
        ("a8(Q)! (1. h8(N) {c})", "a8=Q $1 ( 1. h8=N {c} )"),
        ("h8/R+", "h8=R+"),
        ("h7-h8(B)", "h8=B"),
        ("axb8(Q) ch", "axb8=Q+"),
        ("axb8=♕+", "axb8=Q+"),
        ("h8(Q)(1. a8(N))", "h8=Q+ ( 1. a8=N )"),
    ] {
        let game = read(format!("{start}1. {text} *")).to_pgn();
        let movetext = game.trim_end().rsplit("\n\n").next().unwrap();
        assert_eq!(movetext, format!("1. {written} *"));
    }
}

#[test]
fn escaped_lines_are_skipped_wherever_they_stand() {
    let game =
        read("% a\n[White \"W\"]\n% bc\n\n%\n[Black \"B\"]\n% [Event \"E\"]\n\n% d\n1. e4\n% e5\n1... d5 *");
    assert_eq!((game.tag("White"), game.tag("Black"), game.tag("Event")), (Some("W"), Some("B"), None));
    assert_eq!(game.movetext.moves.len(), 2);
}

#[test]
fn latin_1_and_windows_1252_are_recognised() {
    let pgn = b"[White \"M\xfcller\"]\n[Black \"M\xc3\xbcller\"]\n\n1. e4 {sch\xf6n} *\n\n";
    let game = read(pgn);
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("Müller"), Some("Müller")));
    assert_eq!(game.movetext.moves[0].comments().collect::<Vec<_>>(), ["schön"]);
    let pgn = b"[White \"\x8aahovi\xe6\"]\n\n1. e4 {Black\x92s \x84reply\x93 \x96 is late\x85} *\n\n";
    let written = read(pgn).to_pgn();
    assert!(written.contains("[White \"Šahoviæ\"]"), "{written}");
    assert!(written.contains("{Black’s „reply“ – is late…}"), "{written}");
}

#[test]
fn games_of_other_rules_are_refused_by_name() {
    let read = |variant: &str| first(format!("[Variant \"{variant}\"]\n\n1. e4 e5 *\n\n"));
    for chess in ["Standard", "Chess960", "chess 960", "Fischerandom", "From Position", "normal"] {
        assert!(read(chess).is_ok(), "{chess}");
    }
    let mut game = read("Standard").unwrap();
    game.set_chess960();
    assert_eq!(game.tags, [("Variant".to_owned(), "Chess960".to_owned())]);
    let refusal = read("Atomic").unwrap_err().to_string();
    assert_eq!(refusal, "game 1: expected chess or Chess960, got the variant \"Atomic\"");
}

#[test]
fn broken_games_are_named_and_kept_and_the_rest_is_read() {
    let first = "[White \"A\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 (2. Ke3 {as it\nis}) 0-0 2... d6 *";
    let second = "[White \"B\"]\n[FEN \"nonsense\"]\n\n1. e4 *";
    let pgn = format!("\n{first}\n\n{second}\n\nProse.\n[Event \"E\"]\n\n1. d4 *\n");
    let games = games_of(&pgn);
    assert_eq!(games.len(), 4);
    let broken: Vec<&BrokenGame> = games[..3].iter().map(|game| game.as_ref().unwrap_err()).collect();
    assert_eq!(broken.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(broken.iter().map(|game| game.text.as_str()).collect::<Vec<_>>(), [first, second, "Prose."]);
    assert!(broken[1].to_string().starts_with("game 2: cannot begin from \"nonsense\": "), "{}", broken[1]);
    assert_eq!(broken[2].reason, "move 1: unreadable Prose");
    assert_eq!(games[3].as_ref().unwrap().movetext.moves.len(), 1);

    let games = games_of("[White \"A\"]\n\n[Black\n\n1. e4 *");
    let lengths = games.iter().map(|game| game.as_ref().unwrap().moves().len());
    assert_eq!(lengths.collect::<Vec<_>>(), [0, 1], "after an empty line it is another game's");
}

#[test]
fn nonsense_is_named_and_never_fatal() {
    for (pgn, reason) in [
        ("; about the file", "neither tags nor moves"),
        ("prose with a bullet *", "move 1: unreadable prose"),
        ("{no end", "a comment without an end"),
        ("[Black\n", "expected a tag, got [Black"),
        ("1. e4 }", "move 1: unreadable }"),
        ("1. e4 none e5 *", "move 1: unreadable none"),
        ("1. e4 exd.p. e5 *", "move 1: unreadable exd"),
        ("1. e4 e5 2. Qh5 Ke7 3. Qxe5+ --", "move 3: illegal --"),
        ("1. e4 -- 2. -- -- 3. Nf3 Ke4 *", "move 3: illegal Ke4"),
        ("1. e4 1 -", "move 1: unreadable -"),
        ("1. e4 ch e5 *", "move 1: unreadable ch"),
        ("1. e4 mate *", "move 1: unreadable mate"),
        ("1. e4 e5 2. Qh5 g6 3. Qxe5 mate *", "move 3: unreadable mate"),
        ("1. e4 e5 2. O-O *", "move 2: illegal O-O"),
        ("1. e4 e5 2. e2e5 *", "move 2: illegal e2e5"),
        ("1. e4 \u{0}\u{7f}ß", "move 1: unreadable "),
    ] {
        assert!(fault(pgn).starts_with(reason), "{pgn}: {}", fault(pgn));
    }
    let nested = read("1. e4 ".to_owned() + &"(1. d4 (1. e4 ".repeat(5000));
    assert!(nested.faults[0].starts_with("more than 100 nested variations"), "{:?}", nested.faults);
    assert_eq!(read(nested.to_pgn()).to_pgn(), nested.to_pgn());
}

/// What was lost or misread of such games without a word.
#[test]
fn what_is_missing_in_a_game_is_named_and_the_rest_is_kept() {
    for (moves, count, fault) in [
        ("1. e4 e5 (1... c5 2. Nf3 d6 2. Nf3 Nc6 *", 2, "a variation without an end"),
        ("1. e4 e5 2. N f3 N c6 3. B b5 *", 5, ""),
        ("1. e4 e5 2. Nf3 N Nc6 *", 4, ""),
        ("1. e4‼ e5⁉ 2. Bc4⁈ Nc6⁇ 3. Bxf7† Ke7 *", 6, ""),
        ("1. e4⌓ e5ok 2. Nf3☺ Nc6 *", 4, ""),
        ("1. e4e5 e5 *", 0, "cut at move 1"),
        ("1. e4 e5 2. Nf3=X Nc6 *", 2, "cut at move 2"),
        ("1. Bb3 e5 2. Nf3 *", 0, "cut at move 1"),
    ] {
        let text = format!("[Event \"x\"]\n\n{moves}\n");
        let game = read_games(text.as_bytes()).unwrap().remove(0).unwrap();
        assert_eq!(game.movetext.moves.len(), count, "{moves}: {}", game.to_pgn());
        let faults = game.faults.join("; ");
        assert!(faults.contains(fault) && faults.is_empty() == fault.is_empty(), "{moves}: {faults}");
        let kept = game.to_pgn().replace(['\n', '{', '}'], " ");
        assert!(count > 0 || kept.contains(moves.trim_end_matches(" *")), "{moves}: {kept}");
    }
    let signs = read_games("[Event \"x\"]\n\n1. e4⁉ e5☺ *\n".as_bytes()).unwrap().remove(0).unwrap();
    let remarks = |ply: usize| format!("{:?}", signs.movetext.moves[ply].remarks);
    assert!(remarks(0).contains("Glyph(5)") && remarks(1).contains("☺"));
}
