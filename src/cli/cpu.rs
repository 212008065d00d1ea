//! Checks that this processor has all instructions that the program uses, and that the system has enabled
//! them.
//!
//! Without the check a program built for a newer processor would end at the first such instruction, with a
//! signal only. [`is_sufficient`] is therefore called first.
//!
//! `is_x86_feature_detected!` cannot replace this module: it is always true for an extension that the program
//! is built to use. For the same reason libraries that ask it use every extension of the build. The table
//! therefore has the extensions that rustc enables for the levels x86-64-v2 to v4 (every x86-64 processor has
//! those of v1), and those that a dependency asks for: `pclmulqdq` and `vpclmulqdq` (crc32fast), `avx512vbmi`
//! (wide). A program built for one processor (`target-cpu=native`) may use others, which are not checked.
//!
//! The compiler may use the newer instructions in this file too: they are enabled for the whole program, and
//! vector instructions are used even to copy a name. Code that runs before the answer, and code that prints
//! the refusal, therefore handles only single numbers: no lists, no formatting, no shifts by a variable.
//! `.ci/package` runs the programs on processors that are too old.
//!
//! On other architectures programs are built for one kind of processor, so nothing can be missing.

use std::{
    arch::x86_64::{__cpuid_count, CpuidResult},
    io::{self, Write as _},
    process::ExitCode,
};

use x86_64::registers::xcontrol::XCr0;

/// A processor extension, and where the instruction `cpuid` reports it.
struct Extension {
    /// Its name in `rustc -C target-feature`.
    name: &'static str,
    /// The input of `cpuid`: EAX and ECX.
    leaf: (u32, u32),
    /// The register of the answer.
    register: Register,
    /// The bit of the register.
    bit: u32,
    /// The components of the processor's state that it uses, as bits of XCR0.
    state: u64,
    /// Whether the program was built to use it.
    used: bool,
    /// Whether the standard library finds it.
    #[cfg(test)]
    is_found: fn() -> bool,
}

#[derive(Clone, Copy)]
enum Register {
    Ebx,
    Ecx,
}

const FEATURES: (u32, u32) = (1, 0);
const EXTENDED: (u32, u32) = (7, 0);
const AMD: (u32, u32) = (0x8000_0001, 0);

/// The bit of [`FEATURES`] in ECX that tells whether the system has enabled XSAVE, and with it XGETBV.
const OSXSAVE: u32 = 1 << 27;

/// What every x86-64 system saves when it switches between programs.
const SSE: u64 = 0;
/// The registers XMM and the upper halves of YMM.
const AVX: u64 = 0b110;
/// These, the mask registers, the upper halves of ZMM0 to ZMM15, and ZMM16 to ZMM31.
const AVX512: u64 = 0b1110_0110;

macro_rules! extensions {
    ($($name:tt $leaf:ident $register:ident $bit:literal $state:ident)*) => {
        [$(Extension {
            name: $name,
            leaf: $leaf,
            register: Register::$register,
            bit: 1 << $bit,
            state: $state,
            used: cfg!(target_feature = $name),
            #[cfg(test)]
            is_found: || std::arch::is_x86_feature_detected!($name),
        }),*]
    };
}

/// The extensions (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, `CPUID`, and
/// volume 1, section 13.3 for the state; AMD64 Architecture Programmer's Manual, volume 3, appendix E).
static EXTENSIONS: [Extension; 23] = extensions! {
    "sse3" FEATURES Ecx 0 SSE
    "pclmulqdq" FEATURES Ecx 1 SSE
    "ssse3" FEATURES Ecx 9 SSE
    "fma" FEATURES Ecx 12 AVX
    "cmpxchg16b" FEATURES Ecx 13 SSE
    "sse4.1" FEATURES Ecx 19 SSE
    "sse4.2" FEATURES Ecx 20 SSE
    "movbe" FEATURES Ecx 22 SSE
    "popcnt" FEATURES Ecx 23 SSE
    "xsave" FEATURES Ecx 26 SSE
    "avx" FEATURES Ecx 28 AVX
    "f16c" FEATURES Ecx 29 AVX
    "lzcnt" AMD Ecx 5 SSE
    "bmi1" EXTENDED Ebx 3 SSE
    "avx2" EXTENDED Ebx 5 AVX
    "bmi2" EXTENDED Ebx 8 SSE
    "avx512f" EXTENDED Ebx 16 AVX512
    "avx512dq" EXTENDED Ebx 17 AVX512
    "avx512cd" EXTENDED Ebx 28 AVX512
    "avx512bw" EXTENDED Ebx 30 AVX512
    "avx512vl" EXTENDED Ebx 31 AVX512
    "avx512vbmi" EXTENDED Ecx 1 AVX512
    "vpclmulqdq" EXTENDED Ecx 10 AVX
};

impl Extension {
    /// Whether the program uses it and cannot use it here; `saved` is the [`saved_state`].
    fn is_missing(&self, saved: u64) -> bool {
        self.used && !self.is_usable(__cpuid_count, saved)
    }

