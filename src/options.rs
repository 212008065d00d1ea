//! The options of the engine: one table that declares each of them once.
//!
//! [`TABLE`] has name, kind, default, range, setter and side effect of each option. The output of `uci`, the
//! command `setoption` and the flags of the command line are all derived from it.

use std::{fmt, path::PathBuf, time::Duration};

use crate::{
    eval::{self, Choice},
    search::{Strength, Techniques},
    text::{quoted, quoted_or_nothing},
};

/// The values of all options. [`Default`] returns the defaults of [`TABLE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table as requested, in MiB. If memory was lacking, the table has kept its old
    /// size.
    pub hash: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Whether the GUI may let the engine ponder. The engine plays the same either way.
    pub ponder: bool,
    /// Number of lines to report.
    pub multi_pv: usize,
    /// Time lost between engine and GUI on every move.
    pub move_overhead: Duration,
    /// Whether castling is written king-takes-rook.
    pub chess960: bool,
    /// Whether the chances of winning, drawing and losing are reported.
    pub show_wdl: bool,
    /// Whether the GUI analyses instead of playing. The engine searches the same either way.
    pub analyse_mode: bool,
    /// Whether to limit the playing strength to `elo`.
    pub limit_strength: bool,
    /// The playing strength if it is limited, in Elo points.
    pub elo: i32,
    /// Folders with Syzygy endgame tables; empty for none.
    pub syzygy_path: String,
    /// The minimum depth for probing positions that have the maximum number of pieces.
    pub syzygy_depth: i32,
    /// The maximum number of pieces; positions with more are not probed.
    pub syzygy_limit: usize,
    /// Whether a win that the fifty-move rule prevents counts as a draw.
    pub syzygy_fifty_moves: bool,
    /// Whether to play from the opening book.
    pub own_book: bool,
    /// The file of the opening book; empty for none.
    pub book_file: String,
    /// The log file of the UCI input and output; empty for none.
    pub log_file: String,
    /// The opponent as the GUI reports it. The engine plays the same against every opponent.
    pub opponent: String,
    /// The evaluator to use, if it is available.
    pub evaluator: eval::Kind,
    /// The file of the network; empty for the network embedded in the program.
    pub eval_file: String,
    /// What the search makes use of.
    pub techniques: Techniques,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            hash: 0,
            threads: 0,
            ponder: false,
            multi_pv: 0,
            move_overhead: Duration::ZERO,
            chess960: false,
            show_wdl: false,
            analyse_mode: false,
            limit_strength: false,
            elo: 0,
            syzygy_path: String::new(),
            syzygy_depth: 0,
            syzygy_limit: 0,
            syzygy_fifty_moves: false,
            own_book: false,
            book_file: String::new(),
            log_file: String::new(),
            opponent: String::new(),
            evaluator: eval::Kind::DEFAULT,
            eval_file: String::new(),
            techniques: Techniques::ALL,
        };
        for row in TABLE {
            match row.kind {
                Kind::Check { default, set } => set(&mut options, default),
                Kind::Spin { default, set, .. } => set(&mut options, default),
                Kind::Text { default, set } => set(&mut options, default),
                Kind::Combo { default, set, .. } => set(&mut options, default),
                Kind::Words { .. } | Kind::Button | Kind::Notice(_) => {}
            }
        }
        options
    }
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// The name; it is matched without regard to case.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: Kind,
    /// The side effect of setting it.
    pub effect: Effect,
}

/// The kinds of options, with default, range and setter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// True or false.
    Check {
        /// The default.
        default: bool,
        /// Stores a value.
        set: fn(&mut Options, bool),
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i32,
        /// The minimum.
        min: i32,
        /// The maximum.
        max: i32,
        /// Stores a value, which is in the range.
        set: fn(&mut Options, i32),
    },
    /// One word of a list.
    Combo {
        /// The default.
        default: &'static str,
        /// The words, in the spelling that is stored.
        words: &'static [&'static str],
        /// Stores a value, which is one of the words.
        set: fn(&mut Options, &str),
    },
    /// Any text.
    Text {
        /// The default.
        default: &'static str,
        /// Stores a value.
        set: fn(&mut Options, &str),
    },
    /// Any of some words, separated by commas or blanks. The default is none of them.
    Words {
        /// The words.
        words: &'static [&'static str],
        /// Stores a value. Returns false, and stores nothing, if it holds another word.
        set: fn(&mut Options, &str) -> bool,
    },
    /// An action without a value.
    Button,
    /// A text that is displayed and cannot be changed.
    Notice(&'static str),
}

