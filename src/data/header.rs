//! What a file says about itself: how its data were made.

use std::{fmt, path::Path};

use serde::{Deserialize, Serialize};

/// What the blocks of a file hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Whole games.
    Games,
    /// Positions, which need not have anything to do with each other.
    Positions,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Games => "games",
            Self::Positions => "positions",
        })
    }
}

/// The rules the games were played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Standard chess.
    Standard,
    /// Some games, or all, begin as Chess960 or double Chess960 does.
    Chess960,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Standard => "standard",
            Self::Chess960 => "Chess960",
        })
    }
}

/// A number that changes when the search or the evaluator changes what it does: nodes of the benchmark
/// ([`bench`](mod@crate::bench)) at a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The depth of the benchmark.
    pub depth: u32,
    /// Its nodes.
    pub nodes: u64,
}

/// Who says what positions are worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluator {
    /// Its name.
    pub name: String,
    /// What tells one network from another, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// The header of a file, which is JSON and can be read by eye (`head -c 2000 FILE`). Later programs may add to it: what is
/// not known here is passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// What the blocks hold.
    pub kind: Kind,
    /// The rules.
    pub variant: Variant,
    /// The tool that wrote the file: `datagen`, `data shuffle`, …
    pub tool: String,
    /// The program and its version.
    pub program: String,
    /// Which search it was, where one took part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<Signature>,
    /// The evaluator, where one took part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<Evaluator>,
    /// The seed of what was left to chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Everything else that determined the data, as the tool has it.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub recipe: serde_json::Value,
    /// Whether the positions of a block belong together in a way that they do not show: those from the trees of one
    /// game's searches.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blocks_belong_together: bool,
    /// The files it was made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
}

/// A file that another was made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Its name, without the folder.
    pub file: String,
    /// Its header; files of version 1 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Header>,
}

impl Source {
    /// The file at `path` with its header.
    #[must_use]
    pub fn new(path: &Path, header: Option<&Header>) -> Self {
        let file = path.file_name().unwrap_or(path.as_os_str()).display().to_string();
        Self { file, header: header.cloned() }
    }
}

impl Header {
    /// The header of a file that `tool` writes with this program, and of which nothing else is known.
    #[must_use]
    pub fn new(kind: Kind, tool: &str) -> Self {
        Self {
            kind,
            variant: Variant::Standard,
            tool: tool.to_owned(),
            program: concat!("zugwerk ", env!("CARGO_PKG_VERSION")).to_owned(),
            bench: None,
            evaluator: None,
            seed: None,
            recipe: serde_json::Value::Null,
            blocks_belong_together: false,
            sources: Vec::new(),
        }
    }

    /// The same header for a file made of `sources`: what holds for a part of them holds for it.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<Source>) -> Self {
        let is_960 =
            |source: &Source| source.header.as_ref().is_some_and(|it| it.variant == Variant::Chess960);
        if sources.iter().any(is_960) {
            self.variant = Variant::Chess960;
        }
        let together = |source: &Source| source.header.as_ref().is_some_and(|it| it.blocks_belong_together);
        self.blocks_belong_together |= sources.iter().any(together);
        self.sources = sources;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_survive_and_what_is_not_known_is_passed_over() {
        let evaluator = Evaluator { name: "network".to_owned(), hash: Some("1a2b".to_owned()) };
        let made = Header {
            variant: Variant::Chess960,
            evaluator: Some(evaluator),
            bench: Some(Signature { depth: 6, nodes: 123 }),
            seed: Some(u64::MAX),
            recipe: serde_json::json!({ "nodes": 200 }),
            ..Header::new(Kind::Games, "datagen")
        };
        let source = Source { file: "own.zwd".to_owned(), header: Some(made) };
        let header = Header::new(Kind::Positions, "data shuffle").with_sources(vec![source]);
        assert_eq!(header.variant, Variant::Chess960);
        let text = serde_json::to_string(&header).unwrap();
        assert_eq!(serde_json::from_str::<Header>(&text).unwrap(), header);

        let later = r#"{"kind":"games","variant":"standard","tool":"t","program":"p","moon":"full"}"#;
        assert_eq!(serde_json::from_str::<Header>(later).unwrap().tool, "t");
        let other = later.replace("standard", "atomic");
        assert!(serde_json::from_str::<Header>(&other).unwrap_err().to_string().contains("atomic"));
    }
}
