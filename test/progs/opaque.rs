// What a compiler does not see through, as std::hint::black_box, which is not stable in what Debian 12 has.
#[inline(always)]
pub fn opaque<T>(value: T) -> T {
    let kept = std::mem::ManuallyDrop::new(value); // it is read, and so dropped, once
    unsafe { std::ptr::read_volatile(&*kept) }
}
