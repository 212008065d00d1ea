//! What a FEN says that its position cannot have.

use shakmaty::{EnPassantMode, Position as _, fen::Fen};

use super::Position;

/// What [`Position::from_fen`] has dropped or put right in `fen`, in words; nothing if it refuses the FEN.
///
/// ```
/// use zugwerk::chess::position::fen_flaws;
/// let flaws = fen_flaws("4k3/8/8/44/8/8/8/4K2R w KQ e6 0 1");
/// assert_eq!(flaws[0], "two numbers side by side in 44");
/// assert_eq!(flaws[1], "a castling right without king and rook, which is dropped: a1");
/// assert_eq!(flaws[2], "an en-passant square without a pawn before it, which is dropped: e6");
/// ```
#[must_use]
pub fn fen_flaws(fen: &str) -> Vec<String> {
    let (Ok(read), Ok(position)) = (fen.parse::<Fen>(), Position::from_fen(fen)) else { return Vec::new() };
    let (said, kept) = (read.into_setup(), position.chess().to_setup(EnPassantMode::Always));
    let ranks = fen.split(' ').next().unwrap_or_default().split('/');
    let divided =
        ranks.filter(|rank| rank.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_digit)));
    let mut flaws: Vec<String> = divided.map(|rank| format!("two numbers side by side in {rank}")).collect();
    for square in said.castling_rights & !kept.castling_rights {
        flaws.push(format!("a castling right without king and rook, which is dropped: {square}"));
    }
    if let Some(square) = said.ep_square.filter(|square| kept.ep_square != Some(*square)) {
        flaws.push(format!("an en-passant square without a pawn before it, which is dropped: {square}"));
    }
    flaws
}
