// write_sizes N...: writes N bytes to /dev/null, on descriptor 3, with one write(2) for each argument.
#include "progs.h"

#include <fcntl.h>

int main(int argc, char **argv)
{
    close(3);
    int fd = open("/dev/null", O_WRONLY);
    if (fd != 3 && dup2(fd, 3) != 3)
        return 1;
    for (int i = 1; i < argc; i++) {
        long size = number(argv[i]);
        char *bytes = calloc(1, size > 0 ? (size_t)size : 1);
        if (bytes == NULL || write(3, bytes, (size_t)size) != size)
            return 1;
        free(bytes);
    }
    return 0;
}
