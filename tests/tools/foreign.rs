//! Tests of what other programs write. The files in `tests/games` were made by fastchess 1.8.2 and
//! cutechess-cli; both write mates as plies, and cutechess-cli says nothing of a last move that was not
//! thought about.

use zugwerk::{
    arena::record::from_games::{FoundMatch, Heading},
    chess::{
        pgn::{Game, read_games},
        remarks::{
            clocks, computer,
            engine_notes::{self, EngineNote},
        },
        value::{Score, mated_in},
    },
};

use crate::calls::{Folder, called, json};

const FASTCHESS: &str = include_str!("../games/fastchess-1.8.2.pgn");
const CUTECHESS: &str = include_str!("../games/cutechess-cli.pgn");

fn games(pgn: &str) -> Vec<Game> {
    read_games(pgn.as_bytes()).unwrap().into_iter().map(Result::unwrap).collect()
}

/// The moves to the mates that the players announced.
fn mates(game: &Game) -> Vec<i32> {
    let scores = engine_notes::values(game).into_iter().flatten().map(Score::from);
    let mates = scores.filter_map(|score| match score {
        Score::Mate(moves) => Some(moves),
        Score::Cp(_) => None,
    });
    mates.collect()
}

#[test]
fn mates_of_other_match_programs_are_read_as_plies() {
    let fastchess: [&[i32]; 5] = [&[-2, 2, -1], &[3, 2, -1, 1], &[4, -3], &[], &[2, -1, 1]];
    let cutechess: [&[i32]; 3] = [&[7, 5, 4, -3, 3, -2, 2, -1], &[4, -3, 3, -2, 2, -1, 1], &[2, -1]];
    assert_eq!(games(FASTCHESS).iter().map(mates).collect::<Vec<_>>(), fastchess);
    assert_eq!(games(CUTECHESS).iter().map(mates).collect::<Vec<_>>(), cutechess);
}

#[test]
fn comments_of_other_match_programs_are_read() {
    for (pgn, has_nodes) in [(FASTCHESS, true), (CUTECHESS, false)] {
        for game in games(pgn) {
            assert_eq!((game.faults.len(), game.cut.as_ref()), (0, None));
            let moves = game.moves().len();
            assert_eq!(game.tag("PlyCount"), Some(&*moves.to_string()));
            let notes: Vec<EngineNote> = engine_notes::of_game(&game).into_iter().flatten().collect();
            let said =
                if game.movetext.moves[moves - 1].comments().eq(["Black mates"]) { moves - 1 } else { moves };
            assert_eq!(notes.len(), said, "{:?}", game.tag("Round"));
            for note in notes.iter().filter(|note| **note != EngineNote::default()) {
                assert!(note.value.is_some() && note.depth.is_some() && note.time.is_some(), "{note:?}");
                assert_eq!(note.nodes.is_some(), has_nodes, "{note:?}");
            }
        }
    }
    let ends: Vec<String> = games(FASTCHESS)
        .iter()
        .map(|game| engine_notes::of_game(game).pop().flatten().unwrap().words)
        .collect();
    let said = [
        "White wins by adjudication",
        "Black mates",
        "Black wins by adjudication",
        "Draw by fifty moves rule",
        "White mates",
    ];
    assert_eq!(ends, said);
}

/// Two games of a round of fastchess are a pair; of cutechess-cli each game has a round of its own.
#[test]
fn games_of_other_match_programs_are_paired() {
    let numbers = |pgn| {
        let headings: Vec<Heading> = games(pgn).iter().map(Heading::of).collect();
        FoundMatch::of(&headings).unwrap().numbers
    };
    assert_eq!(numbers(FASTCHESS), [0, 1, 3, 4, 6]);
    assert_eq!(numbers(CUTECHESS), [0, 2, 5]);
}

