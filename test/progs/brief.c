// brief: makes one getppid(2) call. It is started a thousand times a second, so it is linked without a loader and without the C library's start-up code.
#include <sys/syscall.h>
#include <unistd.h>

void _start(void);

void _start(void)
{
    syscall(SYS_getppid);
    _exit(0);
}
