//! One game of the data: start, moves with scores, and ending.

use integer_encoding::VarInt as _;
use serde::{Deserialize, Serialize};
use shakmaty::KnownOutcome;

use super::{Record, RecordError};
use crate::{
    chess::{
        position::{Legality, PackedMove, Position},
        value::{INFINITE, Value},
    },
    rules::BoardEnd,
};

/// The ending of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// Not recorded.
    #[default]
    Unknown,
    /// By checkmate.
    Checkmate,
    /// By stalemate.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// By repetition.
    Repetition,
    /// By the fifty-move rule.
    FiftyMoves,
    /// Adjudicated as a win, by scores or endgame tables.
    CalledWon,
    /// Adjudicated as a draw, by scores or endgame tables.
    CalledDrawn,
    /// Adjudicated as a draw because of its length.
    TooLong,
}

impl Termination {
    /// All endings, by their numbers in files.
    pub const ALL: [Self; 9] = [
        Self::Unknown,
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::Repetition,
        Self::FiftyMoves,
        Self::CalledWon,
        Self::CalledDrawn,
        Self::TooLong,
    ];
}

impl From<BoardEnd> for Termination {
    fn from(end: BoardEnd) -> Self {
        match end {
            BoardEnd::Checkmate { .. } => Self::Checkmate,
            BoardEnd::Stalemate => Self::Stalemate,
            BoardEnd::Threefold => Self::Repetition,
            BoardEnd::FiftyMoves => Self::FiftyMoves,
            BoardEnd::InsufficientMaterial => Self::InsufficientMaterial,
        }
    }
}

/// One ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move played.
    pub played: PackedMove,
    /// The score of the search that chose it, for the side to move.
    pub score: Value,
}

/// A game with a score for every move.
///
/// In a file:
///
/// ```text
///   32 bytes   the record of the first position: with its score, its best move and the result of the game
///    1 byte    the ending
///    1+ bytes  plies, at least 1: a varint (seven bits a byte, the lowest first, bit 7: more follow)
///   each ply
///    2 bytes   the move played, a `PackedMove`
///    1+ bytes  except for the first ply: score + score of the ply before (both for their side to move, so
///              the sum is the change), a zigzag varint
/// ```
///
/// The scores of most plies take one byte, so that a position takes slightly more than three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    first: Record,
    /// Its ending.
    pub ending: Termination,
    plies: Vec<Ply>,
}

/// The data are not a game, or a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game of chess")]
pub struct GameError;

/// The reason why a game cannot be written, because no reader would take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnfitGame {
    /// Its start has no record.
    #[error(transparent)]
    Start(#[from] RecordError),
    /// More plies than a game of chess can have.
    #[error("more than {MAX_PLIES} plies")]
    TooLong,
}

/// More plies than any game of chess can have: 5,949 full moves under the fifty-move rule.
pub(super) const MAX_PLIES: u32 = 12_000;

/// The most bytes that a position takes: those of a game of one ply, with a change of the score.
pub(super) const MAX_POSITION_SIZE: usize = Record::SIZE + 1 + 1 + 2 + 3;

impl TrainingGame {
    /// Returns a game from `start` with `plies`, which must not be empty.
    ///
    /// # Errors
    ///
    /// [`UnfitGame`] if it has too many pieces or plies.
    ///
    /// # Panics
    ///
    /// If there are no plies.
    pub fn new(
        start: &Position,
        plies: Vec<Ply>,
        result: KnownOutcome,
        ending: Termination,
    ) -> Result<Self, UnfitGame> {
        if plies.len() > MAX_PLIES as usize {
            return Err(UnfitGame::TooLong);
        }
        let first = Record::new(start, plies[0].score, plies[0].played, result)?;
        Ok(Self { first, ending, plies })
    }

    /// The result.
    #[must_use]
    pub fn result(&self) -> KnownOutcome {
        self.first.result()
    }

    /// The first position as a record, with its score, its best move and the result of the game.
    #[must_use]
    pub fn first(&self) -> &Record {
        &self.first
    }

    /// The moves with their scores; at least one.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Replays the game and passes every position with its ply to `each`.
    ///
    /// # Errors
    ///
    /// [`GameError`] if a move is illegal; the positions before it have been passed.
    pub fn replay(&self, mut each: impl FnMut(&Position, &Ply)) -> Result<(), GameError> {
        let mut position = self.first.position().map_err(|_| GameError)?;
        for ply in &self.plies {
            each(&position, ply);
            let m = Legality::of(&position).unpack(ply.played).ok_or(GameError)?;
            position.play(m);
        }
        Ok(())
    }

    /// Appends its positions as records.
    ///
    /// # Errors
    ///
    /// [`GameError`] if a move is illegal; the positions before it have been appended.
    pub fn records(&self, into: &mut Vec<Record>) -> Result<(), GameError> {
        let result = self.result();
        into.reserve(self.plies.len());
        self.replay(|position, ply| {
            // A game that begins with at most 32 pieces never has more.
            into.extend(Record::new(position, ply.score, ply.played, result));
        })
    }

    /// Appends the bytes of the game to `bytes`.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.first.to_bytes());
        bytes.push(self.ending as u8);
        bytes.extend((self.plies.len() as u32).encode_var_vec());
        let mut before = None::<Value>;
        for ply in &self.plies {
            bytes.extend(ply.played.bits().to_le_bytes());
            if let Some(before) = before {
                bytes.extend((ply.score + before).encode_var_vec());
            }
            before = Some(ply.score);
        }
    }

    /// Parses the result of [`write`](Self::write) from the beginning of `bytes`, and advances `bytes`.
    ///
    /// # Errors
    ///
    /// [`GameError`] for bytes that it cannot have written. Only [`replay`](Self::replay) checks whether the
    /// moves are legal.
    pub fn read(bytes: &mut &[u8]) -> Result<Self, GameError> {
        let first = Record::from_bytes(take::<{ Record::SIZE }>(bytes)?).map_err(|_| GameError)?;
        let [ending] = *take(bytes)?;
        let ending = *Termination::ALL.get(usize::from(ending)).ok_or(GameError)?;
        let (count, length) = u32::decode_var(bytes).ok_or(GameError)?;
        if !(1..=MAX_PLIES).contains(&count) {
            return Err(GameError);
        }
        *bytes = &bytes[length..];
        let mut plies = Vec::with_capacity(count as usize);
        let mut score = first.score();
        for number in 0..count {
            let played = read_move(bytes)?;
            if number > 0 {
                let (change, length) = i32::decode_var(bytes).ok_or(GameError)?;
                *bytes = &bytes[length..];
                score = change.checked_sub(score).ok_or(GameError)?;
                if score.checked_abs().is_none_or(|size| size >= INFINITE) {
                    return Err(GameError);
                }
            } else if played != first.best_move() {
                return Err(GameError);
            }
            plies.push(Ply { played, score });
        }
        Ok(Self { first, ending, plies })
    }
}

/// Splits off the first bytes.
fn take<'b, const N: usize>(bytes: &mut &'b [u8]) -> Result<&'b [u8; N], GameError> {
    let (first, rest) = bytes.split_first_chunk().ok_or(GameError)?;
    *bytes = rest;
    Ok(first)
}

fn read_move(bytes: &mut &[u8]) -> Result<PackedMove, GameError> {
    PackedMove::from_bits(u16::from_le_bytes(*take(bytes)?)).ok_or(GameError)
}

#[cfg(test)]
pub(super) mod tests;