#[test]
fn training_data_is_made_of_the_games_of_others() {
    let folder = Folder::new("foreign-pack");
    let (fastchess, cutechess) = (folder.path("fastchess.pgn"), folder.path("cutechess.pgn"));
    std::fs::write(&fastchess, FASTCHESS).unwrap();
    std::fs::write(&cutechess, CUTECHESS).unwrap();
    for (pgn, positions, games) in [(fastchess, 548, 5), (cutechess, 304, 3)] {
        let packed = format!("{pgn}.zwd");
        let (out, err) = called(0, &["data", "pack", &pgn, "--output", &packed]);
        assert!(out.contains(&format!("{positions} positions of {games} games")), "{out}{err}");
    }
}

/// The first versions of Zugwerk counted moves. Their games are known by their tag `Event`, or by numbers
/// that no count of plies has. Lichess has another form, which counts moves.
#[test]
fn mates_of_earlier_files_are_read_as_moves() {
    let told = |tag: &str, comments: [&str; 3]| -> Vec<i64> {
        let folder = Folder::new("foreign-mates");
        let path = folder.path("game.pgn");
        let [first, second, third] = comments;
        let moves = format!("1. Ra7 {{{first}}} Kg8 {{{second}}} 2. Rb8# {{{third}}} 1-0");
        let start = "[FEN \"7k/8/R7/8/8/8/1R6/7K w - - 0 1\"]";
        std::fs::write(&path, format!("{tag}[Result \"1-0\"]\n{start}\n\n{moves}\n")).unwrap();
        let report = json(&["analyse", &path, "--depth", "1", "--json"]);
        let moves = report["moves"].as_array().unwrap();
        moves.iter().map(|played| played["told_by_player"]["mate"].as_i64().unwrap()).collect()
    };
    let plies = ["+M3/12 0.010s", "-M2/10 0.010s", "+M1/1 0.001s"];
    assert_eq!(told("", plies), [2, 1, 1]);
    assert_eq!(told("[Event \"Match by Zugwerk\"]\n", plies), [2, 1, 1]);
    assert_eq!(told("[Event \"zugwerk match\"]\n", plies), [3, 2, 1]);
    assert_eq!(told("", ["+M2/12 0.010s", "-M1/10 0.010s", "+M1/1 0.001s"]), [2, 1, 1]);
    assert_eq!(told("", ["#2/12 0.010s", "#-1/10 0.010s", "#1/1 0.001s"]), [2, 1, 1]);
}

/// Lichess and chess.com write clocks after each move, and a whole number of seconds or tenths; ChessBase
/// writes the time that a move took, and evaluations in centipawns with a depth.
#[test]
fn what_people_play_with_is_read() {
    let read = |pgn: &str| {
        let game = games(pgn).remove(0);
        let seconds = clocks::times(&game).into_iter().map(|time| time.map(|time| time.as_secs_f64()));
        (seconds.collect::<Vec<_>>(), computer::values(&game))
    };
    let lichess = "[TimeControl \"180+2\"]\n[Termination \"Time forfeit\"]\n\n\
                   1. e4 { [%eval 0.17] [%clk 0:02:58] } 1... e5 { [%eval #-3] [%clk 0:03:01] } 1-0";
    assert_eq!(read(lichess), (vec![Some(4.0), Some(1.0)], vec![Some(17), Some(mated_in(6))]));
    let chess_com = "[TimeControl \"180+2\"]\n[Termination \"A won by resignation\"]\n\n\
                     1. e4 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:02:58.5]} 1-0";
    assert_eq!(read(chess_com), (vec![Some(2.1), Some(3.5)], vec![None, None]));
    let chessbase = "{[%evp 0,2,19,-106]} 1. e4 {[%eval 19,24] [%emt 0:00:07]} e5 {[%eval -106,29][%wdl 1,444,555][%mdl 32]} *";
    assert_eq!(read(chessbase), (vec![Some(7.0), None], vec![Some(19), Some(-106)]));
}
