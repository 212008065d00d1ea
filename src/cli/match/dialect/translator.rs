//! Translates flag by flag.

use anyhow::{Context as _, Result, bail, ensure};

use super::{
    Group,
    Meaning::{Note, Refused, Same, Special, Switch},
    Translation, groups, is_mixed, meaning,
};

/// A translation in progress.
pub(super) struct Translator {
    /// Those before the others' flags. With two, the lists of players are in our notation.
    dashes: &'static str,
    done: Translation,
    rounds: Option<u64>,
    games: Option<u64>,
}

impl Translator {
    pub(super) fn new(dashes: &'static str) -> Self {
        let done = Translation { words: Vec::new(), notes: Vec::new() };
        Self { dashes, done, rounds: None, games: None }
    }

    /// Whether the line has this flag of ours, so far.
    fn has(&self, flag: &str) -> bool {
        self.done.words.iter().any(|word| word == flag)
    }

    pub(super) fn run(mut self, words: &[String]) -> Result<Translation> {
        let is_unlimited = |word: &String| ["tc=inf", "tc=infinite"].contains(&word.as_str());
        let is_limit =
            |word: &String| ["st=", "nodes=", "depth=", "plies="].iter().any(|key| word.starts_with(key));
        if let Some(tc) = words.iter().find(|word| is_unlimited(word)) {
            ensure!(words.iter().any(is_limit), "{tc}: expected another limit: st, nodes or depth");
        }
        let has_rounds = groups(words).any(|group| group.flag == "--rounds");
        for group in groups(words) {
            let is_theirs = |name: &&str| match self.dashes {
                "-" => name.len() > 1,
                _ => is_mixed(&group) || (*name == "games" && has_rounds),
            };
            match group.name(self.dashes).filter(is_theirs) {
                Some(name) => self.flag(name, &group).with_context(|| group.text())?,
                None => self.keep(&group),
            }
        }
        self.number_of_games()?;
        if self.dashes == "-" && !self.has("--openings") {
            self.note("no -openings", "the built-in openings are played, not the starting position alone");
        }
        Ok(self.done)
    }

    /// Keeps a flag of ours.
    fn keep(&mut self, group: &Group<'_>) {
        self.done.words.extend(Some(group.flag.to_owned()).filter(|flag| !flag.is_empty()));
        self.done.words.extend_from_slice(group.words);
    }

    fn push(&mut self, flag: &str, values: impl IntoIterator<Item = String>) {
        self.done.words.push(flag.to_owned());
        self.done.words.extend(values);
    }

    fn note(&mut self, what: &str, why: &str) {
        self.done.notes.push(format!("{what}: {why}"));
    }

    fn flag(&mut self, name: &str, group: &Group<'_>) -> Result<()> {
        match meaning(name) {
            Some(Same(ours)) => self.push(ours, [one(group.words)?.to_owned()]),
            Some(Switch(ours)) => self.push(ours, none(group.words)?),
            Some(Note(why)) => self.note(&group.text(), why),
            Some(Refused(why)) => bail!("{why}"),
            Some(Special) => self.special(name, group)?,
            None => bail!("unknown flag: neither fastchess nor cutechess-cli has it"),
        }
        Ok(())
    }

    /// The flags whose values differ.
    fn special(&mut self, name: &str, group: &Group<'_>) -> Result<()> {
        let words = group.words;
        match name {
            "engine" => self.player("--engine", words)?,
            "each" | "both" => self.player("--each", words)?,
            "openings" => self.openings(words)?,
            "games" => self.games = Some(one(words)?.parse()?),
            "rounds" => self.rounds = Some(one(words)?.parse()?),
            "repeat" => {
                let count = words.first().map_or("2", String::as_str);
                ensure!(count == "2" && words.len() < 2, "expected 2, as often as every opening is played");
            }
            "sprt" => self.with_defaults("--sprt", words, &["model=normalised"])?,
            "draw" => self.with_defaults("--draw", words, &["movenumber=0", "movecount=1", "score=0"])?,
            "resign" => self.resign(words)?,
            "pgnout" => self.pgnout(words)?,
            "log" => self.log(words)?,
            "variant" => match one(words)? {
                "standard" => {}
                "fischerandom" | "fischerrandom" | "chess960" => self.push("--chess960", None),
                _ => bail!("expected standard or fischerandom"),
            },
            "tournament" => match one(words)? {
                "roundrobin" | "round-robin" => {}
                "gauntlet" => self.push("--gauntlet", None),
                _ => bail!("expected roundrobin or gauntlet"),
            },
            "seeds" => ensure!(one(words)? == "1", "expected 1: the first player meets all others"),
            "tb" => {
                let paths = one(words)?;
                self.push(
                    "--syzygy",
                    [if cfg!(windows) { paths.to_owned() } else { paths.replace(';', ":") }],
                );
            }
            "maxmoves" => match one(words)? {
                "0" => {}
                moves => self.push("--max-moves", [moves.to_owned()]),
            },
            "ratinginterval" => match one(words)? {
                "0" => {}
                games => self.push("--every", [games.to_owned()]),
            },
            _ => unreachable!("the table has no other flag of this kind"),
        }
        Ok(())
    }

