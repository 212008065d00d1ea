//! Checks that this processor has all instructions that the program uses.
//!
//! Without the check a program built for a newer processor would end at the first such instruction, with a signal only.
//! [`is_sufficient`] is therefore called first.
//!
//! The compiler may use the newer instructions in this file too: they are enabled for the whole program, and vector
//! instructions are used even to copy a name. Code that runs before the answer, and code that prints the refusal,
//! therefore handles only single numbers: no lists, no formatting, no shifts by a variable. `.ci/package` runs the
//! programs on processors that are too old.
//!
//! On other architectures programs are built for one kind of processor, so nothing can be missing.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

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
    /// Whether the program was built to use it.
    used: bool,
}

#[derive(Clone, Copy)]
enum Register {
    Ebx,
    Ecx,
}

const FEATURES: (u32, u32) = (1, 0);
const EXTENDED: (u32, u32) = (7, 0);
const AMD: (u32, u32) = (0x8000_0001, 0);

macro_rules! extensions {
    ($($name:tt $leaf:ident $register:ident $bit:literal)*) => {
        [$(Extension {
            name: $name,
            leaf: $leaf,
            register: Register::$register,
            bit: 1 << $bit,
            used: cfg!(target_feature = $name),
        }),*]
    };
}

/// The extensions that compilers use automatically (Intel 64 and IA-32 Architectures Software Developer's Manual,
/// volume 2, `CPUID`).
static EXTENSIONS: [Extension; 28] = extensions! {
    "sse3" FEATURES Ecx 0
    "ssse3" FEATURES Ecx 9
    "fma" FEATURES Ecx 12
    "sse4.1" FEATURES Ecx 19
    "sse4.2" FEATURES Ecx 20
    "movbe" FEATURES Ecx 22
    "popcnt" FEATURES Ecx 23
    "avx" FEATURES Ecx 28
    "f16c" FEATURES Ecx 29
    "lzcnt" AMD Ecx 5
    "bmi1" EXTENDED Ebx 3
    "avx2" EXTENDED Ebx 5
    "bmi2" EXTENDED Ebx 8
    "avx512f" EXTENDED Ebx 16
    "avx512dq" EXTENDED Ebx 17
    "avx512ifma" EXTENDED Ebx 21
    "avx512cd" EXTENDED Ebx 28
    "sha" EXTENDED Ebx 29
    "avx512bw" EXTENDED Ebx 30
    "avx512vl" EXTENDED Ebx 31
    "avx512vbmi" EXTENDED Ecx 1
    "avx512vbmi2" EXTENDED Ecx 6
    "gfni" EXTENDED Ecx 8
    "vaes" EXTENDED Ecx 9
    "vpclmulqdq" EXTENDED Ecx 10
    "avx512vnni" EXTENDED Ecx 11
    "avx512bitalg" EXTENDED Ecx 12
    "avx512vpopcntdq" EXTENDED Ecx 14
};

impl Extension {
    /// Whether this processor has it.
    fn is_here(&self) -> bool {
        use std::arch::x86_64::{__cpuid, __cpuid_count};

        let (leaf, part) = self.leaf;
        // The first leaf of each of the two ranges returns the last leaf of the range.
        if __cpuid(leaf & 0x8000_0000).eax < leaf {
            return false;
        }
        let answer = __cpuid_count(leaf, part);
        let told = match self.register {
            Register::Ebx => answer.ebx,
            Register::Ecx => answer.ecx,
        };
        told & self.bit != 0
    }

    fn is_missing(&self) -> bool {
        self.used && !self.is_here()
    }
}

/// Whether this processor has all extensions that the program uses.
#[inline(never)]
pub(crate) fn is_sufficient() -> bool {
    !EXTENSIONS.iter().any(Extension::is_missing)
}

/// Reports that the program cannot run on this processor, and returns the exit code.
#[cold]
#[inline(never)]
pub(crate) fn refuse() -> ExitCode {
    write("zugwerk: expected a processor with");
    for extension in EXTENSIONS.iter().filter(|extension| extension.is_missing()) {
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
    use super::*;

    #[test]
    fn the_processor_has_what_the_standard_library_finds() {
        macro_rules! hold_against {
            ($($name:tt)*) => {
                $(let extension = EXTENSIONS.iter().find(|extension| extension.name == $name).expect("it is in the table");
                assert_eq!(extension.is_here(), std::arch::is_x86_feature_detected!($name), "{}", $name);)*
            };
        }
        hold_against! {
            "sse3" "ssse3" "fma" "sse4.1" "sse4.2" "movbe" "popcnt" "avx" "f16c" "lzcnt" "bmi1" "avx2" "bmi2" "avx512f" "avx512dq"
            "avx512ifma" "avx512cd" "sha" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2" "gfni" "vaes" "vpclmulqdq" "avx512vnni"
            "avx512bitalg" "avx512vpopcntdq"
        }
    }

    #[test]
    fn what_the_tests_are_built_to_use_is_here() {
        assert!(is_sufficient());
        assert_eq!(EXTENSIONS.iter().any(|extension| extension.used), cfg!(target_feature = "sse3"));
    }
}
