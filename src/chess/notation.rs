//! Moves and values in human notation.

use shakmaty::{
    CastlingSide, Chess, Color, Move, Role, Square,
    san::{San, SanError, SanPlus},
    uci::UciMove,
};

use crate::chess::{
    position::{Position, destination},
    value::{INFINITE, Score, Value},
};

/// Returns legal move `m` of `position` in standard algebraic notation, with `+` or `#`.
///
/// ```
/// use zugwerk::chess::{notation::san, position::Position};
/// let start = Position::default();
/// assert_eq!(san(&start, start.find_move("g1f3").unwrap()), "Nf3");
/// ```
#[must_use]
pub fn san(position: &Position, m: Move) -> String {
    SanPlus::from_move(position.chess().clone(), m).to_string()
}

/// Returns the legal move of `chess` that `text` denotes: in SAN, in UCI notation, in long algebraic notation
/// (`Ng1-f3`, `e7-e8Q`), or in SAN with figurines, with another sign of promotion (`e8(Q)`, `e8/Q`), with
/// another form of castling (`0-0`, `OO`), or with a missing or superfluous capture sign; signs like `!` may
/// follow.
///
/// ```
/// use zugwerk::chess::notation::read_move;
/// let start = shakmaty::Chess::default();
/// for text in ["Nf3", "Nf3!?", "g1f3", "Ng1-f3", "♘f3"] {
///     assert_eq!(read_move(&start, text).unwrap().to(), shakmaty::Square::F3);
/// }
/// assert_eq!(read_move(&start, "Nd4"), None);
/// ```
#[must_use]
pub fn read_move(chess: &Chess, text: &str) -> Option<Move> {
    let bare = text.trim_end_matches(['!', '?']);
    let san = bare.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(chess).ok());
    san.or_else(|| uci(bare)?.to_move(chess).ok()).or_else(|| read_long(chess, bare))
}

/// Reads a move in UCI notation. The letter of a promotion may be a capital; those of squares may not,
/// because `B2b4` is a move of the bishop on the second rank.
fn uci(text: &str) -> Option<UciMove> {
    let (squares, promotion) = text.split_at_checked(4)?;
    format!("{squares}{}", promotion.to_ascii_lowercase()).parse().ok()
}

/// Says why [`read_move`] reads no move from `text`: it is `ambiguous`, `illegal`, or `unreadable` as a move.
///
/// ```
/// use zugwerk::chess::notation::why_no_move;
/// let start = shakmaty::Chess::default();
/// assert_eq!(["Nd4", "hello"].map(|text| why_no_move(&start, text)), ["illegal", "unreadable"]);
/// ```
#[must_use]
pub fn why_no_move(chess: &Chess, text: &str) -> &'static str {
    let bare: String = text.trim_end_matches(['!', '?']).chars().map(letter).collect();
    match bare.parse::<SanPlus>().map(|san| san.san.to_move(chess)) {
        Ok(Err(SanError::AmbiguousSan)) => "ambiguous",
        Ok(_) => "illegal",
        Err(_) if uci(&bare).is_some() || castling(&bare).is_some() => "illegal",
        Err(_) => "unreadable",
    }
}

