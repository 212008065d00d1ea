//! Translates flag by flag.

use anyhow::{Context as _, Result, bail, ensure};

use super::{
    Dialect, Group,
    Meaning::{Note, Refused, Same, Special, Switch},
    Translation, groups, is_mixed, meaning,
    players::Settings,
};

/// A translation in progress.
pub(super) struct Translator {
    dialect: Dialect,
    players: Vec<Settings>,
    each: Settings,
    rounds: Option<u64>,
    games: Option<u64>,
    /// The other flags.
    words: Vec<String>,
    notes: Vec<String>,
}

impl Translator {
    /// Translates a line whose foreign flags are of this dialect.
    pub(super) fn translate(words: &[String], dialect: Dialect) -> Result<Translation> {
        let new = Self {
            dialect,
            players: Vec::new(),
            each: Settings::default(),
            rounds: None,
            games: None,
            words: Vec::new(),
            notes: Vec::new(),
        };
        new.run(words)
    }

    fn run(mut self, words: &[String]) -> Result<Translation> {
        let has_rounds = groups(words).any(|group| group.flag == "--rounds");
        for group in groups(words) {
            let is_foreign = |name: &&str| match self.dialect {
                Dialect::Theirs => name.len() > 1,
                Dialect::Ours => {
                    is_mixed(&group)
                        || *name == "engine"
                        || *name == "each"
                        || (*name == "games" && has_rounds)
                }
            };
            match group.name(self.dialect).filter(is_foreign) {
                Some(name) => self.flag(name, &group).with_context(|| group.text())?,
                None => self.take_up(&group),
            }
        }
        self.number_of_games()?;
        let is_unlimited = self.players.iter().any(|player| player.is_without_limit(&self.each));
        ensure!(!is_unlimited, "tc=inf: expected another limit: st, nodes or depth");
        if self.dialect == Dialect::Theirs {
            self.note_defaults();
        }
        Ok(self.finished())
    }

    /// The line: first the players.
    fn finished(self) -> Translation {
        let lists = self.players.iter().map(|player| ("--engine", player.settings()));
        let each = Some(("--each", self.each.settings())).filter(|(_, list)| !list.is_empty());
        let players = lists.chain(each).flat_map(|(flag, list)| [flag.to_owned(), list]);
        Translation { words: players.chain(self.words).collect(), notes: self.notes }
    }

    /// Notes where this program does something else than the others unless it is told. Theirs is a line in
    /// which `each` takes precedence.
    fn note_defaults(&mut self) {
        for player in &mut self.players {
            for part in player.without(&self.each) {
                self.notes.push(format!("{part}: -each replaces it"));
            }
        }
        if self.each.lacks_margin() {
            self.note("no timemargin", "a move may take 50 ms more than the clock has, there none");
        }
        if !self.has("--openings") {
            let openings =
                if self.has("--chess960") { "960 starting positions" } else { "built-in openings" };
            self.note("no -openings", &format!("the {openings} are played"));
        }
    }

    /// Whether the line has this flag of ours, so far.
    fn has(&self, flag: &str) -> bool {
        self.words.iter().any(|word| word == flag)
    }

    /// Keeps a flag of ours.
    fn take_up(&mut self, group: &Group<'_>) {
        self.words.extend(Some(group.flag.to_owned()).filter(|flag| !flag.is_empty()));
        self.words.extend_from_slice(group.words);
    }

    fn push(&mut self, flag: &str, values: impl IntoIterator<Item = String>) {
        self.words.push(flag.to_owned());
        self.words.extend(values);
    }

    fn note(&mut self, what: &str, why: &str) {
        self.notes.push(format!("{what}: {why}"));
    }

