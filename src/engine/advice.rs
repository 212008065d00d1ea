//! Advice to processor and system: the only file with `unsafe` code.
//!
//! The transposition table is larger than every cache, and its page table entries exceed the TLB. Without
//! this advice nearly every probe waited for memory, which took a third of the search's time.
//!
//! The advice changes no result, and does nothing on machines that do not support it. docs/ledger.tsv lists the measured
//! gains.

#![allow(unsafe_code)]

/// Prefetches the cache line of `place`, which may be any address.
#[inline(always)]
pub(crate) fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction belongs to SSE, which every x86-64 processor has. It cannot fault at any address, and
    // has no effect that the program can observe.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the instruction is a hint. It cannot fault at any address, and has no effect that the program can observe.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) place, options(nomem, nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = place;
}

/// Asks the system to back `slice` with pages of 2 MiB instead of 4 KiB (transparent huge pages in mode `madvise`).
/// The slice should not have been touched yet. A refusal is ignored.
pub(crate) fn prefer_huge_pages<T>(slice: &mut [T]) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        use nix::sys::mman::{MmapAdvise, madvise};
        const PAGE: usize = 4096;
        let bytes = size_of_val(slice);
        let start = std::ptr::NonNull::from(slice).cast::<u8>();
        let skipped = start.align_offset(PAGE);
        let length = bytes.saturating_sub(skipped) / PAGE * PAGE;
        if length > 0 {
            // SAFETY: `skipped..skipped + length` lies inside the slice, which is borrowed exclusively. This kind
            // of advice does not change the contents of memory.
            let _ = unsafe { madvise(start.add(skipped).cast(), length, MmapAdvise::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = slice;
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_address_can_be_prefetched() {
        super::prefetch(std::ptr::null::<u64>());
        super::prefetch(std::ptr::without_provenance::<u64>(usize::MAX));
    }
}