    /// Whether it can be used: the answers of `cpuid` include it, and `saved` includes the state that it
    /// uses.
    fn is_usable(&self, cpuid: impl Fn(u32, u32) -> CpuidResult, saved: u64) -> bool {
        let (leaf, part) = self.leaf;
        // The first leaf of each of the two ranges returns the last leaf of the range.
        if cpuid(leaf & 0x8000_0000, 0).eax < leaf {
            return false;
        }
        let answer = cpuid(leaf, part);
        let reported = match self.register {
            Register::Ebx => answer.ebx,
            Register::Ecx => answer.ecx,
        };
        reported & self.bit != 0 && saved & self.state == self.state
    }
}

/// The state that the system saves when it switches between programs (the register XCR0). An instruction that
/// uses other state is invalid, even if `cpuid` reports its extension. Without XSAVE nothing beyond SSE is
/// saved.
fn saved_state() -> u64 {
    let (leaf, part) = FEATURES;
    if __cpuid_count(leaf, part).ecx & OSXSAVE == 0 { SSE } else { XCr0::read_raw() }
}

/// Whether all extensions that the program uses can be used here.
#[inline(never)]
pub(crate) fn is_sufficient() -> bool {
    let saved = saved_state();
    !EXTENSIONS.iter().any(|extension| extension.is_missing(saved))
}

/// Reports that the program cannot run on this processor, and returns the exit code.
#[cold]
#[inline(never)]
pub(crate) fn refuse() -> ExitCode {
    let saved = saved_state();
    write("zugwerk: expected a processor with");
    for extension in EXTENSIONS.iter().filter(|extension| extension.is_missing(saved)) {
        write(" ");
        write(extension.name);
    }
    write(
        ", which this program was built for; take a package for an older processor, or build it for this one with \
         `RUSTFLAGS=\"-C target-cpu=native\" cargo build --release`\n",
    );
    ExitCode::from(super::BAD_USAGE)
}

/// Writes to standard error and ignores errors.
fn write(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, env, process::Command};

    use super::*;

    fn extension(name: &str) -> &'static Extension {
        EXTENSIONS.iter().find(|extension| extension.name == name).expect("it is in the table")
    }

    #[test]
    fn the_processor_has_what_the_standard_library_finds() {
        for extension in &EXTENSIONS {
            let is_usable = extension.is_usable(__cpuid_count, saved_state());
            assert_eq!(is_usable, (extension.is_found)(), "{}", extension.name);
        }
    }

    #[test]
    fn the_table_has_every_extension_of_the_levels() {
        let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let enabled = |level: &str| -> BTreeSet<String> {
            let flags = ["--print", "cfg", "--target", "x86_64-unknown-linux-gnu", "-C"];
            let reported =
                Command::new(&compiler).args(flags).arg(format!("target-cpu={level}")).output().unwrap();
            assert!(reported.status.success(), "{level}: {reported:?}");
            let reported = String::from_utf8(reported.stdout).unwrap();
            let name =
                |line: &str| Some(line.strip_prefix("target_feature=\"")?.strip_suffix('"')?.to_owned());
            reported.lines().filter_map(name).collect()
        };
        let everywhere = enabled("x86-64");
        for level in ["x86-64-v2", "x86-64-v3", "x86-64-v4"] {
            for name in enabled(level).difference(&everywhere) {
                assert!(EXTENSIONS.iter().any(|extension| extension.name == name), "{level}: {name}");
            }
        }
    }

    #[test]
    fn what_the_system_has_not_enabled_is_missing() {
        // A processor that has everything.
        let all = |_, _| CpuidResult { eax: !0, ebx: !0, ecx: !0, edx: !0 };
        for name in ["avx", "avx2", "fma", "f16c", "vpclmulqdq"] {
            assert!(!extension(name).is_usable(all, 0b011), "{name} without AVX");
            assert!(extension(name).is_usable(all, 0b111), "{name} with AVX");
        }
        for extension in EXTENSIONS.iter().filter(|extension| extension.name.starts_with("avx512")) {
            assert!(!extension.is_usable(all, 0b111), "{} without AVX-512", extension.name);
            assert!(!extension.is_usable(all, 0b10_0000_0111), "{}, with another state", extension.name);
            assert!(extension.is_usable(all, 0b1110_0111), "{} with AVX-512", extension.name);
        }
        for name in ["sse4.2", "popcnt", "bmi2", "lzcnt", "movbe"] {
            assert!(extension(name).is_usable(all, 0), "{name} needs no more than SSE");
        }
        let nothing = |_, _| CpuidResult { eax: !0, ebx: 0, ecx: 0, edx: 0 };
        assert!(!extension("avx2").is_usable(nothing, !0));
    }

    #[test]
    fn what_the_tests_are_built_to_use_is_here() {
        assert!(is_sufficient());
        assert_eq!(EXTENSIONS.iter().any(|extension| extension.used), cfg!(target_feature = "sse3"));
    }
}