/// The side effect of setting an option, besides storing its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// None: the value is read when it is needed.
    None,
    /// The transposition table changes its size.
    ResizeHash,
    /// The search changes its number of threads.
    SetThreads,
    /// The search clears the transposition table and its histories.
    ClearHash,
    /// The same, but only if the option has another value now: what the search has learnt does not fit the new one.
    ClearHashIfChanged,
    /// The endgame tables are opened.
    OpenTables,
    /// The opening book is opened.
    OpenBook,
    /// The log of the session is opened.
    OpenLog,
    /// The evaluator is chosen, if it is another or was not available.
    ChooseEvaluator,
    /// The network is read, if there is a file, and the evaluator is chosen.
    ReadNetwork,
}

/// All options, in the order in which `uci` lists them.
pub const TABLE: &[OptionRow] = &[
    OptionRow {
        name: "Hash",
        kind: Kind::Spin {
            default: 16,
            min: 1,
            max: 33_554_432,
            set: |o, mebibytes| o.hash = unsigned(mebibytes),
        },
        effect: Effect::ResizeHash,
    },
    OptionRow { name: "Clear Hash", kind: Kind::Button, effect: Effect::ClearHash },
    OptionRow {
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: 256, set: |o, threads| o.threads = unsigned(threads) },
        effect: Effect::SetThreads,
    },
    OptionRow {
        name: "Ponder",
        kind: Kind::Check { default: false, set: |o, on| o.ponder = on },
        effect: Effect::None,
    },
    OptionRow {
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: 256, set: |o, lines| o.multi_pv = unsigned(lines) },
        effect: Effect::None,
    },
    OptionRow {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: 10,
            min: 0,
            max: 10_000,
            set: |o, millis| o.move_overhead = milliseconds(millis),
        },
        effect: Effect::None,
    },
    OptionRow {
        name: "UCI_Chess960",
        kind: Kind::Check { default: false, set: |o, on| o.chess960 = on },
        effect: Effect::None,
    },
    OptionRow {
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false, set: |o, on| o.show_wdl = on },
        effect: Effect::None,
    },
    OptionRow {
        name: "UCI_AnalyseMode",
        kind: Kind::Check { default: false, set: |o, on| o.analyse_mode = on },
        effect: Effect::None,
    },
    OptionRow {
        name: "UCI_LimitStrength",
        kind: Kind::Check { default: false, set: |o, on| o.limit_strength = on },
        effect: Effect::None,
    },
    OptionRow {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: 1500,
            min: *Strength::ELO.start(),
            max: *Strength::ELO.end(),
            set: |o, elo| o.elo = elo,
        },
        effect: Effect::None,
    },
    OptionRow {
        name: "SyzygyPath",
        kind: Kind::Text { default: "", set: |o, path| path.clone_into(&mut o.syzygy_path) },
        effect: Effect::OpenTables,
    },
    OptionRow {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin { default: 1, min: 1, max: 100, set: |o, depth| o.syzygy_depth = depth },
        effect: Effect::None,
    },
    OptionRow {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin { default: 7, min: 0, max: 7, set: |o, pieces| o.syzygy_limit = unsigned(pieces) },
        effect: Effect::None,
    },
    // The values in the transposition table depend on the rule, so the table is cleared.
    OptionRow {
        name: "Syzygy50MoveRule",
        kind: Kind::Check { default: true, set: |o, on| o.syzygy_fifty_moves = on },
        effect: Effect::ClearHashIfChanged,
    },
    OptionRow {
        name: "OwnBook",
        kind: Kind::Check { default: false, set: |o, on| o.own_book = on },
        effect: Effect::None,
    },
    OptionRow {
        name: "BookFile",
        kind: Kind::Text { default: "", set: |o, path| path.clone_into(&mut o.book_file) },
        effect: Effect::OpenBook,
    },
    OptionRow {
        name: "Debug Log File",
        kind: Kind::Text { default: "", set: |o, path| path.clone_into(&mut o.log_file) },
        effect: Effect::OpenLog,
    },
    OptionRow {
        name: "UCI_Opponent",
        kind: Kind::Text { default: "", set: |o, who| who.clone_into(&mut o.opponent) },
        effect: Effect::None,
    },
    OptionRow {
        name: "Evaluator",
        kind: Kind::Combo {
            default: eval::Kind::DEFAULT.name(),
            words: &eval::Kind::NAMES,
            set: |o, name| o.evaluator = name.parse().unwrap_or(o.evaluator),
        },
        effect: Effect::ChooseEvaluator,
    },
    OptionRow {
        name: "EvalFile",
        kind: Kind::Text { default: "", set: |o, path| path.clone_into(&mut o.eval_file) },
        effect: Effect::ReadNetwork,
    },
    // What a search without a technique has learnt is not what one with it would have.
    OptionRow {
        name: "Without",
        kind: Kind::Words {
            words: Techniques::NAMES,
            set: |o, names| Techniques::without(names).map(|techniques| o.techniques = techniques).is_ok(),
        },
        effect: Effect::ClearHashIfChanged,
    },
    OptionRow {
        name: "UCI_EngineAbout",
        kind: Kind::Notice(concat!(
            "Zugwerk ",
            env!("CARGO_PKG_VERSION"),
            ", free software under the GPL 3.0 or later"
        )),
        effect: Effect::None,
    },
];

