//! The flag `--threads` of tools.

/// Runs `work` on a pool of `threads` threads, the value of `--threads`.
pub(crate) fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> anyhow::Result<T> + Send,
) -> anyhow::Result<T> {
    const MOST: usize = 1024;
    anyhow::ensure!((1..=MOST).contains(&threads), "--threads: expected 1 to {MOST}, got {threads}");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    // The source of the error says the same again.
    pool.map_err(|error| anyhow::anyhow!("--threads: cannot start {threads}: {error}"))?.install(work)
}
