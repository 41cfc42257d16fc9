// calls32: a 32-bit program without libraries: makes getppid(2), number 64 to such programs (to others that is semget(2)), having called
// difference(7, 9), then ends.
static int call(int number, int argument)
{
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(argument) : "memory");
    return result;
}

__attribute__((noinline)) int difference(int a, int b)
{
    __asm__ volatile(""); // or the call is not made
    return a - b;
}

void _start(void)
{
    call(64, difference(7, 9));
    call(1, 0); // exit(0)
    for (;;) {
    }
}
