//! Flags that several subcommands share: the evaluator.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use zugwerk::{
    engine::eval::{Choose as _, EvaluatorChoice, EvaluatorKind, Standard},
    workshop::data,
};

/// Flags that choose an evaluator.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct EvaluatorFlags {
    /// The evaluator [default: the network of --eval-file, or else the engine's default]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(EvaluatorKind::NAMES).try_map(|name| name.parse::<EvaluatorKind>()))]
    evaluator: Option<EvaluatorKind>,
    /// The file of the network [default: the embedded network]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EvaluatorFlags {
    /// The requested choice.
    pub(crate) fn choice(&self) -> anyhow::Result<EvaluatorChoice> {
        let kind = match self.evaluator {
            Some(kind) => kind,
            None if self.eval_file.is_some() => EvaluatorKind::Network,
            None => EvaluatorKind::DEFAULT,
        };
        anyhow::ensure!(
            kind == EvaluatorKind::Network || self.eval_file.is_none(),
            "expected --eval-file only with a network, got it with --evaluator {kind}"
        );
        Ok(EvaluatorChoice { kind, file: self.eval_file.clone() })
    }

    /// The file of the network, if one is named.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        self.eval_file.as_ref()
    }

    /// The requested evaluator.
    pub(crate) fn evaluator(&self) -> anyhow::Result<Standard> {
        Standard::choose(&self.choice()?).map_err(|reason| anyhow::anyhow!("{reason}"))
    }

    /// The requested evaluator, as recorded in files of training data.
    pub(crate) fn provenance(&self) -> anyhow::Result<data::EvaluatorId> {
        let choice = self.choice()?;
        let hash = match choice.kind {
            EvaluatorKind::Network => Some(choice.network()?.hash()),
            EvaluatorKind::Classical | EvaluatorKind::Material => None,
        };
        Ok(data::EvaluatorId { name: choice.kind.name().to_owned(), hash })
    }
}