    fn flag(&mut self, name: &str, group: &Group<'_>) -> Result<()> {
        match meaning(name) {
            Some(Same(ours)) => self.push(ours, [one(group.words)?.to_owned()]),
            Some(Switch(ours)) => self.push(ours, none(group.words)?),
            Some(Note(why)) => self.note(&group.text(), why),
            Some(Refused(why)) => bail!("{why}"),
            Some(Special) => self.special(name, group.words)?,
            None => bail!("unknown flag"),
        }
        Ok(())
    }

    /// The flags whose values differ.
    fn special(&mut self, name: &str, words: &[String]) -> Result<()> {
        match name {
            "engine" => self.players.push(Settings::read(words, self.dialect, &mut self.notes)?),
            "each" | "both" => self.each = Settings::read(words, self.dialect, &mut self.notes)?,
            "openings" => self.openings(words)?,
            "games" => self.games = Some(number(words)?),
            "rounds" => self.rounds = Some(number(words)?),
            "repeat" => {
                ensure!(
                    words.is_empty() || words == ["2"],
                    "expected 2, as often as every opening is played"
                );
            }
            "sprt" => self.sprt(words)?,
            "draw" => self.with_defaults("--draw", words, &["movenumber=0", "movecount=1", "score=0"])?,
            "resign" => self.resign(words)?,
            "pgnout" => self.pgnout(words)?,
            "log" => self.log(words)?,
            "variant" => self.choice(words, &[("standard", None), ("fischerandom", Some("--chess960"))])?,
            "tournament" => {
                let forms = [("roundrobin", None), ("gauntlet", Some("--gauntlet")), ("round-robin", None)];
                self.choice(words, &forms)?;
            }
            "seeds" => self.choice(words, &[("1", None), ("0", None)])?,
            "tb" => {
                let paths = one(words)?;
                let paths = if cfg!(windows) { paths.to_owned() } else { paths.replace(';', ":") };
                self.push("--syzygy", [paths]);
            }
            "maxmoves" => self.unless_zero("--max-moves", words)?,
            "ratinginterval" => self.unless_zero("--every", words)?,
            _ => unreachable!("the table has no other flag of this kind"),
        }
        Ok(())
    }

    /// A value that stands for a flag of ours, or for what is done without one.
    fn choice(&mut self, words: &[String], choices: &[(&str, Option<&str>)]) -> Result<()> {
        let value = one(words)?;
        let Some((_, flag)) = choices.iter().find(|(choice, _)| *choice == value) else {
            let known: Vec<_> = choices.iter().map(|(choice, _)| *choice).collect();
            bail!("expected {}", known.join(" or "));
        };
        self.words.extend(flag.map(str::to_owned));
        Ok(())
    }

    /// A number that turns something off if it is 0.
    fn unless_zero(&mut self, flag: &str, words: &[String]) -> Result<()> {
        match one(words)? {
            "0" => {}
            number => self.push(flag, [number.to_owned()]),
        }
        Ok(())
    }

