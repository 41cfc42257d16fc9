// disk DEVICE [w|r OFFSET SIZE | f]...: writes to and reads from a disk without the page cache, one request each, and flushes it (f). Prints the errno of each
// failure.
#include "progs.h"

#include <errno.h>
#include <fcntl.h>

int main(int argc, char **argv)
{
    int fd = argc > 1 ? open(argv[1], O_RDWR | O_DIRECT) : -1;
    if (fd < 0)
        return usage("disk DEVICE [w|r OFFSET SIZE | f]...");
    for (int i = 2; i < argc; i++) {
        if (*argv[i] == 'f') {
            fsync(fd);
            continue;
        }
        if (i + 2 >= argc)
            return 2;
        long offset = number(argv[i + 1]), size = number(argv[i + 2]);
        void *bytes = aligned_alloc(4096, (size_t)size);
        if (bytes == NULL)
            return 1;
        memset(bytes, 0, (size_t)size);
        ssize_t done = *argv[i] == 'w' ? pwrite(fd, bytes, (size_t)size, offset) : pread(fd, bytes, (size_t)size, offset);
        if (done < 0)
            printf("%d\n", errno);
        free(bytes);
        i += 2;
    }
    return 0;
}
