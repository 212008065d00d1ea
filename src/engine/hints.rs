//! Hints to processor and system: the only file with `unsafe` code.
//!
//! **Memory.** The transposition table is larger than every cache, and its page table entries exceed the TLB.
//! Without this hint nearly every probe waited for memory, which took a third of the search's time.
//!
//! **Scheduling.** With more busy threads than cores, a thread that wakes up waits until others have used up
//! their time slices, so a `stop` reaches the search late. A thread with a shorter slice is run first.
//!
//! The hints change no result, and do nothing on machines that do not support it. docs/ledger.tsv lists
//! the measured gains.

#![allow(unsafe_code)]

/// Prefetches the cache line of `place`, which may be any address.
#[inline(always)]
pub(crate) fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction belongs to SSE, which every x86-64 processor has. It cannot fault at any
    // address, and has no effect that the program can observe.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the instruction is a hint. It cannot fault at any address, and has no effect that the program
    // can observe.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) place, options(readonly, nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = place;
}

/// Asks the system to back `slice` with pages of 2 MiB instead of 4 KiB (transparent huge pages in mode
/// `madvise`). The slice should not have been touched yet. A refusal is ignored.
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
            // SAFETY: `skipped..skipped + length` lies inside the slice, which is borrowed exclusively. This
            // kind of hint does not change the contents of memory.
            let _ = unsafe { madvise(start.add(skipped).cast(), length, MmapAdvise::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = slice;
}

/// Asks for the shortest time slice for the calling thread, 0.1 ms (Linux 6.12 and later). In return it runs
/// at once when it wakes up: for threads that mostly wait. Its priority and its share of the processor stay
/// the same. A refusal is ignored.
pub(crate) fn prefer_short_slices() {
    #[cfg(target_os = "linux")]
    if let Some(mut attributes) = scheduling::attributes() {
        attributes.sched_runtime = scheduling::SHORTEST_SLICE;
        scheduling::set_attributes(&attributes);
    }
}

/// The scheduling attributes of the calling thread. The C library has no functions for them yet.
///
/// Reference: the manual page sched_setattr(2). For the normal policies, Linux 6.12 and later use
/// `sched_runtime` as the time slice; earlier ones ignore it.
#[cfg(target_os = "linux")]
mod scheduling {
    use nix::libc::{
        SCHED_BATCH, SCHED_OTHER, SYS_sched_getattr, SYS_sched_setattr, c_uint, sched_attr, syscall,
    };

    /// The shortest slice that the system accepts, in nanoseconds.
    pub(super) const SHORTEST_SLICE: u64 = 100_000;

    const SIZE: c_uint = size_of::<sched_attr>() as c_uint;
    const CALLING_THREAD: c_uint = 0;
    const NO_FLAGS: c_uint = 0;

    /// `None` if the system does not tell, or if the thread has a policy without time slices of this kind.
    pub(super) fn attributes() -> Option<sched_attr> {
        // SAFETY: the structure consists of integers, for which zeros are valid.
        let mut attributes: sched_attr = unsafe { std::mem::zeroed() };
        // SAFETY: the system writes at most SIZE bytes to the structure, which has that size and is borrowed
        // exclusively. It has no other effect.
        let answer =
            unsafe { syscall(SYS_sched_getattr, CALLING_THREAD, &raw mut attributes, SIZE, NO_FLAGS) };
        let normal = [SCHED_OTHER, SCHED_BATCH].contains(&(attributes.sched_policy as i32));
        (answer == 0 && normal).then_some(attributes)
    }

    pub(super) fn set_attributes(attributes: &sched_attr) {
        // SAFETY: the system only reads the structure, which is borrowed and states its size itself.
        // Scheduling does not change what the program computes.
        let _ = unsafe { syscall(SYS_sched_setattr, CALLING_THREAD, &raw const *attributes, NO_FLAGS) };
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_address_can_be_prefetched() {
        super::prefetch(std::ptr::null::<u64>());
        super::prefetch(std::ptr::without_provenance::<u64>(usize::MAX));
    }

    /// Systems without such slices (Linux before 6.12) tell of none, and nothing may change there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_alone_gets_its_short_slice() {
        use super::*;

        let slice = || scheduling::attributes().map(|attributes| attributes.sched_runtime);
        let usual = slice();
        let expected = if usual > Some(0) { Some(scheduling::SHORTEST_SLICE) } else { usual };
        let shortened = std::thread::spawn(move || {
            prefer_short_slices();
            slice()
        });
        assert_eq!(shortened.join().unwrap(), expected);
        assert_eq!(slice(), usual);
    }
}
