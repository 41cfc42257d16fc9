// A function that the compiler cannot optimize away, like std::hint::black_box, which is not stable in the Rust of Debian 12.
#[inline(always)]
pub fn opaque<T>(value: T) -> T {
    let kept = std::mem::ManuallyDrop::new(value); // reads the value once, so that it is dropped once
    unsafe { std::ptr::read_volatile(&*kept) }
}
