//! The letters of the pieces in languages other than English.

/// The letters of a language.
#[derive(Debug, PartialEq, Eq)]
pub struct Letters {
    /// The language, or several that have the same letters.
    pub language: &'static str,
    /// King, queen, rook, bishop, knight.
    pub pieces: [&'static str; 5],
}

/// King, queen, rook, bishop, knight.
const ENGLISH: &str = "KQRBN";

/// The letters that are tried where a game cannot be read with those of English, in this order. All but
/// Turkish and Russian, in which much is published, are in the PGN standard (section 8.2.3.2); a language is
/// a line.
pub(super) const OTHERS: [Letters; 13] = [
    Letters { language: "German or Scandinavian", pieces: ["K", "D", "T", "L", "S"] },
    Letters { language: "French", pieces: ["R", "D", "T", "F", "C"] },
    Letters { language: "Spanish or Italian", pieces: ["R", "D", "T", "A", "C"] },
    Letters { language: "Dutch", pieces: ["K", "D", "T", "L", "P"] },
    Letters { language: "Portuguese", pieces: ["R", "D", "T", "B", "C"] },
    Letters { language: "Romanian", pieces: ["R", "D", "T", "N", "C"] },
    Letters { language: "Polish", pieces: ["K", "H", "W", "G", "S"] },
    Letters { language: "Czech or Slovak", pieces: ["K", "D", "V", "S", "J"] },
    Letters { language: "Hungarian", pieces: ["K", "V", "B", "F", "H"] },
    Letters { language: "Finnish", pieces: ["K", "D", "T", "L", "R"] },
    Letters { language: "Icelandic", pieces: ["K", "D", "H", "B", "R"] },
    Letters { language: "Turkish", pieces: ["Ş", "V", "K", "F", "A"] },
    Letters { language: "Russian", pieces: ["Кр", "Ф", "Л", "С", "К"] },
];

impl Letters {
    /// Returns the move `word` with the letters of English: `Sf3` becomes `Nf3`, and `e8D` becomes `e8Q`.
    /// What stands behind a move stays, such as a sign. `None` if it begins with a letter that only English
    /// has.
    pub(super) fn in_english(&self, word: &str) -> Option<String> {
        if let Some((letter, rest)) = self.piece(word) {
            return Some(format!("{letter}{rest}"));
        }
        if word.starts_with(|c| ENGLISH.contains(c)) {
            return None;
        }
        // A promotion stands behind the last rank.
        let rank = word.find(['1', '8']).map_or(word.len(), |at| at + 1);
        let sign = word[rank..].find(|c| !"=(/".contains(c)).map_or(word.len(), |at| rank + at);
        let (pawn, promotion) = word.split_at(sign);
        Some(
            self.piece(promotion)
                .map_or_else(|| word.into(), |(letter, rest)| format!("{pawn}{letter}{rest}")),
        )
    }

    /// The English letter of the piece with which `word` begins, and the rest of it.
    fn piece<'w>(&self, word: &'w str) -> Option<(char, &'w str)> {
        self.pieces
            .iter()
            .zip(ENGLISH.chars())
            .find_map(|(piece, letter)| Some((letter, word.strip_prefix(piece)?)))
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::pgn::{Game, read_games};

    fn read(pgn: &str) -> Game {
        read_games(pgn.as_bytes()).unwrap().remove(0).unwrap()
    }

    /// The same game in every language, with a king's move and a promotion.
    #[test]
    fn games_are_read_by_the_letters_that_fit() {
        let moves =
            "1. Nf3 d5 2. e4 dxe4 3. Bb5+ c6 4. Qe2 exf3 5. Kd1 fxg2 6. Ba4 gxh1=Q+ 7. Qe1 Qxe1+ 8. Kxe1 *";
        let english = read(moves);
        assert_eq!((english.movetext.moves.len(), english.letters), (15, None));
        for letters in &super::OTHERS {
            let translated: String = moves
                .chars()
                .map(|c| {
                    "KQRBN".find(c).map_or_else(|| c.to_string(), |piece| letters.pieces[piece].to_owned())
                })
                .collect();
            let game = read(&translated);
            assert_eq!(game.movetext, english.movetext, "{letters:?}: {translated}");
            let found = game.letters.expect("other letters").pieces;
            // Languages may differ in a letter that the game does not have.
            assert!([0, 1, 3, 4].iter().all(|&piece| found[piece] == letters.pieces[piece]), "{found:?}");
        }
    }

    /// An illegal move does not make the moves before it unreadable. Games without a move that tells have the
    /// letters of those before.
    #[test]
    fn the_letters_that_read_furthest_are_taken() {
        let german = Some("German or Scandinavian");
        let read = |pgn: &str| {
            let games = read_games(pgn.as_bytes()).unwrap().into_iter().map(Result::unwrap);
            let told = games.map(|game| {
                (game.movetext.moves.len(), game.letters.map(|letters| letters.language), game.cut)
            });
            told.collect::<Vec<_>>()
        };
        let illegal = "1. e4 e5 2. Sf3 Sc6 3. Lb5 Sxf3 *\n\n";
        let cut = |reason: &str| Some(reason.to_owned());
        assert_eq!(read(illegal), [(5, german, cut("move 3: illegal Sxf3"))]);
        // Dutch has a king and a queen of the same letters.
        let either = "1. e4 e5 2. Dh5 Ke7 3. Dxe5 *\n\n";
        let dutch = "1. e4 e5 2. Dh5 Pc6 3. Lc4 Pf6 4. Dxf7 *\n\n";
        assert_eq!(read(either)[0].1, german);
        assert_eq!(read(&format!("{dutch}{either}"))[1].1, Some("Dutch"));
    }
}
