//! A player's settings: name, command, UCI options and limits, parsed from a `key=value` list.

use std::path::PathBuf;
use std::time::Duration;

use crate::arena::players::limits::PlayerLimits;
use crate::chess::clock::{TimeControl, Unit, duration};
use crate::chess::pgn::printable;
use crate::settings::{Setting, SettingError, split};

/// The keys of a player's list.
const KEYS: &str = "name, cmd, arg, args, dir, option.NAME, tc, st, nodes, depth, margin, ponder, restart";

/// The settings of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The name in tables and PGN; empty until [`name_all`] gives it one.
    pub name: String,
    /// The program: a path, or a name looked up in `PATH`.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory it runs in; `None` for that of the referee.
    pub directory: Option<PathBuf>,
    /// UCI options, sent in this order.
    pub options: Vec<(String, String)>,
    /// Its limits on thinking time.
    pub limits: PlayerLimits,
    /// Whether it ponders.
    pub ponder: bool,
    /// Whether it is restarted for every game.
    pub restart: bool,
}

impl PlayerSpec {
    /// Parses a player from `own` and from `each`, the settings of all players; `own` takes precedence.
    ///
    /// ```
    /// use zugwerk::arena::players::spec::PlayerSpec;
    /// let spec = PlayerSpec::parse("tc=2+0.02,option.Hash=16", "cmd=gnuchess,args=--uci,st=0.1")?;
    /// assert_eq!(spec.args, ["--uci"]);
    /// assert!(spec.limits.clock.is_none(), "the player's own time per move replaces the shared clock");
    /// # Ok::<(), zugwerk::settings::SettingError>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError`] for an unknown key, a value out of range, a missing `cmd`, or `tc` together with `st`
    /// in one list.
    pub fn parse(each: &str, own: &str) -> Result<Self, SettingError> {
        let mut spec = PlayerSpec::default();
        for settings in [split(each)?, split(own)?] {
            let has = |key| settings.iter().any(|setting| setting.key == key);
            if has("tc") && has("st") {
                return Err(SettingError::Conflict("tc", "st"));
            }
            for setting in &settings {
                spec.set(setting)?;
            }
        }
        if spec.command.as_os_str().is_empty() {
            return Err(SettingError::Missing("cmd"));
        }
        Ok(spec)
    }

