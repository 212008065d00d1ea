//! A game in the referee's representation: its start, its moves, and whether the rules have ended it.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position as _};

use crate::chess::position::Position;
use crate::rules::BoardEnd;

/// The reason why a FEN cannot be the start of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// It is not a FEN.
    #[error("not a FEN: {0}")]
    Syntax(String),
    /// The rules do not allow the position.
    #[error("impossible position: {0}")]
    Position(String),
    /// The game is already over.
    #[error("the game is already over")]
    Over,
}

/// A game: a start and the moves from there.
#[derive(Debug, Clone)]
pub struct Line {
    start: Chess,
    chess960: bool,
    position: Position,
    moves: Vec<Move>,
}

impl Line {
    /// Returns a game from `start`. In `chess960` games castling is written king-takes-rook and FENs are
    /// Shredder-FENs.
    #[must_use]
    pub fn new(start: Chess, chess960: bool) -> Self {
        Line { position: Position::new(start.clone()), start, chess960, moves: Vec::new() }
    }

    /// Returns a game from a FEN with four to six fields. It is a Chess960 game if `chess960` is set or if
    /// only Chess960 has such castling rights.
    ///
    /// ```
    /// use zugwerk::arena::line::Line;
    /// let line = Line::from_fen("nqrbknbr/pppppppp/8/8/8/8/PPPPPPPP/NQRBKNBR w KQkq - 0 1", false)?;
    /// assert!(line.is_chess960());
    /// assert_eq!(line.command(), "position fen nqrbknbr/pppppppp/8/8/8/8/PPPPPPPP/NQRBKNBR w HChc - 0 1");
    /// # Ok::<(), zugwerk::arena::line::StartError>(())
    /// ```
    ///
    /// # Errors
    /// [`StartError`] if it is not a FEN, if the position is impossible, or if the game is over.
    pub fn from_fen(text: &str, chess960: bool) -> Result<Self, StartError> {
        let fen = Fen::from_ascii(text.as_bytes());
        let setup = fen.map_err(|error| StartError::Syntax(error.to_string()))?.into_setup();
        let chess960 = chess960 || CastlingMode::detect(&setup).is_chess960();
        // Many books have en passant squares that no pawn can use; they are ignored.
        let position = setup
            .position::<Chess>(CastlingMode::from_chess960(chess960))
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .map_err(|error| StartError::Position(error.to_string()))?;
        let line = Line::new(position, chess960);
        if line.end().is_some() { Err(StartError::Over) } else { Ok(line) }
    }

    /// Whether Chess960 notation is used.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// The current position, with its history.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the rules end the game here.
    #[must_use]
    pub fn end(&self) -> Option<BoardEnd> {
        BoardEnd::of(&self.position)
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The starting position.
    #[must_use]
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The moves so far, including the opening.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The FEN of the start, Shredder-FEN in Chess960; `None` for the standard starting position in standard
    /// chess.
    #[must_use]
    pub fn start_fen(&self) -> Option<String> {
        let text = fen(&self.start, self.chess960);
        (text != Position::default().fen()).then_some(text)
    }

    /// The FEN of the current position, Shredder-FEN in Chess960.
    #[must_use]
    pub fn fen(&self) -> String {
        fen(self.position.chess(), self.chess960)
    }

    /// The UCI command that sets up the current position: the start and every move since.
    #[must_use]
    pub fn command(&self) -> String {
        let start = self.start_fen().map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
        let mut words = vec!["position".to_owned(), start];
        if !self.moves.is_empty() {
            words.push("moves".to_owned());
        }
        words.extend(self.moves.iter().map(|&mv| self.uci(mv)));
        words.join(" ")
    }

    /// Parses a legal move in UCI notation; castling is accepted both as `e1g1` and as `e1h1`.
    #[must_use]
    pub fn read_move(&self, text: &str) -> Option<Move> {
        text.parse::<UciMove>().ok()?.to_move(self.position.chess()).ok()
    }

    /// Writes a legal move in UCI notation.
    #[must_use]
    pub fn uci(&self, mv: Move) -> String {
        mv.to_uci(CastlingMode::from_chess960(self.chess960)).to_string()
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position.play(mv);
        self.moves.push(mv);
    }
}

/// The FEN of a position, with Shredder's castling letters (`HAha`) if requested: only they are unambiguous
/// in Chess960.
fn fen(position: &Chess, shredder: bool) -> String {
    let text = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let rooks = position.castles().castling_rights();
    if !shredder || rooks.is_empty() {
        return text;
    }
    let letters = Color::ALL.into_iter().flat_map(|color| {
        let own = (rooks & color.backrank()).into_iter().rev();
        own.map(move |rook| color.fold_wb(rook.file().upper_char(), rook.file().char()))
    });
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    fields[2] = letters.collect();
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(start: &str, moves: &str) -> Line {
        let mut line = match start {
            "" => Line::new(Chess::default(), false),
            fen => Line::from_fen(fen, false).unwrap(),
        };
        for text in moves.split_whitespace() {
            assert_eq!(line.end(), None, "before {text}");
            line.play(line.read_move(text).unwrap_or_else(|| panic!("{text} is illegal")));
        }
        line
    }

    #[test]
    fn lost_castling_rights_make_another_position() {
        // Kings on e2 and e7: the first time with rooks on their squares, but the rights are lost. Kings back
        // on e1 and e8: the first time with all rights, later without.
        let there = "e1e2 e8e7";
        let walk = format!("{there} e2e1 e7e8");
        let twice = format!("e2e4 e7e5 {walk} {walk}");
        assert_eq!(played("", &twice).end(), None, "e1 and e8: once with rights, twice without");
        let end = played("", &format!("{twice} {there}")).end();
        assert_eq!(end, Some(BoardEnd::Threefold), "e2 and e7: three times without");
    }

    #[test]
    fn engines_are_told_the_start_and_every_move() {
        let line = played("", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
        assert_eq!(line.command(), "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
        assert_eq!(line.start_fen(), None);
        let line = played("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1");
        assert_eq!(line.command(), "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
        let counted = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 1";
        assert_eq!(played(counted, "").command(), format!("position fen {counted}"));
    }

    #[test]
    fn chess960_castles_onto_the_rook() {
        let mut line = Line::from_fen("1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1", false).unwrap();
        assert!(line.is_chess960());
        line.play(line.read_move("e1g1").expect("the king takes its own rook"));
        assert!(line.command().ends_with(" w GBgb - 0 1 moves e1g1"), "{}", line.command());
        let forced =
            Line::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true).unwrap();
        assert!(forced.command().contains(" w HAha "), "{}", forced.command());
    }

    #[test]
    fn hopeless_starts_are_refused() {
        let refuse = |fen| Line::from_fen(fen, false).unwrap_err();
        assert!(matches!(refuse("rubbish"), StartError::Syntax(_)));
        assert!(matches!(refuse("8/8/8/8/8/8/8/K7 w - - 0 1"), StartError::Position(_)));
        assert_eq!(refuse("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), StartError::Over);
    }
}
