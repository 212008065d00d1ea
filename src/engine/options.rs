//! The options of the engine: one table that declares each of them once.
//!
//! [`TABLE`] has name, default, kind with range, and effect of each option. The output of `uci`, the command
//! `setoption` and the flags of the command line are all derived from it, and so are the fields of
//! [`Options`].

use std::{fmt, path::PathBuf};

use crate::{
    engine::{
        eval::{self, EvaluatorChoice},
        search::{Strength, Techniques},
    },
    words::{quoted, quoted_or_nothing},
};

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// The name; it is matched without regard to case.
    pub name: &'static str,
    /// The default, as `setoption` would set it.
    pub default: &'static str,
    /// The values it accepts.
    pub kind: OptionKind,
    /// What setting it changes, besides its value.
    pub effect: Option<Effect>,
    /// Stores a value that `kind` accepts, and returns whether its field does too.
    store: fn(&mut Options, &str) -> bool,
}

/// The kinds of options.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Spin {
        /// The minimum.
        min: i32,
        /// The maximum.
        max: i32,
    },
    /// One of these words.
    Combo(&'static [&'static str]),
    /// Any text.
    Text,
    /// Names of techniques, separated by commas or blanks.
    Techniques,
    /// An action without a value.
    Button,
    /// A text that is displayed and cannot be changed.
    Notice,
}

/// What setting an option changes, besides its value. The engine does it when the state of the search is
/// free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The transposition table changes its size.
    ResizeHash,
    /// The search changes its number of threads.
    SetThreads,
    /// The search clears the transposition table and its histories.
    ClearHash,
    /// The same, but only if the option has another value now: what the search has learnt does not fit the
    /// new one.
    ClearHashIfChanged,
    /// The endgame tables are opened.
    OpenTables,
    /// The log of the session is opened, at once and by the session.
    OpenLog,
    /// The evaluator is chosen, if it is another or was not available.
    ChooseEvaluator,
    /// The network is read, if there is a file, and the evaluator is chosen.
    ReadNetwork,
}

/// Makes [`Options`], its default and [`TABLE`] from one list of `field: type, "Name" = "default", Kind,
/// Effect;`, where `Kind` is a variant of [`OptionKind`]. An option without a value has no field.
macro_rules! options {
    ($(
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty,)?
        $name:literal = $default:expr, $kind:expr $(, $effect:ident)?;
    )*) => {
        /// The values of all options. [`Default`] returns the defaults of [`TABLE`].
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $($($(#[doc = $doc])+ pub $field: $type,)?)*
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($($field: $default.parse().expect("a default is a value"),)?)* }
            }
        }

        /// All options, in the order in which `uci` lists them.
        pub const TABLE: &[OptionRow] = {
            use OptionKind::*;
            &[$(OptionRow {
                name: $name,
                default: $default,
                kind: $kind,
                effect: [$(Some(Effect::$effect),)? None][0],
                store: |_options, _value| {
                    true $(&& _value.parse().map(|value| _options.$field = value).is_ok())?
                },
            }),*]
        };
    };
}

