//! Writes the results of an analysis into the game.

use shakmaty::Color;

use super::{GameReport, Judged};
use crate::chess::{
    notation::{self, pawns},
    pgn::{Annotated, Game, Movetext, Remark},
    remarks::{
        Judgement,
        earlier::{GOOD, OURS, SIGNED, UNSIGNED, without_ours},
    },
    value::Score,
};

/// How an annotated game has the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// For programs: `[%eval 0.35]`, as Lichess and others read it.
    Commands,
    /// For people: `+0.35/12`, the value and its depth.
    Text,
}

/// The annotator.
const NAME: &str = concat!("Zugwerk ", env!("CARGO_PKG_VERSION"));

impl GameReport {
    /// Returns the game with a value for White after every move. Bad moves get a sign, its name, the reason,
    /// and the better line as the last variation; praise has a sign too. Our comments begin with `Zugwerk`,
    /// also the one before a variation.
    ///
    /// Everything in the game is kept, except evaluations (`[%eval …]`) and the results of an earlier
    /// analysis of ours. A move with a sign (`!` to `?!`) keeps only that sign, because two signs could
    /// contradict each other; our judgement is then in the comment only.
    #[must_use]
    pub fn annotated(&self, values: Values) -> Game {
        let mut game = without_ours(&self.game);
        for (annotated, judged) in game.movetext.moves.iter_mut().zip(&self.moves) {
            annotate(annotated, judged, values);
        }
        for side in Color::ALL {
            let summary = self.summary(side);
            let accuracy = summary.accuracy.map(|accuracy| format!("{accuracy:.1}"));
            let loss = summary.average_loss.map(|loss| format!("{loss:.0}"));
            for (kind, value) in [("Accuracy", accuracy), ("ACPL", loss)] {
                let name = format!("{}{kind}", notation::side(side));
                match value {
                    Some(value) => game.set_tag(&name, value),
                    None => game.tags.retain(|(tag, _)| *tag != name),
                }
            }
        }
        let annotator = match game.known_tag("Annotator") {
            Some(names) if names.split(", ").any(|name| name == NAME) => names.to_owned(),
            Some(others) => format!("{others}, {NAME}"),
            None => NAME.to_owned(),
        };
        game.set_tag("Annotator", annotator);
        game
    }
}

fn annotate(annotated: &mut Annotated, judged: &Judged, values: Values) {
    let signed = annotated.glyphs().any(|glyph| (1..=6).contains(&glyph));
    if judged.depth > 0 || judged.words().is_some() {
        let opinion = opinion(judged, signed, values);
        let comment = annotated.remarks.iter_mut().find_map(|remark| match remark {
            Remark::Comment(text) => Some(text),
            _ => None,
        });
        match comment {
            Some(earlier) => *earlier = format!("{opinion} {earlier}"),
            None => {
                let glyphs = annotated.remarks.iter().take_while(|remark| matches!(remark, Remark::Glyph(_)));
                annotated.remarks.insert(glyphs.count(), Remark::Comment(opinion));
            }
        }
    }
    let sign = judged.judgement.map(Judgement::nag).or_else(|| judged.praise.as_ref().map(|_| GOOD));
    if let Some(sign) = sign.filter(|_| !signed) {
        annotated.remarks.insert(0, Remark::Glyph(sign.into()));
    }
    if judged.judgement.is_some() {
        let better = Movetext::from_iter(judged.better.iter().copied());
        if annotated.variations().all(|line| *line != better) {
            let before = vec![Remark::Comment(OURS.into())];
            annotated.remarks.push(Remark::Variation(Movetext { before, ..better }));
        }
    }
}