/// Returns the legal move of `position` that a person probably means by `text`: first as [`read_move`], then
/// ignoring case, signs and a move number (`nf3`, `a8q`, `0-0`, `E2-E3`, `2. c4`), with a queen as the
/// default promotion. `None` if `text` is ambiguous.
///
/// ```
/// use zugwerk::chess::{notation::{read_loosely, san}, position::Position};
/// let start = Position::default();
/// assert_eq!(san(&start, read_loosely(&start, "nf3").unwrap()), "Nf3");
/// ```
#[must_use]
pub fn read_loosely(position: &Position, text: &str) -> Option<Move> {
    let plain = |text: &str| {
        let signs = |c: &char| !"+#x-=:!? ".contains(*c);
        text.to_lowercase().replace('0', "o").chars().filter(signs).collect::<String>()
    };
    let behind_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text =
        if behind_digits.starts_with('.') { behind_digits.trim_start_matches(['.', ' ']) } else { text };
    // A capital letter is a piece: `Bb3` is no move of a pawn. But `E2-E3` has capital squares.
    let mut letters = text.chars();
    let piece = letters.next().filter(|c| "KQRBN".contains(*c)).and_then(Role::from_char);
    let piece = piece.filter(|_| !letters.next().is_some_and(|c| c.is_ascii_digit()));
    let fits = |m: &Move| piece.is_none_or(|role| m.role() == role);
    let moves = position.legal_moves();
    let only = |wanted: &str| {
        let mut fitting = moves.iter().copied().filter(|m| fits(m) && plain(&san(position, *m)) == wanted);
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let wanted = plain(text);
    let read = |text: &str| read_move(position.chess(), text).filter(fits);
    read(text).or_else(|| only(&wanted)).or_else(|| read(&wanted)).or_else(|| only(&(wanted.clone() + "q")))
}

/// Returns the legal moves that a scoresheet may mean by `text`, which does not say from where or to which
/// square: pieces (`NxP`), files of a pawn's capture (`cxd`, `cd`), or `castles`.
///
/// ```
/// use shakmaty::{Chess, fen::Fen, CastlingMode};
/// use zugwerk::chess::notation::read_scoresheet;
/// let fen: Fen = "4k3/8/8/3p4/2P1N3/8/8/4K3 w - - 0 1".parse().unwrap();
/// let chess: Chess = fen.into_position(CastlingMode::Standard).unwrap();
/// assert_eq!(["cd", "cxd", "PxP", "NxP"].map(|text| read_scoresheet(&chess, text).len()), [1, 1, 1, 0]);
/// ```
#[must_use]
pub fn read_scoresheet(chess: &Chess, text: &str) -> Vec<Move> {
    use shakmaty::Position as _;
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let (text, promotion) = match text.split_once('=') {
        Some((text, role)) => (text, role.chars().next().and_then(Role::from_char)),
        None => (text, None),
    };
    let bare: Vec<char> = text.chars().filter(|&c| !"x:".contains(c)).map(letter).collect();
    let fits = |m: &Move| match bare[..] {
        [from @ 'a'..='h', to @ 'a'..='h'] => {
            let file = |square: Square| square.file().char();
            m.role() == Role::Pawn
                && m.is_capture()
                && (m.from().map(file), file(m.to())) == (Some(from), to)
                && m.promotion().is_none_or(|role| role == promotion.unwrap_or(Role::Queen))
        }
        // With a sign of capture between them.
        [piece @ 'A'..='Z', victim @ 'A'..='Z'] if text.contains(['x', ':']) => {
            let roles = [piece, victim].map(Role::from_char);
            [Some(m.role()), m.capture()] == roles && m.promotion() == promotion
        }
        _ => m.is_castle() && text.eq_ignore_ascii_case("castles"),
    };
    chess.legal_moves().into_iter().filter(fits).collect()
}

/// Returns the legal moves that `text` may mean if [`read_move`] finds it ambiguous, or
/// [`read_scoresheet`] does, in standard algebraic notation; empty if there are fewer than two.
#[must_use]
pub fn what_fits(chess: &Chess, text: &str) -> Vec<String> {
    use shakmaty::Position as _;
    let mut fitting = read_scoresheet(chess, text);
    let bare: String = text.trim_end_matches(['!', '?']).chars().map(letter).collect();
    if let Ok(SanPlus { san, .. }) = bare.parse() {
        fitting.extend(chess.legal_moves().into_iter().filter(|&m| san.matches(m)));
    }
    let mut names: Vec<_> = fitting.iter().map(|&m| San::from_move(chess, m).to_string()).collect();
    names.sort();
    if names.len() > 1 { names } else { Vec::new() }
}

/// Returns the only legal move with the role, squares and promotion in `text`, whatever signs are between
/// them.
fn read_long(chess: &Chess, text: &str) -> Option<Move> {
    use shakmaty::Position as _;
    let text = text.trim_end_matches(['+', '#']);
    if let Some(side) = castling(text) {
        return San::Castle(side).to_move(chess).ok();
    }
    // In PGN `Nf3=` and `Nf3-+` have a sign that must not be lost.
    if text.ends_with(['-', '=', '/']) {
        return None;
    }
    // The figurine of a pawn stands for no letter.
    let is_sign = |c: char| "-x:=/()♙♟".contains(c);
    let bare: String = text.chars().filter(|&c| !is_sign(c)).map(letter).collect();
    let (role, squares) = match bare.chars().next().and_then(Role::from_char) {
        Some(role) if bare.starts_with(|c: char| c.is_ascii_uppercase()) => (role, &bare[1..]),
        _ => (Role::Pawn, bare.as_str()),
    };
    let promotion = squares.chars().last().filter(char::is_ascii_alphabetic).and_then(Role::from_char);
    let squares = &squares[..squares.len() - usize::from(promotion.is_some())];
    let (from, to) = squares.split_at_checked(squares.len().checked_sub(2)?)?;
    let fits = |m: &Move| {
        let square = m.from().map(|from| from.to_string()).unwrap_or_default();
        // Castling matches a move of the king only if its starting square is complete.
        let from_there =
            if m.is_castle() { square == from } else { from.chars().all(|c| square.contains(c)) };
        from_there
            && from.len() <= 2
            && m.role() == role
            && m.promotion() == promotion
            && destination(chess.turn(), *m).to_string() == to
    };
    let legal = chess.legal_moves();
    let mut fitting = legal.iter().copied().filter(fits);
    fitting.next().filter(|_| fitting.next().is_none())
}

/// The side of castling that is written with zeros or letters, with or without dashes.
fn castling(text: &str) -> Option<CastlingSide> {
    match &*text.replace(['0', 'o'], "O") {
        "O-O" | "OO" => Some(CastlingSide::KingSide),
        "O-O-O" | "OOO" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// The letter of a piece's figurine; every other character stays.
fn letter(c: char) -> char {
    match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        _ => c,
    }
}

/// Returns `moves`, played in sequence from `position`, in standard algebraic notation.
#[must_use]
pub fn san_line(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    moves
        .iter()
        .map(|&m| {
            let text = san(&position, m);
            position.play(m);
            text
        })
        .collect()
}

/// Returns `moves` with move numbers: `12. Nf3 Nc6 13. Bb5`, or `12... Nc6 13. Bb5` if Black begins.
#[must_use]
pub fn numbered(position: &Position, moves: &[Move]) -> String {
    let mut words = Vec::with_capacity(moves.len());
    for (ply, (index, text)) in (position.ply()..).zip(san_line(position, moves).into_iter().enumerate()) {
        let number = ply / 2 + 1;
        words.push(match (ply.is_multiple_of(2), index) {
            (true, _) => format!("{number}. {text}"),
            (false, 0) => format!("{number}... {text}"),
            (false, _) => text,
        });
    }
    words.join(" ")
}

/// From where to where the piece of legal move `m` goes: `e2e4`; for castling the king.
#[must_use]
pub fn squares(position: &Position, m: Move) -> String {
    let to = destination(position.turn(), m);
    m.from().map_or_else(String::new, |from| format!("{from}{to}"))
}

/// The name of a piece: `knight`.
#[must_use]
pub const fn role(role: Role) -> &'static str {
    const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    NAMES[role as usize - 1]
}

/// `White` or `Black`.
#[must_use]
pub fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// Writes a value in pawns with its sign, or the moves to mate after a `#`. The sign of a zero says who is
/// checkmated.
///
/// ```
/// use zugwerk::chess::{notation::pawns, value::{mate_in, mated_in}};
/// assert_eq!(pawns(135), "+1.35");
/// assert_eq!(pawns(0), "0.00");
/// assert_eq!(pawns(mate_in(3)), "#2");
/// assert_eq!(pawns(mated_in(2)), "#-1");
/// assert_eq!(pawns(mated_in(0)), "#-0"); // checkmated already
/// assert_eq!(pawns(mate_in(0)), "#0"); // the same from the other side's perspective
/// ```
#[must_use]
pub fn pawns(value: Value) -> String {
    if value.abs() >= INFINITE {
        return if value > 0 { "∞".into() } else { "-∞".into() };
    }
    match Score::from(value) {
        Score::Cp(0) => "0.00".into(),
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(0) => if value < 0 { "#-0" } else { "#0" }.into(),
        Score::Mate(moves) => format!("#{moves}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_however_they_are_written() {
        let read = |fen: &str, text: &str| {
            let position = Position::from_fen(fen).unwrap();
            read_move(position.chess(), text).map(|m| san(&position, m))
        };
        let busy = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";
        let start = Position::default().fen();
        let cases = [
            (busy, "e5xd6", "exd6"),
            (busy, "ed6", "exd6"),
            (busy, "b7-b8Q+", "b8=Q+"),
            (busy, "b7:a8=n", "bxa8=N"),
            (busy, "b7b8N", "b8=N"),
            (&start, "b2b4", "b4"),
            (&start, "B2b4", ""),
            (&start, "B1c3", ""),
            (&start, "E2E4", ""),
            (&start, "e2E4", ""),
            (busy, "b8(Q)+", "b8=Q+"),
            (busy, "bxa8/R", "bxa8=R+"),
            (busy, "♙b8♞", "b8=N"),
            (busy, "♖xh8+", "Rxh8+"),
            (busy, "♚e2", "Ke2"),
            (busy, "0-0-0", "O-O-O"),
            (busy, "000", "O-O-O"),
            (busy, "00", "O-O"),
            (busy, "OOO", "O-O-O"),
            (busy, "o-o", "O-O"),
            (busy, "0-0-", ""),
            (busy, "0000", ""),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "00+", "O-O+"),
            (busy, "Ke1-g1", "O-O"),
            (busy, "Rh1xh8+", "Rxh8+"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Ra1-d1", "Rd1"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "nonsense", ""),
            ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "ä1-é4", ""),
            ("4k3/8/8/8/3N3N/8/8/4K3 w - - 0 1", "Nf5", ""),
            ("4k3/8/8/8/3N3N/8/8/4K3 w - - 0 1", "♘f5", ""),
            ("4k3/8/8/8/3N3N/8/8/4K3 w - - 0 1", "♞hf5", "Nhf5"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kg1", ""),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Rd1=", ""),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Rd1-+", ""),
        ];
        for (fen, text, meant) in cases {
            assert_eq!(read(fen, text).unwrap_or_default(), meant, "{text}");
        }
    }

    #[test]
    fn people_are_understood() {
        let read = |fen: &str, text: &str| {
            let position = Position::from_fen(fen).unwrap();
            read_loosely(&position, text).map_or_else(String::new, |m| san(&position, m))
        };
        let busy = "r3k2r/P7/8/8/2p5/1P1B4/8/R3K2R w KQ - 0 1";
        let cases = [
            ("nf3", ""),
            ("0-0", "O-O"),
            ("o-o-o", "O-O-O"),
            ("rb1", "Rb1"),
            ("bc4", "bxc4"),
            ("be4", "Be4"),
            ("ke2", "Ke2"),
            ("KE2", "Ke2"),
            ("Bb3", ""),
            ("2. Bc4", "Bxc4"),
        ];
        for (text, meant) in cases {
            assert_eq!(read(busy, text), meant, "{text}");
        }
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for (text, meant) in
            [("a8q", "a8=Q"), ("a8", "a8=Q"), ("a8=n", "a8=N"), ("A7A8R", "a8=R"), ("b8", "")]
        {
            assert_eq!(read(promotion, text), meant, "{text}");
        }
        let start = Position::default().fen();
        for (text, meant) in [
            ("1. c4", "c4"),
            ("1.c4", "c4"),
            ("12 ... e4", ""),
            ("1... Nf3", "Nf3"),
            ("E2-E3", "e3"),
            ("Bb3", ""),
            ("B2-B3", "b3"),
            ("e2 e3", "e3"),
            ("N f3", "Nf3"),
            ("2", ""),
        ] {
            assert_eq!(read(&start, text), meant, "{text}");
        }
        let two = "4k3/8/8/8/3N3N/8/8/4K3 w - - 0 1";
        assert_eq!((read(two, "nf5"), read(two, "ndf5")), (String::new(), "Ndf5".into()), "two knights");
    }

    #[test]
    fn move_numbers_never_wrap() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 4294967295").unwrap();
        let mut ahead = position.clone();
        let mut moves = Vec::new();
        for text in ["e8e7", "a1a2", "e7e8", "a2a1"] {
            moves.push(ahead.find_move(text).unwrap());
            ahead.play(moves[moves.len() - 1]);
        }
        let text = numbered(&position, &moves);
        assert_eq!(text, "4294967295... Ke7 4294967296. Ra2 Ke8 4294967297. Ra1");
    }
}