    /// The UCI options to set, with their values: its own, and `Ponder` if it ponders.
    pub(in crate::arena) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let ponder = self.ponder.then_some(("Ponder", "true"));
        ponder.into_iter().chain(self.options.iter().map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// The number of search threads: its option `Threads`, or 1.
    fn threads(&self) -> usize {
        let given = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        given.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
    }

    fn set(&mut self, setting: &Setting) -> Result<(), SettingError> {
        let (value, limits) = (&setting.value, &mut self.limits);
        match setting.key.as_str() {
            "name" => self.name.clone_from(value),
            "cmd" => self.command = PathBuf::from(value),
            "arg" => self.args.push(value.clone()),
            "args" => self.args.extend(value.split_whitespace().map(str::to_owned)),
            "dir" => self.directory = Some(PathBuf::from(value)),
            "ponder" => self.ponder = switch(setting)?,
            "restart" => self.restart = switch(setting)?,
            "tc" => {
                let clock = value.parse::<TimeControl>();
                limits.clock = Some(
                    clock.map_err(|_| setting.bad("[moves/]seconds[+increment], stages separated by '~'"))?,
                );
                limits.move_time = None;
            }
            "st" => {
                let time = duration(value, Unit::Seconds).ok().filter(|time| !time.is_zero());
                limits.move_time = Some(time.ok_or_else(|| setting.bad("seconds above 0"))?);
                limits.clock = None;
            }
            "nodes" => limits.nodes = Some(setting.read("a whole number above 0", |&n| n > 0)?),
            "depth" => limits.depth = Some(setting.read("a whole number above 0", |&n| n > 0)?),
            "margin" => {
                let margin = duration(value, Unit::Milliseconds).ok();
                let margin = margin.filter(|margin| *margin <= Duration::from_secs(60));
                limits.margin = margin.ok_or_else(|| setting.bad("milliseconds, 0 to 60000"))?;
            }
            key => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => self.set_option(name, value),
                _ => return Err(setting.unknown(KEYS)),
            },
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.options.push((name.to_owned(), value.to_owned()));
    }
}

/// The maximum number of threads that compute at the same time in a game between two players: the opponent
/// may ponder.
#[must_use]
pub fn threads_of_a_game(one: &PlayerSpec, two: &PlayerSpec) -> usize {
    let pondering = |player: &PlayerSpec| if player.ponder { player.threads() } else { 0 };
    let [one, two] =
        [(one, two), (two, one)].map(|(mover, other)| mover.threads().saturating_add(pondering(other)));
    one.max(two)
}

fn switch(setting: &Setting) -> Result<bool, SettingError> {
    match setting.value.as_str() {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err(setting.bad("on or off")),
    }
}

/// Names every player without a name after its program, with a number if the name is taken. All names become
/// such that a PGN can contain them.
///
/// # Errors
/// The name that was *given* to two players, which a table could not distinguish.
pub fn name_all(players: &mut [PlayerSpec]) -> Result<(), DuplicateName> {
    for player in &mut *players {
        player.name = printable(&player.name);
    }
    for index in 0..players.len() {
        if players[index].name.is_empty() {
            let program = players[index].command.file_stem().unwrap_or_default();
            let program = printable(&program.to_string_lossy());
            let taken = |name: &str| players.iter().any(|player| player.name == name);
            let numbered = (2..).map(|number| format!("{program}-{number}"));
            let free = std::iter::once(program.clone()).chain(numbered).find(|name| !taken(name));
            players[index].name = free.expect("the numbers do not end");
        } else if players[..index].iter().any(|other| other.name == players[index].name) {
            return Err(DuplicateName(players[index].name.clone()));
        }
    }
    Ok(())
}

/// Two players have the same given name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two players are named '{0}': give each its own name=…")]
pub struct DuplicateName(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_settings_come_on_top_of_the_shared_ones() {
        let spec = PlayerSpec::parse(
            "tc=2+0.02,option.Hash=16,option.Threads=1,margin=5",
            "name=A,cmd=/bin/a,option.hash=64,nodes=1000,ponder=on",
        )
        .unwrap();
        let options: Vec<_> = spec.options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(options, [("Threads", "1"), ("hash", "64")]);
        assert_eq!(spec.limits.to_string(), "2+0.02, 1000 nodes");
        assert_eq!(spec.limits.margin, Duration::from_millis(5));
        assert!(spec.ponder && !spec.restart);
    }

    #[test]
    fn a_game_takes_the_threads_of_the_larger_player_and_of_one_that_ponders() {
        let threads = |lists: [&str; 2]| {
            let [one, two] = lists.map(|list| PlayerSpec::parse("cmd=a", list).unwrap());
            threads_of_a_game(&one, &two)
        };
        for (lists, expected) in [
            (["", ""], 1),
            (["option.threads=4", "option.Threads=2"], 4),
            (["option.Threads=4,ponder=on", "option.Threads=4"], 8),
            (["option.Threads=4,ponder=on", "ponder=on"], 5),
            (["option.Threads=0", "option.Threads=x"], 1),
            (["option.Threads=18446744073709551615", "ponder=on"], usize::MAX),
        ] {
            assert_eq!(threads(lists), expected, "{lists:?}");
        }
    }

    #[test]
    fn every_wrong_list_is_refused_with_its_reason() {
        let reason = |list| PlayerSpec::parse("", list).unwrap_err().to_string();
        assert_eq!(reason("name=A"), "missing cmd=…");
        assert_eq!(reason("cmd=a,tc=1,st=1"), "tc and st exclude each other");
        assert_eq!(reason("cmd=a,tc=1,tc=2"), "tc is given twice");
        assert_eq!(reason("cmd=a,option.Hash=1,option.hash=2"), "option.hash is given twice");
        assert_eq!(reason("cmd=a,st=0"), "st=0: expected seconds above 0");
        assert_eq!(reason("cmd=a,ponder=maybe"), "ponder=maybe: expected on or off");
        assert!(reason("cmd=a,tiem=3").starts_with("unknown key 'tiem': expected one of name, cmd"));
        assert!(reason("cmd=a,option.=3").starts_with("unknown key 'option.'"));
        assert!(reason("cmd=a,depth=-3").starts_with("depth=-3: expected"));
    }

    #[test]
    fn unnamed_players_are_numbered_and_given_names_must_differ() {
        let parse = |list| PlayerSpec::parse("", list).unwrap();
        for (lists, expected) in [
            (["cmd=/x/eng", "cmd=eng.exe", "cmd=b,name=eng-2"], ["eng", "eng-3", "eng-2"]),
            // A PGN can contain these: otherwise `--resume` would not find the players of its own games.
            (["cmd=a,name=A\t1\u{a0}x", "cmd=/x/b\u{a0}c", "cmd=a,name=\u{1}"], ["A 1 x", "b c", "?"]),
        ] {
            let mut players = lists.map(parse);
            name_all(&mut players).unwrap();
            assert_eq!(players.map(|player| player.name), expected);
        }
        for (lists, name) in
            [(["cmd=a,name=X", "cmd=b,name=X"], "X"), (["cmd=a,name=A\tB", "cmd=b,name=A B"], "A B")]
        {
            assert_eq!(name_all(&mut lists.map(parse)), Err(DuplicateName(name.to_owned())));
        }
    }
}
