// calls32: a 32-bit program without libraries: makes getppid(2), number 64 to such programs (to others that is semget(2)), having called
// difference(7, 9), from inner() in outer(); fails in open("/no/such/file", 0x8000) and in socketcall(1, an address of nothing), which others do not
// have; then ends.
static int call(int number, long first, long second)
{
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second) : "memory");
    return result;
}

__attribute__((noinline)) int difference(int a, int b)
{
    __asm__ volatile(""); // or the call is not made
    return a - b;
}

__attribute__((noinline)) int inner(int value)
{
    const int result = call(64, value, 0);
    __asm__ volatile("");
    return result;
}

__attribute__((noinline)) int outer(int value)
{
    const int result = inner(value);
    __asm__ volatile("");
    return result;
}

void _start(void)
{
    outer(difference(7, 9));
    call(5, (long)"/no/such/file", 0x8000);
    call(102, 1, 8);
    call(1, 0, 0); // exit(0)
    for (;;) {
    }
}