options! {
    /// Size of the transposition table as requested, in MiB. If memory was lacking, the table has kept its
    /// old size.
    hash: usize, "Hash" = "16", Spin { min: 1, max: 33_554_432 }, ResizeHash;
    "Clear Hash" = "", Button, ClearHash;
    /// Number of search threads.
    threads: usize, "Threads" = "1", Spin { min: 1, max: 256 }, SetThreads;
    /// Whether the GUI may let the engine ponder. The engine plays the same either way.
    ponder: bool, "Ponder" = "false", Check;
    /// Number of lines to report.
    multi_pv: usize, "MultiPV" = "1", Spin { min: 1, max: 256 };
    /// Time lost between engine and GUI on every move, in milliseconds.
    move_overhead: u64, "Move Overhead" = "10", Spin { min: 0, max: 10_000 };
    /// Whether castling is written king-takes-rook.
    chess960: bool, "UCI_Chess960" = "false", Check;
    /// Whether the chances of winning, drawing and losing are reported.
    show_wdl: bool, "UCI_ShowWDL" = "false", Check;
    /// Whether the GUI analyses instead of playing. The engine searches the same either way.
    analyse_mode: bool, "UCI_AnalyseMode" = "false", Check;
    /// Whether to limit the playing strength to `elo`.
    limit_strength: bool, "UCI_LimitStrength" = "false", Check;
    /// The playing strength if it is limited, in Elo points.
    elo: i32, "UCI_Elo" = "1500", Spin { min: *Strength::ELO.start(), max: *Strength::ELO.end() };
    /// Folders with Syzygy endgame tables; empty for none.
    syzygy_path: String, "SyzygyPath" = "", Text, OpenTables;
    /// The minimum depth for probing positions that have the maximum number of pieces.
    syzygy_depth: i32, "SyzygyProbeDepth" = "1", Spin { min: 1, max: 100 };
    /// The maximum number of pieces; positions with more are not probed.
    syzygy_limit: usize, "SyzygyProbeLimit" = "7", Spin { min: 0, max: 7 };
    /// Whether a win that the fifty-move rule prevents counts as a draw. The values in the transposition
    /// table depend on it.
    syzygy_fifty_moves: bool, "Syzygy50MoveRule" = "true", Check, ClearHashIfChanged;
    /// The log file of the UCI input and output; empty for none.
    log_file: String, "Debug Log File" = "", Text, OpenLog;
    /// The opponent as the GUI reports it. The engine plays the same against every opponent.
    opponent: String, "UCI_Opponent" = "", Text;
    /// The evaluator to use, if it is available.
    evaluator: eval::EvaluatorKind, "Evaluator" = eval::EvaluatorKind::DEFAULT.name(), Combo(&eval::EvaluatorKind::NAMES), ChooseEvaluator;
    /// The file of the network; empty for the network embedded in the program.
    eval_file: String, "EvalFile" = "", Text, ReadNetwork;
    /// The techniques that the search does without. What it has learnt with others is not what it would have.
    without: String, "Without" = "", Techniques, ClearHashIfChanged;
    "UCI_EngineAbout" = concat!("Zugwerk ", env!("CARGO_PKG_VERSION"), ", free software under the GPL 3.0 or later"), Notice;
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
    pub fn choice(&self) -> EvaluatorChoice {
        let file = (!self.eval_file.is_empty()).then(|| PathBuf::from(&self.eval_file));
        EvaluatorChoice { kind: self.evaluator, file }
    }

    /// The techniques that the search uses.
    #[must_use]
    pub fn techniques(&self) -> Techniques {
        Techniques::without(&self.without).unwrap_or_default()
    }

    /// Sets the option called `name` to `value` and returns what else must be changed. An error changes
    /// nothing.
    ///
    /// ```
    /// use zugwerk::engine::options::{Effect, Options};
    /// let mut options = Options::default();
    /// assert_eq!(options.set("hash", "64").unwrap(), Some(Effect::ResizeHash));
    /// assert_eq!(options.hash, 64);
    /// assert!(options.set("Hash", "0").is_err());
    /// assert_eq!(options.hash, 64);
    /// ```
    ///
    /// # Errors
    ///
    /// [`OptionError`] for an unknown name, and for a value of the wrong kind or out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Option<Effect>, OptionError> {
        #[cfg(feature = "tune")]
        if value.parse().is_ok_and(|value| crate::engine::search::params::set(name, value)) {
            return Ok(None);
        }
        let row = OptionRow::find(name).ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
        let stored = row.kind.accept(value).is_some_and(|value| (row.store)(self, value));
        if stored { Ok(row.effect) } else { Err(OptionError::Value { row, got: value.to_owned() }) }
    }
}

impl OptionKind {
    /// The value that `text` means, in the spelling that is stored; `None` if it is not allowed.
    pub(super) fn accept(self, text: &str) -> Option<&str> {
        let one_of =
            |words: &[&'static str]| words.iter().copied().find(|word| word.eq_ignore_ascii_case(text));
        match self {
            OptionKind::Check => one_of(&["true", "false"]),
            OptionKind::Spin { min, max } => {
                text.parse().is_ok_and(|number| (min..=max).contains(&number)).then_some(text)
            }
            OptionKind::Combo(words) => one_of(words),
            OptionKind::Techniques => Techniques::without(text).is_ok().then_some(text),
            OptionKind::Text | OptionKind::Button | OptionKind::Notice => Some(text),
        }
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

impl fmt::Display for OptionKind {
    /// The values that are allowed, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Check => f.write_str("true or false"),
            OptionKind::Spin { min, max } => write!(f, "a whole number from {min} to {max}"),
            OptionKind::Combo(words) => f.write_str(&words.join(" or ")),
            OptionKind::Text => f.write_str("a text"),
            OptionKind::Techniques => {
                write!(f, "words separated by commas ({})", Techniques::NAMES.join(", "))
            }
            OptionKind::Button | OptionKind::Notice => f.write_str("no value"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::search::Settings;

    #[test]
    fn defaults_lie_in_their_ranges_and_agree_with_the_search() {
        for row in TABLE {
            assert_eq!(row.kind.accept(row.default), Some(row.default), "{}", row.name);
        }
        let options = Options::default();
        assert_eq!((options.hash, options.threads, options.techniques()), (16, 1, Techniques::ALL));
        let settings = Settings::default();
        assert_eq!(options.multi_pv, settings.multi_pv);
        assert_eq!(Duration::from_millis(options.move_overhead), settings.move_overhead);
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
            move_overhead: 100,
            chess960: true,
            show_wdl: true,
            analyse_mode: true,
            limit_strength: true,
            elo: 1234,
            syzygy_path: "./my tables/".to_owned(),
            syzygy_depth: 5,
            syzygy_limit: 6,
            syzygy_fifty_moves: false,
            log_file: "uci.log".to_owned(),
            opponent: "GM 2800 human Gary Kasparov".to_owned(),
            evaluator: eval::EvaluatorKind::Material,
            eval_file: "my networks/best.zwn".to_owned(),
            without: "Null-Move, futility".to_owned(),
        };
        assert_eq!(options, expected);
        let techniques = Techniques { null_move: false, futility: false, ..Techniques::ALL };
        assert_eq!(options.techniques(), techniques);
    }
}
