//! Openings: starting positions from EPD, from PGN, built in, or generated; in the order of the file or
//! shuffled by a seed.
//!
//! No two openings of a match end with the same position, because games from one position may be copies of
//! each other. The openings of a book come first, each once. Those of the rounds beyond are made by a
//! [`Generator`].

mod book;
mod scan;

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::arena::line::Line;
use crate::chess::position::{Position, chess960};

use book::Book;

/// The built-in set, Zugwerk's own: random walks of four to six plies from the starting position. Each ply
/// was chosen among the moves that Stockfish 15.1 at depth 7 held within 0.70 (first two plies) or 0.35 pawns
/// (later) of its best. A walk was kept if depth 15 evaluated its end within 0.40 pawns of even, no kept walk
/// had that end, and fewer than ten began with the same two plies. (The file has no comments, so that other
/// match tools can read it too.)
const BUILT_IN: &str = include_str!("../../../../positions/openings.epd");

/// An opening.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Its start and moves.
    pub line: Line,
    /// What the book says of it: names and values of PGN tags, such as `ECO` and `Opening`.
    pub tags: Vec<(&'static str, String)>,
}

impl From<Line> for Opening {
    fn from(line: Line) -> Self {
        Opening { line, tags: Vec::new() }
    }
}

/// Openings, in the order in which pairs of games use them.
#[derive(Debug)]
pub struct Openings {
    book: Book,
    how: Reading,
    /// The order and the generator, for the manifest.
    settings: String,
    drawn: Mutex<Drawn>,
}

/// Makes openings for the rounds beyond a book.
pub trait Generator: Debug + Send {
    /// Returns the opening of `round`: a position for which `is_new` holds and in which the game is not over.
    /// `book` is an opening of the book, if there is a book. The same call always gives the same opening.
    fn generate(
        &mut self,
        round: usize,
        book: Option<&Position>,
        is_new: &(dyn Fn(&Position) -> bool + Sync),
    ) -> Position;
}

/// The openings that have been drawn.
#[derive(Debug, Default)]
struct Drawn {
    /// The places in the book of the openings of the first rounds.
    from_book: Vec<u64>,
    /// The number of places in the book that have been read.
    read: usize,
    /// The FENs of the generated openings by their rounds.
    generated: HashMap<usize, String>,
    /// The number of the first rounds whose openings are all known.
    rounds: usize,
    /// The keys of the last positions of all these openings.
    ends: HashSet<u64>,
    generator: Option<Box<dyn Generator>>,
}

/// The reason why openings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The extension of its name is unknown.
    #[error("expected a file named .epd, .fen, .txt or .pgn")]
    Format,
    /// An opening is not a valid start.
    #[error("line {line}: {reason}")]
    Opening {
        /// The number of its line, or of the first line of its game, from 1.
        line: usize,
        /// The error.
        reason: String,
    },
    /// The file has no openings.
    #[error("no openings in it")]
    Empty,
}

/// Options for reading an openings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Treats every opening as Chess960, not only those whose castling rights need it.
    pub chess960: bool,
    /// The number of plies to play of each PGN game.
    pub plies: usize,
}

impl Default for Reading {
    fn default() -> Self {
        Reading { chess960: false, plies: usize::MAX }
    }
}

impl Openings {
    /// The built-in openings.
    ///
    /// ```
    /// let openings = zugwerk::arena::schedule::openings::Openings::built_in();
    /// assert!(openings.len() >= 200);
    /// ```
    #[must_use]
    pub fn built_in() -> Self {
        Openings::from_epd(BUILT_IN, Reading::default())
    }

    /// The 960 starting positions of Chess960.
    ///
    /// ```
    /// let openings = zugwerk::arena::schedule::openings::Openings::chess960();
    /// assert_eq!(openings.len(), 960);
    /// let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    /// assert_eq!(openings.of_round(518)?.line.start_fen().as_deref(), Some(usual));
    /// # Ok::<(), zugwerk::arena::schedule::openings::OpeningsError>(())
    /// ```
    #[must_use]
    pub fn chess960() -> Self {
        let starts: Vec<String> = (0..960).map(|number| chess960(number, number).fen()).collect();
        Openings::from_epd(starts.join("\n"), Reading { chess960: true, ..Reading::default() })
    }

