// open_files PATH...: opens each path read-only, through openat(2) from the current directory, and closes it if that succeeded.
#include "progs.h"

#include <fcntl.h>
#include <sys/syscall.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        long fd = syscall(SYS_openat, AT_FDCWD, argv[i], O_RDONLY, 0);
        if (fd >= 0)
            close((int)fd);
    }
    return 0;
}