/// Writes `[%eval -3.20] Zugwerk: blunder.`, or `Zugwerk: -3.20/12, blunder.`
fn opinion(judged: &Judged, signed: bool, values: Values) -> String {
    let evaluation = match Score::from(judged.white_value) {
        Score::Cp(cp) => format!("[%eval {:.2}]", f64::from(cp) / 100.0),
        Score::Mate(moves) => format!("[%eval #{moves}]"),
    };
    let in_text = format!("{}/{}", pawns(judged.white_value), judged.depth);
    let prefix = if signed { UNSIGNED } else { SIGNED };
    match (values, judged.words()) {
        (Values::Commands, None) => evaluation,
        (Values::Commands, Some(words)) => format!("{evaluation} {prefix}{words}."),
        (Values::Text, None) => format!("{prefix}{in_text}."),
        (Values::Text, Some(words)) => format!("{prefix}{in_text}, {words}."),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        chess::pgn::read_games,
        engine::{
            eval::Material,
            search::{Limits, Searcher, Stop},
        },
        report::{Values, analyse},
    };

    fn annotated(pgn: &str) -> String {
        annotated_with(pgn, Values::Commands)
    }

    fn annotated_with(pgn: &str, values: Values) -> String {
        let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
        let mut searcher = Searcher::<Material>::new(1);
        let limits = Limits::depth(2);
        let report = analyse(1, game, &mut searcher, &limits, &Stop::default(), |_, _| ());
        let text = report.annotated(values).to_pgn();
        text.replace('\n', " ")
    }

    #[test]
    fn what_annotators_said_stays() {
        let text = annotated(
            "[Annotator \"Somebody\"]\n\n{[%eval 0.2] First} {[%eval 0.2]} 1. f3 $1 $36 {why} ({aha} 1. e4 (1. d4 $10) e5) {so} e5 \
             2. g4 {[%eval 0.5] [%clk 0:01:00] hm} Qh4# 0-1",
        );
        assert!(text.contains("[Annotator \"Somebody, Zugwerk"), "{text}");
        assert!(
            text.contains(
                " {First} 1. f3 $1 $36 {[%eval 0.00] why} ( {aha} 1. e4 ( 1. d4 $10 ) 1... e5 ) {so} 1... e5 "
            ),
            "{text}"
        );
        assert!(text.contains(" 2. g4 $4 {[%eval #-1] Zugwerk: blunder, allows mate in 1: 2... Qh4#. [%clk 0:01:00] hm} ( {Zugwerk} 2. "), "{text}");
    }

    #[test]
    fn a_second_analysis_takes_the_place_of_the_first() {
        for said in ["mine 1/2", "12s", "0.5s, quick", "+0.18/5"] {
            for values in [Values::Commands, Values::Text] {
                let once = annotated_with(&format!("1. f3 e5 2. g4 {{[%eval 0.5] {said}}} Qh4# 0-1"), values);
                assert_eq!(once.contains("[%eval"), values == Values::Commands, "{once}");
                assert!(once.contains(&format!(" {said}}}")), "{once}");
                assert_eq!(annotated_with(&once.replacen("  1.", "\n\n1.", 1), values), once);
            }
        }
    }

    #[test]
    fn what_people_say_under_our_name_stays() {
        let text =
            annotated("1. e4 {Zugwerk: I like this} e5 $4 {Zugwerk: blunder? No. I played on.} 2. Nf3 *");
        for said in ["Zugwerk: I like this}", "$4 {", "Zugwerk: blunder? No. I played on.}"] {
            assert!(text.contains(said), "{said}: {text}");
        }
    }

    #[test]
    fn what_people_add_to_our_lines_stays() {
        let once = annotated("1. f3 e5 2. g4 Qh4# 0-1").replacen("  1.", "\n\n1.", 1);
        let (before, ours) = once.split_once("( {Zugwerk} ").unwrap();
        let ours = ours.split_once(" )").unwrap().0;
        for (plain, remarked) in [
            (ours.to_owned(), format!("{ours} {{I like this}}")),
            (ours.to_owned(), format!("{ours} $14")),
            ("{Zugwerk} ".to_owned(), "{Zugwerk} {and I} ".to_owned()),
        ] {
            let text = once.replacen(&plain, &remarked, 1);
            assert_ne!(text, once, "{before}");
            assert!(annotated(&text).contains(&remarked), "{remarked}");
        }
    }

    #[test]
    fn an_annotators_sign_stays_alone() {
        let once = annotated("1. f3 e5 2. g4 $1 {strong} Qh4# 0-1");
        let verdict =
            " 2. g4 $1 {[%eval #-1] Zugwerk, beside the sign: blunder, allows mate in 1: 2... Qh4#. strong} ";
        assert!(once.contains(verdict), "{once}");
        assert_eq!(annotated(&once.replacen("  1.", "\n\n1.", 1)), once);
    }

    #[test]
    fn what_playing_engines_said_stays() {
        let said =
            "1. e4 {+0.18/5 0.004s} e5 {[%eval 0.30] +0.25/6 0.1s, tl=1s} 2. Nf3 {(Nc6) +0.25/13 12 0} *";
        let once = annotated(said);
        for words in [" +0.18/5 0.004s}", " +0.25/6 0.1s, tl=1s}", " (Nc6) +0.25/13 12 0}"] {
            assert!(once.contains(words), "{once}");
        }
        assert_eq!(annotated(&once.replacen("  1.", "\n\n1.", 1)), once);
    }

    #[test]
    fn null_moves_are_not_judged() {
        let text = annotated("1. e4 -- 2. d4 -- 3. Nf3 e6 *");
        assert!(text.contains(" 1... -- {") && text.contains(" 3. Nf3 {"), "{text}");
    }
}
