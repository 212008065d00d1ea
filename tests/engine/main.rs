//! Tests of the engine below the protocol, by subject. One binary, because each is linked with full
//! optimisation.

mod bounds;
mod command;
mod draws;
mod health;
mod incremental;
mod mates;
mod network;
mod perft;
mod properties;
mod root;
mod search;
mod see;
mod study;
mod syzygy;
mod table;

/// Code that several subjects share.
mod support {
    pub(crate) mod perft_suite;
    pub(crate) mod searching;
    pub(crate) mod timing;
    pub(crate) mod walks;
}
mod wings;
