//! What a mistake is about, by the sentence that says why the move is bad.

use super::{Proof, Reason};
use crate::chess::remarks::earlier::verbs::MISSES;

/// What a mistake is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// A forced mate.
    Mate,
    /// Material that is lost, without one of the causes below.
    Material,
    /// Material that could be won, without one of them.
    Chance,
    /// A fork.
    Fork,
    /// A pin.
    Pin,
    /// A skewer.
    Skewer,
    /// A discovered attack or check.
    Discovery,
    /// A man without a safe square.
    Trapped,
    /// A man that has to defend two things.
    Overloaded,
    /// A pawn that becomes a queen.
    Promotion,
    /// A draw that is given away, or given.
    Draw,
    /// No cause was proved: the values tell.
    Position,
}

/// What in a sentence tells its theme; the first that is found counts.
const SIGNS: [(&str, Theme); 8] = [
    ("a fork", Theme::Fork),
    ("a pin", Theme::Pin),
    ("a skewer", Theme::Skewer),
    ("a discovered", Theme::Discovery),
    ("is trapped", Theme::Trapped),
    ("overloaded", Theme::Overloaded),
    ("promotion of a pawn", Theme::Promotion),
    ("pawn become a queen", Theme::Promotion),
];

impl Theme {
    /// All themes.
    pub const ALL: [Self; 12] = [
        Self::Mate,
        Self::Material,
        Self::Chance,
        Self::Fork,
        Self::Pin,
        Self::Skewer,
        Self::Discovery,
        Self::Trapped,
        Self::Overloaded,
        Self::Promotion,
        Self::Draw,
        Self::Position,
    ];

    /// Returns the theme of a mistake.
    #[must_use]
    pub fn of(reason: Option<&Reason>) -> Self {
        let Some(reason @ Reason { proof, words }) = reason else { return Self::Position };
        let material = if reason.is_missed_chance() { Self::Chance } else { Self::Material };
        let sign = || SIGNS.iter().find(|(sign, _)| words.contains(sign)).map(|(_, theme)| *theme);
        match proof {
            Proof::Mate => Self::Mate,
            Proof::Material | Proof::Pattern => sign().unwrap_or(material),
            Proof::Draw => Self::Draw,
            Proof::Values => Self::Position,
        }
    }

    /// Its name in a list, such as `Forks`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "Mates",
            Self::Material => "Material lost",
            Self::Chance => "Material not taken",
            Self::Fork => "Forks",
            Self::Pin => "Pins",
            Self::Skewer => "Skewers",
            Self::Discovery => "Discovered attacks",
            Self::Trapped => "Trapped pieces",
            Self::Overloaded => "Overloaded defenders",
            Self::Promotion => "Promotions",
            Self::Draw => "Draws",
            Self::Position => "The position",
        }
    }
}

impl Reason {
    /// Whether the move misses something, instead of allowing it.
    #[must_use]
    pub fn is_missed_chance(&self) -> bool {
        self.words.starts_with(MISSES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_tells_its_theme() {
        for (proof, words, theme) in [
            (Proof::Mate, "allows mate in 2 on the back rank: 37. Qb8+", Theme::Mate),
            (Proof::Material, "loses the knight on f6: 31. Qxf6", Theme::Material),
            (Proof::Material, "misses the win of a pawn: 31. Qxf6", Theme::Chance),
            (Proof::Material, "misses the win of the exchange by a fork: 9. Nc7+", Theme::Fork),
            (Proof::Material, "loses a bishop (the bishop on b3 is trapped): 9. a4", Theme::Trapped),
            (Proof::Material, "loses a rook by an overloaded defender: 9. Rxd7", Theme::Overloaded),
            (Proof::Material, "lets a pawn become a queen: 57. a8=Q", Theme::Promotion),
            (Proof::Material, "misses the promotion of a pawn: 57. a8=Q", Theme::Promotion),
            (Proof::Pattern, "misses a pin of the knight on c6: 7. Bb5", Theme::Pin),
            (Proof::Pattern, "allows a skewer of the king and the queen on d8: 7. Bb5", Theme::Skewer),
            (Proof::Pattern, "allows a discovered check: 7. Bb5", Theme::Discovery),
            (Proof::Draw, "stalemate", Theme::Draw),
            (Proof::Values, "lets the win go: +4.00 to +0.10", Theme::Position),
        ] {
            let reason = Reason { proof, words: words.into() };
            assert_eq!(Theme::of(Some(&reason)), theme, "{words}");
            assert_eq!(reason.is_missed_chance(), words.starts_with("misses"), "{words}");
        }
        assert_eq!(Theme::of(None), Theme::Position);
    }
}