    /// No book: all openings are [generated](Self::then_generated).
    #[must_use]
    pub fn without_book(how: Reading) -> Self {
        Openings::from_epd("", how)
    }

    /// Opens a file; the extension of its name determines the format. Only the places of its openings are
    /// kept in memory.
    ///
    /// # Errors
    /// [`OpeningsError`], also if the first opening of the file is invalid.
    pub fn open(path: &Path, how: Reading) -> Result<Self, OpeningsError> {
        let openings = Openings::of(Book::open(path, how)?, how);
        match openings.book.places.first() {
            Some(&place) => openings.book.read(place).map(|_| openings),
            None => Err(OpeningsError::Empty),
        }
    }

    /// The openings of EPD or FEN lines; blank lines and lines that begin with `#` are skipped.
    pub fn from_epd(text: impl AsRef<[u8]> + Send + Debug + 'static, how: Reading) -> Self {
        Openings::of(Book::from_lines(text, how), how)
    }

    fn of(book: Book, how: Reading) -> Self {
        let Reading { chess960, plies } = how;
        let mut settings = book.checksum.clone();
        if chess960 {
            settings += ", Chess960";
        }
        if plies < usize::MAX {
            settings += &format!(", {plies} plies");
        }
        Openings { book, how, settings, drawn: Mutex::default() }
    }

    /// Shuffles those of the book by a seed: the same seed always gives the same order.
    ///
    /// Fisher and Yates's shuffle with SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
    /// generators", 2014). Implemented here because a resumed match needs the same order with every later
    /// version of a library.
    #[must_use]
    pub fn shuffled(mut self, seed: u64) -> Self {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        for last in (1..self.len()).rev() {
            // The bias of the modulo is below last / 2^64.
            let pick = (next() % (last as u64 + 1)) as usize;
            self.book.places.swap(last, pick);
        }
        self.settings += &format!(", shuffled by {seed}");
        self
    }

    /// Puts the first `count` of the book, modulo their number, behind the others.
    #[must_use]
    pub fn skipping(mut self, count: usize) -> Self {
        let count = count % self.len().max(1);
        self.book.places.rotate_left(count);
        if count > 0 {
            self.settings += &format!(", from number {}", count + 1);
        }
        self
    }

    /// Lets `generator`, whose openings depend on `seed`, make those of the rounds beyond the book. Without
    /// it the book is used again.
    #[must_use]
    pub fn then_generated(mut self, generator: Box<dyn Generator>, seed: u64) -> Self {
        self.settings += &format!(", then generated from {seed}");
        self.drawn.get_mut().unwrap_or_else(PoisonError::into_inner).generator = Some(generator);
        self
    }

