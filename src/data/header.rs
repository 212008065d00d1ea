//! The header of a data file: how its data were made.

use std::{fmt, path::Path};

use serde::{Deserialize, Serialize};

use super::DataError;

/// The contents of a file's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Whole games.
    Games,
    /// Positions, which may be unrelated.
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
/// ([`bench`](mod@crate::bench)) at a depth.
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

/// The header of a file, in JSON, readable as text (`head -c 2000 FILE`). Later versions may add fields; unknown ones
/// are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The contents of the blocks.
    pub kind: Kind,
    /// The rules.
    pub variant: Variant,
    /// The tool that wrote the file: `datagen`, `data shuffle`, …
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
    /// Whether all positions of a block belong together although their records do not show it: positions from the trees
    /// of one game's searches.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blocks_belong_together: bool,
    /// The files it was made from, as far as they are kept: see [`with_sources`](Self::with_sources).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// Whether it had sources that are not kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sources_left_out: bool,
}

/// A file that another was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Its name, without the folder.
    pub file: String,
    /// Its header; files of version 1 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Header>,
}

impl Source {
    /// Returns the file at `path` with its header.
    #[must_use]
    pub fn new(path: &Path, header: Option<&Header>) -> Self {
        let file = path.file_name().unwrap_or(path.as_os_str()).display().to_string();
        Self { file, header: header.cloned() }
    }
}

impl Header {
    /// The largest number of levels of sources. The JSON of a level has three levels of brackets, and serde_json reads
    /// up to 128.
    pub const LEVELS: usize = 16;
    /// The largest number of sources, on all levels together; the first level may have more.
    pub const MOST_SOURCES: usize = 4096;

