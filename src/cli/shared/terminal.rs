//! What the terminal understands.

/// Whether escape sequences, such as those of colours, may be written to the terminal. A console of Windows
/// is asked once to understand them; old ones refuse, and would show the raw codes.
#[cfg(windows)]
pub(crate) fn understands_escapes() -> bool {
    use std::sync::LazyLock;

    static UNDERSTANDS: LazyLock<bool> = LazyLock::new(|| enable_ansi_support::enable_ansi_support().is_ok());
    *UNDERSTANDS
}

/// Whether escape sequences, such as those of colours, may be written to the terminal.
#[cfg(not(windows))]
pub(crate) const fn understands_escapes() -> bool {
    true
}
