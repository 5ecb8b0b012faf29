//! The memory of a table: zeroed, aligned buckets, in huge pages where the system has them.

use crate::error::TtError;
use crate::slot::Bucket;

#[cfg(loom)]
pub use modelled::Buckets;
#[cfg(not(loom))]
pub use real::Buckets;

#[cfg(not(loom))]
mod real {
    use super::{Bucket, TtError};
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ops::{Deref, DerefMut};
    use std::ptr::NonNull;
    use std::slice;

    /// The size of a huge page on x86-64 and on most ARM systems.
    const HUGE_PAGE: usize = 2 << 20;

    /// A fixed number of buckets, at least one, owned.
    ///
    /// The block is asked for with a small alignment and more bytes than needed, and the buckets
    /// are aligned inside it: the standard allocator answers such a request with `calloc`, which
    /// for a large block is untouched zero pages, whereas for a large alignment it writes the
    /// zeros itself, before huge pages could be asked for.
    pub struct Buckets {
        block: NonNull<u8>,
        layout: Layout,
        first: NonNull<Bucket>,
        len: usize,
    }

    // SAFETY: `Buckets` owns its memory as a `Box<[Bucket]>` would, and a bucket is made of
    // atomics, which may be sent between threads.
    unsafe impl Send for Buckets {}
    // SAFETY: a shared `Buckets` gives only `&[Bucket]`, and atomics may be shared.
    unsafe impl Sync for Buckets {}

    impl Buckets {
        /// Allocates `len` empty buckets.
        ///
        /// # Errors
        ///
        /// [`TtError::ZeroSize`] if `len` is zero, [`TtError::TooLarge`] if the bytes overflow the
        /// address space, [`TtError::OutOfMemory`] if the allocator has none.
        pub fn zeroed(len: usize) -> Result<Self, TtError> {
            if len == 0 {
                return Err(TtError::ZeroSize);
            }
            let size = len.saturating_mul(size_of::<Bucket>());
            let align = if size >= HUGE_PAGE {
                HUGE_PAGE
            } else {
                align_of::<Bucket>()
            };
            let layout = size
                .checked_add(align)
                .and_then(|padded| Layout::from_size_align(padded, align_of::<u64>()).ok())
                .ok_or(TtError::TooLarge {
                    size,
                    unit: "bytes",
                })?;
            // SAFETY: the layout has a size above zero.
            let block = unsafe { alloc_zeroed(layout) };
            let block = NonNull::new(block).ok_or(TtError::OutOfMemory { bytes: size })?;

            let address = block.addr().get();
            let padding = address.next_multiple_of(align) - address;
            // SAFETY: `padding` is below `align`, and the block has `size + align` bytes.
            let first = unsafe { block.add(padding) };
            ask_for_huge_pages(first, size);
            Ok(Self {
                block,
                layout,
                first: first.cast(),
                len,
            })
        }
    }

    impl Deref for Buckets {
        type Target = [Bucket];

        #[inline]
        fn deref(&self) -> &[Bucket] {
            // SAFETY: `first` is aligned for a bucket, `len` buckets from it on lie in the block,
            // which lives as long as `self`; zero bytes are valid buckets.
            unsafe { slice::from_raw_parts(self.first.as_ptr(), self.len) }
        }
    }

    impl DerefMut for Buckets {
        fn deref_mut(&mut self) -> &mut [Bucket] {
            // SAFETY: as for `deref`, and the borrow of `self` is exclusive.
            unsafe { slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
        }
    }

    impl Drop for Buckets {
        fn drop(&mut self) {
            // SAFETY: the block came from `alloc_zeroed` with this layout and is freed once.
            unsafe { dealloc(self.block.as_ptr(), self.layout) };
        }
    }

    /// Asks for huge pages behind `size` bytes from `start` on: fewer misses of the page table at
    /// random access. Only a hint, so the answer is of no interest.
    fn ask_for_huge_pages(start: NonNull<u8>, size: usize) {
        #[cfg(all(target_os = "linux", not(miri)))]
        if size >= HUGE_PAGE {
            let whole_pages = size / HUGE_PAGE * HUGE_PAGE;
            // SAFETY: the range lies in our block, starts and ends at page borders, and the advice
            // leaves the contents as they are.
            unsafe { libc::madvise(start.as_ptr().cast(), whole_pages, libc::MADV_HUGEPAGE) };
        }
        #[cfg(not(all(target_os = "linux", not(miri))))]
        let _ = (start, size);
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::entry::Words;

        #[test]
        fn aligned_and_empty_at_any_length() {
            let huge = HUGE_PAGE / size_of::<Bucket>();
            for len in [1, 2, 3, 63, 1000, huge - 1, huge, huge + 1, 3 * huge + 5] {
                let mut buckets = Buckets::zeroed(len).unwrap();
                assert_eq!(buckets.len(), len);
                let align = if len < huge { 64 } else { HUGE_PAGE };
                assert_eq!(buckets.as_ptr().addr() % align, 0);
                let empty = |bucket: &Bucket| bucket.load() == [Words::EMPTY; 4];
                assert!(buckets.iter().all(empty));
                // Touches both ends of the block.
                let full = Words { data: 1, check: 2 };
                buckets[0].slots[0].store(full);
                buckets[len - 1].slots[3].store(full);
                buckets.fill_with(Bucket::empty);
                assert!(buckets.iter().all(empty));
            }
        }

        #[test]
        fn impossible_sizes_are_errors() {
            assert_eq!(Buckets::zeroed(0).err(), Some(TtError::ZeroSize));
            for len in [usize::MAX, usize::MAX / 64, isize::MAX as usize / 64 + 1] {
                let error = Buckets::zeroed(len).err();
                assert!(matches!(error, Some(TtError::TooLarge { .. })), "{len}");
            }
            // Allowed as a layout, larger than any address space; with 32 bits it is a gigabyte, which there may be.
            #[cfg(target_pointer_width = "64")]
            {
                let bytes = 1 << (usize::BITS - 2);
                let error = Buckets::zeroed(bytes / 64).err();
                assert_eq!(error, Some(TtError::OutOfMemory { bytes }));
            }
        }
    }
}

/// Loom's atomics are not plain bytes and must be made one by one.
#[cfg(loom)]
mod modelled {
    use super::{Bucket, TtError};
    use std::ops::{Deref, DerefMut};

    /// A fixed number of buckets, for the model.
    pub struct Buckets(Box<[Bucket]>);

    impl Buckets {
        /// Allocates `len` empty buckets.
        pub fn zeroed(len: usize) -> Result<Self, TtError> {
            Ok(Self((0..len).map(|_| Bucket::empty()).collect()))
        }
    }

    impl Deref for Buckets {
        type Target = [Bucket];

        fn deref(&self) -> &[Bucket] {
            &self.0
        }
    }

    impl DerefMut for Buckets {
        fn deref_mut(&mut self) -> &mut [Bucket] {
            &mut self.0
        }
    }
}