fn unsigned(number: i32) -> usize {
    usize::try_from(number).unwrap_or(0)
}

fn milliseconds(number: i32) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}

impl OptionRow {
    /// Returns the row of the option called `name`, ignoring case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name))
    }
}

impl Options {
    /// The strength to play with; `None` for full strength.
    #[must_use]
    pub fn strength(&self) -> Option<Strength> {
        self.limit_strength.then(|| Strength::of(self.elo))
    }

    /// The evaluator requested.
    #[must_use]
    pub fn choice(&self) -> Choice {
        let file = (!self.eval_file.is_empty()).then(|| PathBuf::from(&self.eval_file));
        Choice { kind: self.evaluator, file }
    }

    /// Sets the option called `name` to `value` and returns the side effect to carry out. An error changes nothing.
    ///
    /// ```
    /// use zugwerk::options::{Effect, Options};
    /// let mut options = Options::default();
    /// assert_eq!(options.set("hash", "64").unwrap(), Effect::ResizeHash);
    /// assert_eq!(options.hash, 64);
    /// assert!(options.set("Hash", "0").is_err());
    /// assert_eq!(options.hash, 64);
    /// ```
    ///
    /// # Errors
    ///
    /// [`OptionError`] for an unknown name, and for a value of the wrong kind or out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        #[cfg(feature = "tune")]
        if value.parse().is_ok_and(|value| crate::search::params::set(name, value)) {
            return Ok(Effect::None);
        }
        let row = OptionRow::find(name).ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
        let refused = || OptionError::Value { row, got: value.to_owned() };
        match row.kind {
            Kind::Check { set, .. } => set(self, truth(value).ok_or_else(refused)?),
            Kind::Spin { min, max, set, .. } => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                set(self, number.ok_or_else(refused)?);
            }
            Kind::Combo { words, set, .. } => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                set(self, word.ok_or_else(refused)?);
            }
            Kind::Text { set, .. } => set(self, value),
            Kind::Words { set, .. } => {
                if !set(self, value) {
                    return Err(refused());
                }
            }
            Kind::Button | Kind::Notice(_) => {}
        }
        Ok(row.effect)
    }
}

fn truth(value: &str) -> Option<bool> {
    if value.eq_ignore_ascii_case("true") {
        Some(true)
    } else if value.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

/// The reason why an option was not set.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("expected an option ({}), got {}", names(), quoted(name))]
    Unknown {
        /// The name requested.
        name: String,
    },
    /// The option does not take this value.
    #[error("expected {} for option {}, got {}", row.kind, row.name, quoted_or_nothing(got))]
    Value {
        /// The option.
        row: &'static OptionRow,
        /// The value.
        got: String,
    },
}