    /// Two games a round, with colours reversed.
    fn number_of_games(&mut self) -> Result<()> {
        let dashes = self.dashes;
        if let Some(games) = self.games {
            ensure!(
                games == 2,
                "{dashes}games {games}: expected 2, the games of a round, and the rounds with {dashes}rounds"
            );
        }
        let rounds = match self.rounds {
            Some(rounds) => rounds,
            // A test ends itself.
            None if self.has("--games") || self.has("--sprt") => return Ok(()),
            None if dashes == "--" => return Ok(()),
            None => {
                self.note("no -rounds", "2 rounds, as fastchess plays them");
                2
            }
        };
        self.push("--games", [rounds.saturating_mul(2).to_string()]);
        if self.games.is_none() {
            self.note("no -games", "two games a round, as fastchess plays them (cutechess-cli plays one)");
        }
        Ok(())
    }

    /// A list of settings of a player, or of all.
    fn player(&mut self, flag: &str, words: &[String]) -> Result<()> {
        let is_ours = self.dashes == "--";
        let parts: Vec<&str> = match is_ours {
            true => words.iter().flat_map(|word| word.split(',')).collect(),
            false => words.iter().map(String::as_str).collect(),
        };
        let mut list = Vec::new();
        for (number, &part) in parts.iter().enumerate() {
            let (key, value) = match part.split_once('=') {
                Some(pair) => pair,
                // In our notation the command may be without a key, and a comma may have been part of a value.
                None if is_ours || (number == 0 && flag == "--engine") => {
                    list.push(part.to_owned());
                    continue;
                }
                None => (part, "on"),
            };
            let Some(key) = self.key(part, key, value)? else { continue };
            let value = if is_ours { value.to_owned() } else { value.replace(',', "\\,") };
            list.push(format!("{key}={value}"));
        }
        self.push(flag, [list.join(",")]);
        Ok(())
    }

