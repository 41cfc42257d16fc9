// A library: called() makes the system call getppid(2).
#include "progs.h"

#include <sys/syscall.h>

__attribute__((noinline)) long called(void)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"((long)SYS_getppid) : "rcx", "r11", "memory");
    return result;
}
