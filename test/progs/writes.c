// writes COUNT SIZE: makes COUNT writes of SIZE bytes to /dev/null, on descriptor 3.
#include "progs.h"

#include <fcntl.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return usage("writes COUNT SIZE");
    long count = number(argv[1]), size = number(argv[2]);
    char *bytes = calloc(1, size > 0 ? (size_t)size : 1);
    close(3);
    int fd = open("/dev/null", O_WRONLY);
    if (bytes == NULL || (fd != 3 && dup2(fd, 3) != 3))
        return 1;
    for (long i = 0; i < count; i++) {
        if (write(3, bytes, (size_t)size) != size)
            return 1;
    }
    return 0;
}
