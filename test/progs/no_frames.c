// Makes one getppid(2) call in a function without a frame pointer: the frame pointer register points to two words that
// only look like a stack frame. The return address is also not where the function's unwind table says. So both methods
// to walk the stack meet wrong data.
#include <sys/syscall.h>

static unsigned long words[2] = {0, 0x123456};

int main(void)
{
    long result;

#if defined(__x86_64__)
    // The assembler code leaves the red zone unchanged, and restores the stack pointer and the frame pointer.
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpush %%rbp\n\tmov %1, %%rbp\n\tsyscall\n\tpop %%rbp\n\tlea 128(%%rsp), %%rsp"
                     : "=a"(result)
                     : "r"(words), "a"(SYS_getppid)
                     : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_getppid;
    register long returned __asm__("x0");
    __asm__ volatile("mov x9, x29\n\tmov x10, x30\n\tmov x29, %1\n\tmov x30, xzr\n\tsvc 0\n\tmov x29, x9\n\tmov x30, x10"
                     : "=r"(returned)
                     : "r"(words), "r"(number)
                     : "x9", "x10", "memory");
    result = returned;
#endif
    return result < 0;
}
