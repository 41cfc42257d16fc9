// arguments: calls futex(2) with the arguments 1, 102 (an unknown operation), 3, 4, 5 and 0xfffffff0, and ends. The 32-bit build needs no libraries.
#ifdef __i386__
void _start(void)
{
    int result;
    __asm__ volatile("push %%ebp\n\tmov $0xfffffff0, %%ebp\n\tint $0x80\n\tpop %%ebp"
                     : "=a"(result)
                     : "a"(240), "b"(1), "c"(102), "d"(3), "S"(4), "D"(5)
                     : "memory");
    __asm__ volatile("int $0x80" : : "a"(1), "b"(0)); // exit(0)
    for (;;) {
    }
}
#else
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    syscall(SYS_futex, 1L, 102L, 3L, 4L, 5L, 0xfffffff0L);
    return 0;
}
#endif
