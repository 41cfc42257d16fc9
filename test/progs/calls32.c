// calls32: a 32-bit program without libraries. Calls difference(7, 9), and getppid(2) from inner() in outer(); number 64 is getppid only for 32-bit programs
// (semget(2) for others). Then fails in open("/no/such/file", 0x8000) and in socketcall(1, unmapped address), which 64-bit programs do not have, and ends.
static int call(int number, long first, long second)
{
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second) : "memory");
    return result;
}

__attribute__((noinline)) int difference(int a, int b)
{
    __asm__ volatile(""); // keeps the compiler from removing the call
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
