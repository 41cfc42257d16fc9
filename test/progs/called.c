// A library whose function called() makes the system call getppid(2).
#include "progs.h"

__attribute__((noinline)) long called(void)
{
    return getppid_here();
}
