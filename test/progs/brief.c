// brief: makes one getppid(2) call and ends. A benchmark starts it a thousand times a second, so it starts fast: it is
// linked without a dynamic loader and without the C library's start-up code.
#include <sys/syscall.h>
#include <unistd.h>

void _start(void);

void _start(void)
{
    syscall(SYS_getppid);
    _exit(0);
}
