// One getppid(2) with no frame pointer: the register holds the address of two words that look like a frame and are none.
#include <sys/syscall.h>

static unsigned long words[2] = {0, 0x123456};

int main(void)
{
    long result;

    // Below the red zone, and with everything as it was afterwards.
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpush %%rbp\n\tmov %1, %%rbp\n\tsyscall\n\tpop %%rbp\n\tlea 128(%%rsp), %%rsp"
                     : "=a"(result)
                     : "r"(words), "a"(SYS_getppid)
                     : "rcx", "r11", "memory");
    return result < 0;
}
