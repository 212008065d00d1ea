//! The starting positions of Chess960.

use super::Position;

/// Returns the starting position with the arrangement `white` for White and `black` for Black.
///
/// Numbers follow R. Scharnagl's scheme, 0 to 959 (larger ones are taken modulo 960); 518 is standard chess.
/// Two different numbers give double Chess960.
#[must_use]
pub fn chess960(white: u32, black: u32) -> Position {
    let (white, black) = (arrangement(white), arrangement(black).to_lowercase());
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    Position::from_fen(&fen).expect("chess can be played from every arrangement")
}

/// Returns the pieces on files a to h. The four drawings use 4 · 4 · 6 · 10 = 960 values, so larger numbers
/// need no reduction.
fn arrangement(number: u32) -> String {
    /// The free squares, of five, on which the knights stand.
    const KNIGHTS: [[usize; 2]; 10] =
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let mut pieces = ['\0'; 8];
    let mut rest = number as usize;
    let mut next = |count: usize| {
        let drawn = rest % count;
        rest /= count;
        drawn
    };
    pieces[2 * next(4) + 1] = 'B';
    pieces[2 * next(4)] = 'B';
    let free = |pieces: &[char; 8]| (0..8).filter(|&file| pieces[file] == '\0').collect::<Vec<_>>();
    pieces[free(&pieces)[next(6)]] = 'Q';
    let squares = free(&pieces);
    KNIGHTS[next(10)].iter().for_each(|&index| pieces[squares[index]] = 'N');
    for (file, piece) in free(&pieces).into_iter().zip("RKR".chars()) {
        pieces[file] = piece;
    }
    pieces.iter().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use shakmaty::CastlingMode;

    use super::*;

    #[test]
    fn there_are_960_arrangements_and_number_518_is_the_usual_one() {
        assert_eq!(arrangement(518), "RNBQKBNR");
        assert_eq!(arrangement(0), "BBQNNRKR");
        assert_eq!(arrangement(959), "RKRNNQBB");
        assert_eq!(arrangement(u32::MAX), arrangement(u32::MAX % 960));
        let all: HashSet<_> = (0..960).map(arrangement).collect();
        assert_eq!(all.len(), 960);
        for pieces in all {
            let at = |piece| pieces.match_indices(piece).map(|(file, _)| file).collect::<Vec<_>>();
            assert!(at('R')[0] < at('K')[0] && at('K')[0] < at('R')[1], "{pieces}");
            assert_ne!(at('B')[0] % 2, at('B')[1] % 2, "{pieces}");
        }
        for number in 0..960 {
            let position = chess960(number, 959 - number);
            assert!(!position.legal_moves().is_empty());
            assert_eq!(
                position.castling_mode(),
                CastlingMode::Chess960,
                "{number}: at least one side needs it"
            );
        }
        assert_eq!(chess960(518, 518).castling_mode(), CastlingMode::Standard);
    }
}
