//! The value of `--without`: names of techniques of the search.

use std::ffi::OsStr;

use clap::{
    Arg, Command,
    builder::{PossibleValuesParser, TypedValueParser},
    error::ContextKind,
};
use zugwerk::engine::search::Techniques;

/// Parses names separated by commas, as [`Techniques::without`] does. A wrong name is answered by one that is
/// alike, or else by the whole list.
#[derive(Clone)]
pub(crate) struct WithoutParser;

impl TypedValueParser for WithoutParser {
    type Value = Techniques;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Techniques, clap::Error> {
        let names = value.to_string_lossy().to_ascii_lowercase().replace('-', "_");
        for name in names.split([',', ' ']).filter(|name| !name.is_empty()) {
            PossibleValuesParser::new(Techniques::NAMES).parse_ref(command, arg, OsStr::new(name)).map_err(
                |mut error| {
                    if error.get(ContextKind::SuggestedValue).is_some() {
                        error.remove(ContextKind::ValidValue);
                    }
                    error
                },
            )?;
        }
        Ok(Techniques::without(&names).expect("all names are known"))
    }
}