    /// Our key of a setting of a player; `None` if it is left out.
    fn key<'k>(&mut self, setting: &str, key: &'k str, value: &str) -> Result<Option<&'k str>> {
        let same = [
            "name", "cmd", "dir", "args", "arg", "tc", "st", "nodes", "depth", "margin", "ponder", "restart",
        ];
        Ok(Some(match (key, value) {
            ("tc", "inf" | "infinite") | ("proto", "uci") | ("restart", "auto") => return Ok(None),
            ("plies", _) => "depth",
            ("timemargin", _) => "margin",
            ("trust", _) => {
                self.note(setting, "the referee checks every result");
                return Ok(None);
            }
            ("stderr", _) => {
                self.note(setting, "--log FILE has the standard error of the engines");
                return Ok(None);
            }
            ("proto", _) => bail!("{setting}: expected proto=uci"),
            ("conf", _) => bail!("{setting}: expected cmd=…"),
            ("book" | "bookdepth", _) => bail!("{setting}: expected -openings file=…"),
            _ if same.contains(&key) || key.starts_with("option.") => key,
            _ => bail!("{setting}: a match here has no such setting of a player"),
        }))
    }

    fn openings(&mut self, words: &[String]) -> Result<()> {
        let (mut file, mut format) = (None, None);
        // Their order without one; in a line of ours it is left open.
        let mut order = Some("sequential").filter(|_| self.dashes == "-");
        let mut others = Vec::new();
        for word in words {
            match pair(word)? {
                ("file", name) => file = Some(name),
                ("format", kind @ ("epd" | "pgn")) => format = Some(kind),
                ("order", kind @ ("random" | "sequential")) => order = Some(kind),
                ("plies", plies) => others.push(("--plies", plies)),
                ("start", start) => others.push(("--start", start)),
                ("policy", "round") => {}
                ("policy", "default" | "encounter") => {
                    self.note(word, "all pairings of a round have the same opening");
                }
                _ => bail!(
                    "{word}: expected file, format=epd or pgn, order=random or sequential, plies, start"
                ),
            }
        }
        let file = file.context("expected file=…")?;
        if let Some(format) = format {
            let is_games = file.to_ascii_lowercase().ends_with(".pgn");
            ensure!(
                is_games == (format == "pgn"),
                "format={format}: expected the name of the file to say so: .pgn, or .epd, .fen or .txt"
            );
        }
        self.push("--openings", [file.to_owned()]);
        others.extend(order.map(|order| ("--order", order)));
        others.into_iter().for_each(|(flag, value)| self.push(flag, [value.to_owned()]));
        Ok(())
    }

    fn resign(&mut self, words: &[String]) -> Result<()> {
        let (sides, others): (Vec<_>, Vec<_>) =
            words.iter().cloned().partition(|word| word.starts_with("twosided="));
        if !sides.iter().any(|word| word == "twosided=true") {
            self.note("-resign", "both players must agree here, as with twosided=true");
        }
        self.with_defaults("--resign", &others, &["movecount=1", "score=0"])
    }

    /// A list with the others' defaults for the keys that it lacks.
    fn with_defaults(&mut self, flag: &str, words: &[String], defaults: &[&str]) -> Result<()> {
        let mut list = words.to_vec();
        let keys = words.iter().map(|word| Ok(pair(word)?.0)).collect::<Result<Vec<_>>>()?;
        list.extend(
            defaults
                .iter()
                .filter(|word| !keys.iter().any(|key| word.starts_with(key)))
                .map(|&w| w.to_owned()),
        );
        self.push(flag, list);
        Ok(())
    }

    fn pgnout(&mut self, words: &[String]) -> Result<()> {
        let comments =
            "the comments have score, depth and time, with --pgn-detail also nodes and the time left";
        let (mut file, mut has_detail) = (None, false);
        for (number, word) in words.iter().enumerate() {
            match word.split_once('=') {
                None if number == 0 => file = Some(word.as_str()),
                None if word == "fi" => self.note(word, "an abandoned game is written, and marked"),
                None if word == "min" => self.note(word, comments),
                Some(("file", name)) => file = Some(name),
                Some(("nodes" | "timeleft", "true")) => has_detail = true,
                Some(("notation", "san") | (_, "false")) => {}
                Some(("notation", _)) => self.note(word, "the moves are in SAN"),
                Some(("min" | "seldepth" | "nps" | "hashfull" | "tbhits" | "latency" | "match_line", _)) => {
                    self.note(word, comments);
                }
                _ => bail!("{word}: expected file=…"),
            }
        }
        self.push("--pgn", [file.context("expected file=…")?.to_owned()]);
        if has_detail {
            self.push("--pgn-detail", None);
        }
        Ok(())
    }

    fn log(&mut self, words: &[String]) -> Result<()> {
        let words = words.iter().map(|word| pair(word)).collect::<Result<Vec<_>>>()?;
        let file = words.iter().find(|(key, _)| *key == "file").context("expected file=…")?.1;
        match self.dashes == "--" || words.contains(&("engine", "true")) {
            true => self.push("--log", [file.to_owned()]),
            false => self.note("-log", "there is no log of the match itself; engine=true logs the engines"),
        }
        Ok(())
    }
}

fn pair(word: &str) -> Result<(&str, &str)> {
    word.split_once('=').with_context(|| format!("{word}: expected key=value"))
}

fn one(words: &[String]) -> Result<&str> {
    match words {
        [word] => Ok(word),
        _ => bail!("expected one value"),
    }
}

fn none(words: &[String]) -> Result<Option<String>> {
    ensure!(words.is_empty(), "expected no value");
    Ok(None)
}
