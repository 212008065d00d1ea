//! Whether this processor has the instructions that the program was built to use.
//!
//! Without this a program built for a newer processor ends at the first such instruction, with no more than a signal. So
//! [`missing`] is asked before anything else, and uses nothing but the oldest instructions itself.

/// The extensions that the program uses and this processor lacks, by the names of `rustc -C target-feature`.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(crate) fn missing() -> Vec<&'static str> {
    let cpu = raw_cpuid::CpuId::new();
    let (basic, extended) = (cpu.get_feature_info(), cpu.get_extended_feature_info());
    let identifiers = cpu.get_extended_processor_and_feature_identifiers();
    macro_rules! lacking {
        ($($name:tt: $info:ident.$has:ident,)*) => {
            [$((cfg!(target_feature = $name) && !$info.as_ref().is_some_and(|info| info.$has())).then_some($name)),*]
        };
    }
    let lacking = lacking! {
        "sse3": basic.has_sse3,
        "ssse3": basic.has_ssse3,
        "sse4.1": basic.has_sse41,
        "sse4.2": basic.has_sse42,
        "popcnt": basic.has_popcnt,
        "avx": basic.has_avx,
        "fma": basic.has_fma,
        "f16c": basic.has_f16c,
        "movbe": basic.has_movbe,
        "lzcnt": identifiers.has_lzcnt,
        "bmi1": extended.has_bmi1,
        "bmi2": extended.has_bmi2,
        "avx2": extended.has_avx2,
        "avx512f": extended.has_avx512f,
        "avx512bw": extended.has_avx512bw,
        "avx512cd": extended.has_avx512cd,
        "avx512dq": extended.has_avx512dq,
        "avx512vl": extended.has_avx512vl,
    };
    lacking.into_iter().flatten().collect()
}

/// Elsewhere programs are built for one kind of processor, and nothing can be missing.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn missing() -> Vec<&'static str> {
    Vec::new()
}
