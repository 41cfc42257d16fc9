// brief: one getppid(2) call and no more. A program that is started a thousand times a second, so it is linked without a
// loader and without what a C library does before main().
#include <sys/syscall.h>
#include <unistd.h>

void _start(void);

void _start(void)
{
    syscall(SYS_getppid);
    _exit(0);
}