    /// Returns the header of a file that `tool` writes with this program; other fields are empty.
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
            sources_left_out: false,
        }
    }

    /// Checks that the blocks contain what is `expected`.
    pub(super) fn expect(&self, expected: Kind) -> Result<(), DataError> {
        if self.kind == expected { Ok(()) } else { Err(DataError::Kind { expected }) }
    }

    /// Returns the header for a file made from `sources`: it is Chess960, or its blocks belong together, if that holds
    /// for any of them.
    ///
    /// Equal sources are kept once. Of the sources of sources, only the nearest levels are kept, so that a file can be
    /// made from another any number of times: [`Self::LEVELS`] levels, or fewer if these have more than
    /// [`Self::MOST_SOURCES`] sources. The first level is always kept.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<Source>) -> Self {
        let is_960 =
            |source: &Source| source.header.as_ref().is_some_and(|it| it.variant == Variant::Chess960);
        if sources.iter().any(is_960) {
            self.variant = Variant::Chess960;
        }
        let together = |source: &Source| source.header.as_ref().is_some_and(|it| it.blocks_belong_together);
        self.blocks_belong_together |= sources.iter().any(together);
        self.sources = Vec::with_capacity(sources.len());
        for source in sources {
            if !self.sources.contains(&source) {
                self.sources.push(source);
            }
        }
        let fits = |levels: &usize| self.count_sources(*levels) <= Self::MOST_SOURCES;
        let levels = (2..=Self::LEVELS).rev().find(fits).unwrap_or(1);
        self.keep_sources(levels);
        self
    }

    /// The number of sources in the first `levels` levels.
    fn count_sources(&self, levels: usize) -> usize {
        let headers = self.sources.iter().filter_map(|source| source.header.as_ref());
        match levels {
            0 => 0,
            _ => self.sources.len() + headers.map(|header| header.count_sources(levels - 1)).sum::<usize>(),
        }
    }

    /// Drops the sources below the first `levels` levels.
    fn keep_sources(&mut self, levels: usize) {
        let Some(below) = levels.checked_sub(1) else {
            self.sources_left_out |= !self.sources.is_empty();
            self.sources.clear();
            return;
        };
        let headers = self.sources.iter_mut().filter_map(|source| source.header.as_mut());
        headers.for_each(|header| header.keep_sources(below));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Blocks, Writer};

    /// Writes a file with `header` and returns the header that is read again.
    fn written(header: &Header) -> Header {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        Writer::create(&path, header).unwrap().finish().unwrap();
        Blocks::open(&path).unwrap().header().unwrap().clone()
    }

    fn made_from(sources: impl IntoIterator<Item = (String, Header)>) -> Header {
        let sources =
            sources.into_iter().map(|(name, header)| Source::new(Path::new(&name), Some(&header))).collect();
        Header::new(Kind::Positions, "data merge").with_sources(sources)
    }

    /// Returns the header, its first source's header, and so on.
    fn levels(header: &Header) -> Vec<&Header> {
        std::iter::successors(Some(header), |header| header.sources.first()?.header.as_ref()).collect()
    }

    #[test]
    fn a_chain_of_any_length_can_be_read() {
        let mut header = Header::new(Kind::Positions, "datagen");
        for number in 0..100 {
            header = made_from([(number.to_string(), header)]);
        }
        assert_eq!(written(&header), header);
        let nearest = header.sources[0].header.as_ref().unwrap();
        assert_eq!(
            (header.sources[0].file.as_str(), nearest.sources[0].file.as_str()),
            ("99", "98"),
            "the nearest are kept"
        );
        let levels = levels(&header);
        assert_eq!(levels.len(), Header::LEVELS + 1);
        let left_out: Vec<bool> = levels.iter().map(|level| level.sources_left_out).collect();
        assert_eq!(left_out, [vec![false; Header::LEVELS], vec![true]].concat(), "the last one tells of it");
    }

    #[test]
    fn equal_sources_are_kept_once() {
        let mut header = Header::new(Kind::Positions, "datagen");
        for _ in 0..17 {
            header = made_from(["a", "a"].map(|name| (name.to_owned(), header.clone())));
            assert_eq!(header.sources.len(), 1);
        }
        assert_eq!(written(&header), header);
        let other = Header { seed: Some(1), ..Header::new(Kind::Positions, "datagen") };
        let two = made_from(["a", "a"].map(str::to_owned).into_iter().zip([header, other]));
        assert_eq!(two.sources.len(), 2, "of one name, but not equal");
    }

    #[test]
    fn a_tree_of_many_sources_can_be_read() {
        let mut header = Header::new(Kind::Positions, "datagen");
        for round in 1..=6 {
            header = made_from((0..12).map(|number| (number.to_string(), header.clone())));
            // With 12⁴ sources a fourth level would be too much.
            assert_eq!(levels(&header).len(), 1 + round.min(3), "{round} rounds");
        }
        assert_eq!(written(&header), header);
        assert_eq!(header.sources.len(), 12);
    }

    #[test]
    fn kinds_and_variants_have_names() {
        let error = DataError::Kind { expected: Kind::Games }.to_string();
        assert_eq!(error, "expected a file of games, got one of positions");
        let names = [Variant::Standard, Variant::Chess960].map(|it| it.to_string());
        assert_eq!(names, ["standard chess", "Chess960"]);
    }

    #[test]
    fn headers_survive_and_what_is_not_known_is_passed_over() {
        let evaluator = EvaluatorId { name: "network".to_owned(), hash: Some("1a2b".to_owned()) };
        let made = Header {
            variant: Variant::Chess960,
            evaluator: Some(evaluator),
            bench: Some(Signature { depth: 6, nodes: 123 }),
            seed: Some(u64::MAX),
            recipe: serde_json::json!({ "nodes": 200 }),
            blocks_belong_together: true,
            ..Header::new(Kind::Games, "datagen")
        };
        let source = Source { file: "own.zwd".to_owned(), header: Some(made) };
        let header = Header::new(Kind::Positions, "data shuffle").with_sources(vec![source]);
        assert_eq!((header.variant, header.blocks_belong_together), (Variant::Chess960, true));
        let own = Header { blocks_belong_together: true, ..Header::new(Kind::Positions, "datagen") };
        assert!(own.with_sources(Vec::new()).blocks_belong_together);
        let text = serde_json::to_string(&header).unwrap();
        assert_eq!(serde_json::from_str::<Header>(&text).unwrap(), header);

        let later = r#"{"kind":"games","variant":"standard","tool":"t","program":"p","moon":"full"}"#;
        assert_eq!(serde_json::from_str::<Header>(later).unwrap().tool, "t");
        let other = later.replace("standard", "atomic");
        assert!(serde_json::from_str::<Header>(&other).unwrap_err().to_string().contains("atomic"));
    }
}
