//! The header of a data file: how its data were made.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Files of games, the only kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DataKind {
    Games,
}

/// The rules of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Standard chess.
    Standard,
    /// Some or all games begin from positions of Chess960 or double Chess960.
    Chess960,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Standard => "standard chess",
            Self::Chess960 => "Chess960",
        })
    }
}

/// A number that changes when the behaviour of search or evaluator changes: nodes of the benchmark
/// ([`bench`](mod@crate::engine::bench)) at a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The depth of the benchmark.
    pub depth: u32,
    /// Its nodes.
    pub nodes: u64,
}

/// Which evaluator evaluated the positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluatorId {
    /// Its name.
    pub name: String,
    /// The hash of the network, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

impl fmt::Display for EvaluatorId {
    /// Writes the name, and the hash if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.hash.as_ref().map_or(Ok(()), |hash| write!(f, " {hash}"))
    }
}

/// The header of a file, in JSON, readable as text (`head -c 2000 FILE`). Later versions may add fields;
/// unknown ones are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The contents of the blocks.
    pub(crate) kind: DataKind,
    /// The rules.
    pub variant: Variant,
    /// The tool that wrote the file: `datagen` or `data pack`.
    pub tool: String,
    /// The program and its version.
    pub program: String,
    /// The signature of the search, if one was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<Signature>,
    /// The evaluator, if one was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<EvaluatorId>,
    /// The seed of the random generators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// All other parameters of the data, defined by the tool.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub recipe: serde_json::Value,
}

impl Header {
    /// Returns the header of a file that `tool` writes with this program; other fields are empty.
    #[must_use]
    pub fn new(tool: &str) -> Self {
        Self {
            kind: DataKind::Games,
            variant: Variant::Standard,
            tool: tool.to_owned(),
            program: concat!("zugwerk ", env!("CARGO_PKG_VERSION")).to_owned(),
            bench: None,
            evaluator: None,
            seed: None,
            recipe: serde_json::Value::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_names() {
        let names = [Variant::Standard, Variant::Chess960].map(|it| it.to_string());
        assert_eq!(names, ["standard chess", "Chess960"]);
    }

    #[test]
    fn headers_survive_and_what_is_not_known_is_passed_over() {
        let header = Header {
            variant: Variant::Chess960,
            evaluator: Some(EvaluatorId { name: "network".to_owned(), hash: Some("1a2b".to_owned()) }),
            bench: Some(Signature { depth: 6, nodes: 123 }),
            seed: Some(u64::MAX),
            recipe: serde_json::json!({ "nodes": 200 }),
            ..Header::new("datagen")
        };
        let text = serde_json::to_string(&header).unwrap();
        assert_eq!(serde_json::from_str::<Header>(&text).unwrap(), header);

        let later = r#"{"kind":"games","variant":"standard","tool":"t","program":"p","moon":"full"}"#;
        assert_eq!(serde_json::from_str::<Header>(later).unwrap().tool, "t");
        for (known, other) in [("standard", "atomic"), ("games", "positions")] {
            let error = serde_json::from_str::<Header>(&later.replace(known, other)).unwrap_err();
            assert!(error.to_string().contains(other), "{error}");
        }
    }
}
