// show_buffer TEXT: writes TEXT to /dev/null, on descriptor 3, from a buffer of 64 bytes; then prints the content of the buffer.
#include "progs.h"

#include <fcntl.h>

int main(int argc, char **argv)
{
    static char buffer[64];
    if (argc != 2 || strlen(argv[1]) >= sizeof(buffer))
        return usage("show_buffer TEXT");
    memcpy(buffer, argv[1], strlen(argv[1]));
    close(3);
    int fd = open("/dev/null", O_WRONLY);
    if (fd != 3 && dup2(fd, 3) != 3)
        return 1;
    if (write(3, buffer, strlen(argv[1])) < 0)
        return 1;
    puts(buffer);
    return 0;
}