    /// The number of openings in the book.
    #[expect(clippy::len_without_is_empty, reason = "a book may be empty only if there is none")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.book.places.len()
    }

    /// The number of different openings in the book, if it is used up.
    #[must_use]
    pub fn different(&self) -> Option<usize> {
        let drawn = self.drawn();
        let is_used_up = drawn.rounds > drawn.from_book.len();
        is_used_up.then_some(drawn.from_book.len())
    }

    /// All that determines the openings: a checksum of the book, their order, and the generator.
    #[must_use]
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// The opening of round `round`, from 0.
    ///
    /// # Errors
    /// [`OpeningsError`]: the book cannot be read up to there, or has no valid opening.
    pub fn of_round(&self, round: usize) -> Result<Opening, OpeningsError> {
        let mut drawn = self.drawn();
        self.draw_from_book(&mut drawn, round)?;
        for round in drawn.rounds..=round {
            if drawn.is_generated(round) && !drawn.generated.contains_key(&round) {
                self.generate(&mut drawn, round)?;
            }
            drawn.rounds = round + 1;
        }
        self.opening(&drawn, round)
    }

    /// Whether a game of round `round` that an earlier run has played began with its opening. The first such
    /// game decides what the opening is if it is a generated one, because another version of the program may
    /// generate others.
    ///
    /// # Errors
    /// Those of [`of_round`](Self::of_round).
    pub fn accepts(&self, round: usize, game: &Line) -> Result<bool, OpeningsError> {
        let mut drawn = self.drawn();
        self.draw_from_book(&mut drawn, round)?;
        if drawn.is_generated(round) && !drawn.generated.contains_key(&round) {
            drawn.enter(round, &Position::new(game.start().clone()));
        }
        let opening = self.opening(&drawn, round)?.line;
        Ok(game.start_fen() == opening.start_fen() && game.moves().starts_with(opening.moves()))
    }

    /// Draws from the book until it is used up or has the opening of `round`. What ends like an opening
    /// before is left out, and so is a game that is over.
    fn draw_from_book(&self, drawn: &mut Drawn, round: usize) -> Result<(), OpeningsError> {
        while drawn.from_book.len() <= round
            && let Some(&place) = self.book.places.get(drawn.read)
        {
            if let Some(opening) = self.book.read(place)?
                && drawn.ends.insert(opening.line.position().key())
            {
                drawn.from_book.push(place);
            }
            drawn.read += 1;
        }
        Ok(())
    }

    /// The opening of the book that `round` has if the book is used again and again; `None` if it is empty.
    fn book_again(&self, drawn: &Drawn, round: usize) -> Result<Option<Opening>, OpeningsError> {
        let count = drawn.from_book.len().max(1);
        drawn.from_book.get(round % count).map_or(Ok(None), |&place| self.book.read(place))
    }

    fn generate(&self, drawn: &mut Drawn, round: usize) -> Result<(), OpeningsError> {
        let book = self.book_again(drawn, round)?;
        let Drawn { ends, generator: Some(generator), .. } = drawn else { return Ok(()) };
        let is_new = |position: &Position| !ends.contains(&position.key());
        let opening = generator.generate(round, book.as_ref().map(|book| book.line.position()), &is_new);
        drawn.enter(round, &opening);
        Ok(())
    }

    /// The opening of `round`, which has been drawn.
    fn opening(&self, drawn: &Drawn, round: usize) -> Result<Opening, OpeningsError> {
        match drawn.generated.get(&round) {
            Some(fen) => Ok(Line::from_fen(fen, self.how.chess960).expect("a game can begin there").into()),
            None => self.book_again(drawn, round)?.ok_or(OpeningsError::Empty),
        }
    }

    fn drawn(&self) -> MutexGuard<'_, Drawn> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drawn {
    /// Whether the opening of `round`, up to which the book has been drawn, is a generated one.
    fn is_generated(&self, round: usize) -> bool {
        round >= self.from_book.len() && self.generator.is_some()
    }

    /// Enters the generated opening of `round`.
    fn enter(&mut self, round: usize, opening: &Position) {
        self.ends.insert(opening.key());
        self.generated.insert(round, opening.fen());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generates pawn endings, the white pawn on any of 40 squares.
    #[derive(Debug)]
    struct Pawns;

    impl Generator for Pawns {
        fn generate(
            &mut self,
            round: usize,
            book: Option<&Position>,
            is_new: &(dyn Fn(&Position) -> bool + Sync),
        ) -> Position {
            let turn = book.map_or('w', |book| book.turn().char());
            let pawn = |number: usize| {
                let (rank, file) = (1 + number / 8 % 5, number % 8);
                let board = (0..6).map(|at| match (at == rank, file) {
                    (false, _) => "8".to_owned(),
                    (true, _) => format!("{file}P{}", 7 - file).replace('0', ""),
                });
                format!("4k3/{}/4K3 {turn} - - 0 1", board.collect::<Vec<_>>().join("/"))
            };
            let openings = (round..).map(|number| Position::from_fen(&pawn(number)).unwrap());
            openings.into_iter().find(|opening| is_new(opening)).unwrap()
        }
    }

    const BOOK: &str =
        "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - - 0 1\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 9\n";

    fn starts(openings: &Openings, rounds: impl Iterator<Item = usize>) -> Vec<String> {
        rounds.map(|round| openings.of_round(round).unwrap().line.fen()).collect()
    }

    #[test]
    fn the_built_in_sets_are_sound() {
        for (openings, chess960) in [(Openings::built_in(), false), (Openings::chess960(), true)] {
            let lines: Vec<Line> =
                (0..openings.len()).map(|round| openings.of_round(round).unwrap().line).collect();
            let starts: HashSet<_> = lines.iter().filter_map(Line::start_fen).collect();
            assert_eq!(starts.len(), openings.len(), "each has a FEN, and none stands there twice");
            assert!(lines.iter().all(|line| line.is_chess960() == chess960));
        }
    }

    /// A book may be too long to be checked before the match.
    #[test]
    fn a_bad_line_is_named_when_it_is_used() {
        let text = "# head\r\n\r\n4k3/8/8/8/8/8/4P3/4K3 w - -\rnonsense\n";
        let openings = Openings::from_epd(text, Reading::default());
        openings.of_round(0).unwrap();
        let error = openings.of_round(1).unwrap_err();
        assert!(error.to_string().starts_with("line 4: not a FEN"), "{error}");
        let error = Openings::from_epd("# nothing", Reading::default()).of_round(0).unwrap_err();
        assert_eq!(error.to_string(), "no openings in it");
    }

    #[test]
    fn a_book_may_name_its_openings() {
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - eco A00; id \"A pawn; alone\";\n";
        let opening = Openings::from_epd(text, Reading::default()).of_round(0).unwrap();
        assert_eq!(opening.tags, [("ECO", "A00".to_owned()), ("Opening", "A pawn; alone".to_owned())]);
        let tags = |id: &str| {
            let text = format!("4k3/8/8/8/8/8/4P3/4K3 w - - id \"{id}\";");
            Openings::from_epd(text, Reading::default()).of_round(0).unwrap().tags
        };
        let named = [("ECO", "B20".to_owned()), ("Opening", "Sicilian Defense".to_owned())];
        assert_eq!(tags("1. e4 c5 2. h3"), named, "the moves have a name");
        for id in ["WAC.001", "A pawn"] {
            assert_eq!(tags(id), [("Opening", id.to_owned())]);
        }
    }

    #[test]
    fn a_seed_gives_one_order_with_everything_in_it() {
        let shuffled = |seed| starts(&Openings::chess960().shuffled(seed), 0..960);
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        assert_eq!(shuffled(7).into_iter().collect::<HashSet<_>>().len(), 960);
        let skipping = Openings::built_in().shuffled(7).skipping(1);
        assert_eq!(
            skipping.of_round(0).unwrap().line.fen(),
            Openings::built_in().shuffled(7).of_round(1).unwrap().line.fen()
        );
    }

    /// The third opening of the book is the first one again.
    #[test]
    fn openings_are_different_also_beyond_the_book() {
        let openings = || Openings::from_epd(BOOK, Reading::default());
        assert_eq!(starts(&openings(), 0..4), starts(&openings(), [0, 1, 0, 1].into_iter()), "no generator");
        let generated = || openings().then_generated(Box::new(Pawns), 1);
        let all = starts(&generated(), 0..30);
        assert_eq!(all[..2], starts(&openings(), 0..2));
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 30);
        // Whoever asks first.
        let late = generated();
        assert_eq!(late.of_round(20).unwrap().line.fen(), all[20]);
        assert_eq!(starts(&late, 0..30), all);
        assert_eq!(late.different(), Some(2));
        let alone = Openings::without_book(Reading::default()).then_generated(Box::new(Pawns), 1);
        assert_eq!(starts(&alone, 0..30).into_iter().collect::<HashSet<_>>().len(), 30);
    }

    /// Another version of the program may generate others.
    #[test]
    fn the_games_of_an_earlier_run_decide_what_was_generated() {
        let openings = Openings::from_epd(BOOK, Reading::default()).then_generated(Box::new(Pawns), 1);
        let line = |fen: &str| Line::from_fen(fen, false).unwrap();
        let (book, own) = (line("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"), line("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        assert!(openings.accepts(1, &book).unwrap() && !openings.accepts(0, &book).unwrap());
        assert!(openings.accepts(5, &own).unwrap() && !openings.accepts(5, &book).unwrap());
        assert_eq!(openings.of_round(5).unwrap().line.fen(), own.fen());
        assert_eq!(starts(&openings, 0..9).into_iter().collect::<HashSet<_>>().len(), 9);
    }
}
