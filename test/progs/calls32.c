// calls32: a 32-bit program without libraries. It calls difference(7, 9). Then outer() calls inner(), which makes
// system call 64: getppid(2) for 32-bit programs, but semget(2) for others. Then two calls fail: open("/no/such/file",
// 0x8000), and socketcall(1, unmapped address), which 64-bit programs do not have.
static int call(int number, long first, long second)
{
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second) : "memory");
    return result;
}

__attribute__((noinline)) int difference(int a, int b)
{
    __asm__ volatile(""); // keeps the compiler from removing calls of this function
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
