// registers: makes the system call getppid(2) with a different number in every register that a program can set, then
// ends.
#include "progs.h"

#include <sys/syscall.h>

int main(void)
{
#if defined(__x86_64__)
    __asm__ volatile("mov $101, %%ebx\n"
                     "mov $102, %%edx\n"
                     "mov $103, %%esi\n"
                     "mov $104, %%edi\n"
                     "mov $108, %%r8d\n"
                     "mov $109, %%r9d\n"
                     "mov $110, %%r10d\n"
                     "mov $112, %%r12d\n"
                     "mov $113, %%r13d\n"
                     "mov $114, %%r14d\n"
                     "mov $115, %%r15d\n"
                     "push %%rbp\n"
                     "mov $105, %%ebp\n"
                     "mov %0, %%eax\n"
                     "syscall\n"
                     "pop %%rbp\n"
                     :
                     : "i"(SYS_getppid)
                     : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory");
#elif defined(__aarch64__)
    // The argument registers contain the same numbers as on x86. Other registers contain 200 plus their own number, and
    // x8 contains the system call's number.
    __asm__ volatile("stp x29, x30, [sp, #-16]!\n"
                     "mov x0, #104\n mov x1, #103\n mov x2, #102\n mov x3, #110\n mov x4, #108\n mov x5, #109\n"
                     ".irp n, 6,7,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
                     "mov x\\n, #200 + \\n\n"
                     ".endr\n"
                     "mov x8, %0\n"
                     "svc 0\n"
                     "ldp x29, x30, [sp], #16\n"
                     :
                     : "i"(SYS_getppid)
                     : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20",
                       "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "memory");
#endif
    return 0;
}
