// unreadable: opens, stats, mounts and executes two unreadable paths: NULL, and the address 8. All calls fail with EFAULT.
#include "progs.h"

#include <errno.h>
#include <fcntl.h>

int main(void)
{
    char buffer[512];
    int others = 0;
    for (long path = 0; path <= 8; path += 8) {
        others += syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0) == 0 || errno != EFAULT;
        others += syscall(SYS_newfstatat, AT_FDCWD, path, buffer, 0) == 0 || errno != EFAULT;
        others += syscall(SYS_umount2, path, 0) == 0 || errno != EFAULT;
        others += syscall(SYS_execve, path, NULL, NULL) == 0 || errno != EFAULT;
    }
    return others;
}