    /// Two games a round, with colours reversed.
    fn number_of_games(&mut self) -> Result<()> {
        if let Some(games) = self.games {
            ensure!(games == 2, "games {games}: expected 2, the games of a round, and the number of rounds");
        }
        let rounds = match self.rounds {
            Some(rounds) => rounds,
            None if self.has("--games") || self.dialect == Dialect::Ours => return Ok(()),
            None if self.has("--sprt") => {
                self.note("no -rounds", "the test ends the match, after at most 20,000 games");
                return Ok(());
            }
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

    fn openings(&mut self, words: &[String]) -> Result<()> {
        let (mut file, mut format) = (None, None);
        // Their order without one; in a line of ours it is left open.
        let mut order = Some("sequential").filter(|_| self.dialect == Dialect::Theirs);
        let mut others = Vec::new();
        for word in words {
            match pair(word)? {
                ("file", name) => file = Some(name),
                ("format", kind @ ("epd" | "pgn")) => format = Some(kind),
                ("order", kind @ ("random" | "sequential")) => order = Some(kind),
                ("plies", plies) => others.push(("--plies", plies)),
                ("start", start) => others.push(("--start", start)),
                ("policy", "round") => {}
                ("policy", _) => self.note(word, "all pairings of a round have the same opening"),
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

    fn sprt(&mut self, words: &[String]) -> Result<()> {
        let has = |key: &str| words.iter().any(|word| word.starts_with(key));
        if !has("model=") {
            self.note("no model", "normalised, as in fastchess (in cutechess-cli logistic)");
        }
        if !has("alpha=") || !has("beta=") {
            self.note("no alpha or no beta", "0.05");
        }
        self.with_defaults("--sprt", words, &["model=normalised"])
    }

    fn resign(&mut self, words: &[String]) -> Result<()> {
        let (sides, others): (Vec<_>, Vec<_>) =
            words.iter().cloned().partition(|word| word.starts_with("twosided="));
        ensure!(others.iter().any(|word| word.starts_with("score=")), "expected score=…");
        if !sides.iter().any(|word| word == "twosided=true") {
            self.note("-resign", "both players must agree here, as with twosided=true");
        }
        self.with_defaults("--resign", &others, &["movecount=1"])
    }

    /// A list with the others' defaults for the keys that it lacks.
    fn with_defaults(&mut self, flag: &str, words: &[String], defaults: &[&str]) -> Result<()> {
        let mut list = words.to_vec();
        let keys = words.iter().map(|word| Ok(pair(word)?.0)).collect::<Result<Vec<_>>>()?;
        let is_missing = |word: &&&str| word.split_once('=').is_some_and(|(key, _)| !keys.contains(&key));
        list.extend(defaults.iter().filter(is_missing).map(|&word| word.to_owned()));
        self.push(flag, list);
        Ok(())
    }

    fn pgnout(&mut self, words: &[String]) -> Result<()> {
        let keys =
            ["notation", "min", "seldepth", "nps", "hashfull", "tbhits", "latency", "pv", "match_line"];
        let is_detail = |word: &str| keys.contains(&word.split('=').next().unwrap_or_default());
        let append = "an existing file is refused, or continued by --resume";
        let comments =
            "the comments have score, depth and time, with --pgn-detail also nodes and the time left";
        let (mut file, mut has_detail) = (None, false);
        for (number, word) in words.iter().enumerate() {
            match word.split_once('=') {
                None if number == 0 => file = Some(word.as_str()),
                None if word == "fi" => self.note(word, "an abandoned game is written, and marked"),
                None if word == "min" => self.note(word, comments),
                Some(("file", name)) => file = Some(name),
                Some(("nodes" | "timeleft", value)) => has_detail |= value == "true",
                Some(("notation", kind)) if kind != "san" => self.note(word, "the moves are in SAN"),
                Some(("append", _)) => self.note(word, append),
                Some(("notation", _) | (_, "false")) if is_detail(word) => {}
                Some(_) if is_detail(word) => self.note(word, comments),
                _ => bail!("{word}: unknown"),
            }
        }
        self.push("--pgn", [file.context("expected file=…")?.to_owned()]);
        if has_detail {
            self.push("--pgn-detail", None);
        }
        Ok(())
    }

    fn log(&mut self, words: &[String]) -> Result<()> {
        let (mut file, mut has_engines) = (None, self.dialect == Dialect::Ours);
        for word in words {
            match pair(word)? {
                ("file", name) => file = Some(name.to_owned()),
                ("engine", value) => has_engines |= value == "true",
                _ => self.note(word, "--log has all that the engines read and write, as text"),
            }
        }
        let file = file.context("expected file=…")?;
        match has_engines {
            true => self.push("--log", [file]),
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

fn number(words: &[String]) -> Result<u64> {
    one(words)?.parse().ok().context("expected a whole number")
}

fn none(words: &[String]) -> Result<Option<String>> {
    ensure!(words.is_empty(), "expected no value");
    Ok(None)
}
