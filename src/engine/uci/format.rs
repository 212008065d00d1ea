//! Formats the engine's output for the protocol.
//!
//! Messages that vampirc-uci formats correctly use its types ([`UciMessage`]). `info` lines and `bestmove`
//! are formatted here, because its depths and mate distances are too narrow, it has another name for
//! `currmovenumber`, it has no `wdl`, and it cannot write `bestmove (none)`.

use std::fmt::{Display, Write as _};

use shakmaty::{CastlingMode, File, Move};
use vampirc_uci::{UciInfoAttribute, UciMessage, UciOptionConfig};

use super::command::EMPTY;
use crate::engine::{
    options::{OptionKind, OptionRow, TABLE},
    search::{Bound, Report},
    wdl::Chances,
};

/// The output format that the options request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether castling is written king-takes-rook.
    pub chess960: bool,
    /// The material of the root, if the chances of winning, drawing and losing are reported
    /// ([`wdl::material`](crate::engine::wdl::material)).
    pub wdl: Option<u32>,
}

/// The answer to `uci`: name, authors and options, whose defaults are those of the program or the last of
/// `defaults`: names in the spelling of the table, and values.
#[must_use]
pub fn introduction(defaults: &[(&str, String)]) -> String {
    let name = format!("Zugwerk {}", env!("CARGO_PKG_VERSION"));
    let mut lines = vec![UciMessage::id_name(&name), UciMessage::id_author("the Zugwerk authors")];
    let default_of = |row: &OptionRow| {
        let given = defaults.iter().rfind(|(name, _)| *name == row.name);
        given.and_then(|(_, value)| row.kind.accept(value)).unwrap_or(row.default)
    };
    lines.extend(TABLE.iter().map(|row| UciMessage::Option(option(row, default_of(row)))));
    #[cfg(feature = "tune")]
    lines.extend(crate::engine::search::params::ALL.iter().map(|param| {
        UciMessage::Option(UciOptionConfig::Spin {
            name: param.name.to_owned(),
            default: Some(param.default.into()),
            min: Some(param.min.into()),
            max: Some(param.max.into()),
        })
    }));
    lines.push(UciMessage::UciOk);
    lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The answer to `isready`.
#[must_use]
pub fn ready() -> String {
    UciMessage::ReadyOk.to_string()
}

/// What went wrong, always on one line. It begins with `error:`, by which a match tells that a setting was
/// refused.
#[must_use]
pub fn error(text: &dyn Display) -> String {
    notice(&format_args!("error: {text}"))
}

/// A remark, always on one line.
#[must_use]
pub fn notice(text: &dyn Display) -> String {
    UciMessage::Info(vec![UciInfoAttribute::String(one_line(&text.to_string()))]).to_string()
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn option(row: &OptionRow, default: &str) -> UciOptionConfig {
    let name = row.name.to_owned();
    let text = Some(if default.is_empty() { EMPTY.to_owned() } else { one_line(default) });
    match row.kind {
        OptionKind::Check => UciOptionConfig::Check { name, default: default.parse().ok() },
        OptionKind::Spin { min, max } => UciOptionConfig::Spin {
            name,
            default: default.parse().ok(),
            min: Some(min.into()),
            max: Some(max.into()),
        },
        OptionKind::Text | OptionKind::Techniques | OptionKind::Notice => {
            UciOptionConfig::String { name, default: text }
        }
        OptionKind::Combo(words) => {
            let var = words.iter().map(|&word| word.to_owned()).collect();
            UciOptionConfig::Combo { name, default: text, var }
        }
        OptionKind::Button => UciOptionConfig::Button { name },
    }
}

/// The `info` line of a report.
#[must_use]
pub fn info(report: &Report, style: Style) -> String {
    let mut line = format!("info depth {}", report.depth);
    if report.pv.is_empty() {
        let _ = write!(line, " score {}", report.score());
        return line;
    }
    let _ =
        write!(line, " seldepth {} multipv {} score {}", report.seldepth, report.multi_pv, report.score());
    line += match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if let Some(material) = style.wdl {
        let Chances { win, draw, loss } = report.chances(material);
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} tbhits {} time {} pv",
        report.nodes,
        report.nps(),
        report.hashfull,
        report.tb_hits,
        report.time.as_millis()
    );
    for &m in &report.pv {
        let _ = write!(line, " {}", move_text(m, style));
    }
    line
}

/// The `info` line with the current root move. It has no depth, because Cute Chess would show each as a line
/// of analysis.
#[must_use]
pub fn current_move(m: Move, number: usize, style: Style) -> String {
    format!("info currmove {} currmovenumber {number}", move_text(m, style))
}

/// The answer of a search.
#[must_use]
pub fn best_move(best: Option<Move>, ponder: Option<Move>, style: Style) -> String {
    let Some(best) = best else { return "bestmove (none)".to_owned() };
    let mut line = format!("bestmove {}", move_text(best, style));
    if let Some(reply) = ponder {
        let _ = write!(line, " ponder {}", move_text(reply, style));
    }
    line
}

/// Writes a move in UCI notation.
///
/// Castling that standard chess does not have is written king-takes-rook even outside Chess960, because the
/// king's two squares could be read as an ordinary move.
#[must_use]
pub fn move_text(m: Move, style: Style) -> String {
    let standard = match m {
        Move::Castle { king, rook } => king.file() == File::E && matches!(rook.file(), File::A | File::H),
        _ => true,
    };
    let mode = if standard && !style.chess960 { CastlingMode::Standard } else { CastlingMode::Chess960 };
    m.to_uci(mode).to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chess::{position::Position, value::mate_in};

    fn report(position: &Position, moves: &[&str]) -> Report {
        let mut position = position.clone();
        let mut pv = Vec::new();
        for text in moves {
            let m = position.find_move(text).unwrap();
            position.play(m);
            pv.push(m);
        }
        Report {
            depth: 240,
            seldepth: 241,
            multi_pv: 2,
            value: -34,
            bound: Bound::Exact,
            is_known_draw: false,
            nodes: 5_000_000_000,
            time: Duration::from_secs(2),
            hashfull: 17,
            tb_hits: 3,
            pv,
        }
    }

    #[test]
    fn an_info_line_has_all_fields_in_order() {
        let mut report = report(&Position::default(), &["e2e4", "e7e5"]);
        let style = Style::default();
        let tail = "nodes 5000000000 nps 2500000000 hashfull 17 tbhits 3 time 2000 pv e2e4 e7e5";
        assert_eq!(
            info(&report, style),
            format!("info depth 240 seldepth 241 multipv 2 score cp -34 {tail}")
        );
        report.bound = Bound::Lower;
        report.value = mate_in(201);
        let expected =
            format!("info depth 240 seldepth 241 multipv 2 score mate 101 lowerbound wdl 1000 0 0 {tail}");
        assert_eq!(info(&report, Style { wdl: Some(78), ..style }), expected);
        report.bound = Bound::Upper;
        assert!(info(&report, style).contains(" score mate 101 upperbound nodes "));
    }

    #[test]
    fn a_root_without_moves_has_depth_and_score_only() {
        let report =
            Report { depth: 0, value: crate::chess::value::mated_in(0), ..report(&Position::default(), &[]) };
        assert_eq!(info(&report, Style { wdl: Some(78), chess960: true }), "info depth 0 score mate 0");
        assert_eq!(best_move(None, None, Style::default()), "bestmove (none)");
    }

    #[test]
    fn castling_is_written_as_the_game_wants_it() {
        let standard = Style::default();
        let chess960 = Style { chess960: true, ..standard };
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for text in ["e1g1", "e1h1", "O-O", "o-o"] {
            let castle = position.find_move(text).unwrap();
            assert_eq!((&*move_text(castle, standard), &*move_text(castle, chess960)), ("e1g1", "e1h1"));
        }
        assert_eq!(position.find_move("O-O-O").ok(), position.find_move("e1a1").ok());
        assert!(Position::default().find_move("O-O").is_err());
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        let castle = position.find_move("f1h1").unwrap();
        assert_eq!(move_text(castle, standard), "f1h1", "f1g1 is a king move");
    }

    #[test]
    fn notices_stay_on_one_line() {
        assert_eq!(notice(&"a\nb\rc"), "info string a b c");
        assert_eq!(error(&"a\nb"), "info string error: a b");
    }

    #[test]
    fn options_are_described_as_the_protocol_wants_it() {
        let text = introduction(&[]);
        for line in [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Clear Hash type button",
            "option name Move Overhead type spin default 10 min 0 max 10000",
            "option name SyzygyPath type string default <empty>",
            "option name UCI_ShowWDL type check default false",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\nis missing in\n{text}");
        }
        assert!(text.starts_with("id name Zugwerk ") && text.ends_with("\nuciok"));
        let given = [
            ("Hash", "32"),
            ("Hash", "64"),
            ("UCI_ShowWDL", "TRUE"),
            ("SyzygyPath", "a\nb"),
            ("Threads", "x"),
        ];
        let text = introduction(&given.map(|(name, value)| (name, value.to_owned())));
        for line in [
            "option name Hash type spin default 64 min 1 max 33554432",
            "option name SyzygyPath type string default a b",
            "option name UCI_ShowWDL type check default true",
            "option name Threads type spin default 1 min 1 max 256",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\nis missing in\n{text}");
        }
    }
}
