//! The common parts of all web pages of this program. Each page is one file that loads nothing from the
//! internet.

use maud::{Markup, PreEscaped, Render as _, html};
use serde::Serialize;

/// The style of a game that one can step through.
pub const GAME_STYLE: &str = include_str!("game.css");
/// The scripts for it: `game.js` has the class `Game`, which a page extends.
pub const GAME_SCRIPT: &str =
    concat!(include_str!("positions.js"), include_str!("chart.js"), include_str!("game.js"));

/// The `head` of a page: its title, the styles and scripts that all pages share, and its own `style` and
/// `script`.
#[must_use]
pub fn head(title: &str, style: &str, script: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) }
            style { (PreEscaped(include_str!("page.css"))) (PreEscaped(style)) }
            script { (PreEscaped(include_str!("board.js"))) (PreEscaped(script)) }
        }
    }
}

/// Serialises `data` as JSON that can neither end its script element nor, as `<!--<script>` would, extend it
/// beyond its end.
#[must_use]
pub fn script_data(data: &impl Serialize) -> PreEscaped<String> {
    // Strings and numbers always serialise.
    PreEscaped(serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c"))
}

/// Escapes `text` for XML.
#[must_use]
pub fn escape(text: &str) -> String {
    text.render().into_string()
}
