//! The engine below the protocol, subject by subject: one binary, since each one is linked with full optimisation.

mod bounds;
mod command;
mod draws;
mod incremental;
mod layers;
mod mates;
mod network;
mod perft;
mod properties;
mod root;
mod search;
mod see;
mod study;
mod syzygy;

/// What several subjects share.
mod support {
    pub(crate) mod perft_suite;
    pub(crate) mod searching;
    pub(crate) mod walks;
}
