//! Advice to the machine about memory: the one place with `unsafe` in it.
//!
//! The transposition table fits into no cache, and its pages into no table of the processor's. So nearly every probe
//! waited for memory, which took a third of the search's time. Neither piece of advice changes what a program computes;
//! on machines that do not know them they do nothing. What they are worth stands in CHANGELOG.md.

#![allow(unsafe_code)]

/// Asks the processor to bring what `place` refers to into its caches, while the program does something else.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction belongs to SSE, which every x86-64 processor has; it cannot fault, whatever the address,
    // and neither reads nor writes anything the program can see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks the system to back `slice`, which should not have been touched yet, with pages of 2 MiB instead of 4 KiB, where it
/// grants that to those who ask (transparent huge pages in mode `madvise`). Refusals do not matter.
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
            // SAFETY: `skipped..skipped + length` lies inside the slice, which we alone may use; this kind of advice
            // leaves the contents of memory as they are.
            let _ = unsafe { madvise(start.add(skipped).cast(), length, MmapAdvise::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = slice;
}
