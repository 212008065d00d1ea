//! Memory advice to processor and system: the only file with `unsafe` code.
//!
//! The transposition table is larger than every cache, and its page table entries exceed the TLB. Without this
//! advice nearly every probe waited for memory, which took a third of the search's time. The advice changes no
//! result, and does nothing on machines that do not support it. CHANGELOG.md lists the measured gains.

#![allow(unsafe_code)]

/// Prefetches the cache line of `place`.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction belongs to SSE, which every x86-64 processor has. It cannot fault at any address, and
    // has no effect that the program can observe.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks the system to back `slice` with pages of 2 MiB instead of 4 KiB (transparent huge pages in mode `madvise`).
/// The slice should not have been touched yet. A refusal is ignored.
pub(crate) fn prefer_huge_pages<T>(slice: &mut [T]) {
    #[cfg(target_os = "linux")]
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
    #[cfg(not(target_os = "linux"))]
    let _ = slice;
}