/// The names of all options.
fn names() -> String {
    TABLE.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Kind {
    /// The values that are allowed, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Check { .. } => f.write_str("true or false"),
            Kind::Spin { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Kind::Combo { words, .. } => f.write_str(&words.join(" or ")),
            Kind::Text { .. } => f.write_str("a text"),
            Kind::Words { words, .. } => write!(f, "words separated by commas ({})", words.join(", ")),
            Kind::Button | Kind::Notice(_) => f.write_str("no value"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Settings;

    #[test]
    fn defaults_lie_in_their_ranges_and_agree_with_the_search() {
        for row in TABLE {
            if let Kind::Spin { default, min, max, .. } = row.kind {
                assert!((min..=max).contains(&default), "{}", row.name);
            }
        }
        let options = Options::default();
        assert_eq!((options.hash, options.threads), (16, 1));
        let settings = Settings::default();
        assert_eq!((options.multi_pv, options.move_overhead), (settings.multi_pv, settings.move_overhead));
    }

    #[test]
    fn a_refused_value_changes_nothing() {
        let mut options = Options::default();
        let cases = [
            ("Hash", "abc"),
            ("Hash", ""),
            ("Hash", "0"),
            ("Hash", "-1"),
            ("Hash", "33554433"),
            ("Hash", "99999999999999999999"),
            ("Threads", "0"),
            ("Threads", "100000"),
            ("UCI_Chess960", "maybe"),
            ("Ponder", "1"),
            ("Evaluator", "best"),
            ("Without", "null_move,nonsense"),
            ("NoSuchOption", "1"),
        ];
        for (name, value) in cases {
            let error = options.set(name, value).unwrap_err().to_string();
            assert!(error.starts_with("expected ") && error.contains(", got "), "{error}");
            assert_eq!(options, Options::default(), "{name} {value}");
        }
    }

    #[test]
    fn every_option_can_be_set() {
        let mut options = Options::default();
        for (name, value) in [
            ("hash", "64"),
            ("THREADS", "4"),
            ("ponder", "true"),
            ("multipv", "3"),
            ("move overhead", "100"),
            ("uci_chess960", "TRUE"),
            ("uci_showwdl", "true"),
            ("uci_analysemode", "true"),
            ("uci_limitstrength", "true"),
            ("uci_elo", "1234"),
            ("syzygypath", "./my tables/"),
            ("syzygyprobedepth", "5"),
            ("syzygyprobelimit", "6"),
            ("syzygy50moverule", "false"),
            ("ownbook", "true"),
            ("bookfile", "my books/best.bin"),
            ("debug log file", "uci.log"),
            ("uci_opponent", "GM 2800 human Gary Kasparov"),
            ("evaluator", "MATERIAL"),
            ("evalfile", "my networks/best.zwn"),
            ("without", "Null-Move, futility"),
            ("clear hash", ""),
            ("uci_engineabout", "somebody else"),
        ] {
            options.set(name, value).unwrap_or_else(|error| panic!("{error}"));
        }
        let expected = Options {
            hash: 64,
            threads: 4,
            ponder: true,
            multi_pv: 3,
            move_overhead: Duration::from_millis(100),
            chess960: true,
            show_wdl: true,
            analyse_mode: true,
            limit_strength: true,
            elo: 1234,
            syzygy_path: "./my tables/".to_owned(),
            syzygy_depth: 5,
            syzygy_limit: 6,
            syzygy_fifty_moves: false,
            own_book: true,
            book_file: "my books/best.bin".to_owned(),
            log_file: "uci.log".to_owned(),
            opponent: "GM 2800 human Gary Kasparov".to_owned(),
            evaluator: eval::Kind::Material,
            eval_file: "my networks/best.zwn".to_owned(),
            techniques: Techniques { null_move: false, futility: false, ..Techniques::ALL },
        };
        assert_eq!(options, expected);
    }
}
