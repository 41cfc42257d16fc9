// registers: makes the system call getppid(2) with a number of its own in every register that can be chosen, then ends.
#include "progs.h"

#include <sys/syscall.h>

int main(void)
{
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
    return 0;
}
