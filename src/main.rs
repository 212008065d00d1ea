//! The `zugwerk` program: a UCI engine without a subcommand, one of the tools in [`cli`] with one.

// These macros panic when the reader has closed the pipe; `cli::say` and `cli::warn` do not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;

fn main() -> std::process::ExitCode {
    #[cfg(target_arch = "x86_64")]
    if !cli::cpu::is_sufficient() {
        return cli::cpu::refuse();
    }
    // A search, which many tools lead on the thread that calls it, needs more stack than some systems give the first thread.
    let program = || cli::run(std::env::args_os());
    match std::thread::Builder::new().stack_size(zugwerk::search::STACK).spawn(program) {
        Ok(thread) => thread.join().unwrap_or(std::process::ExitCode::FAILURE),
        Err(_) => program(),
    }
}
