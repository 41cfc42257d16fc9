// appends FILE TIMES: appends 16 bytes to FILE, opened as descriptor 3, this many times.
#include "progs.h"

#include <fcntl.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return usage("appends FILE TIMES");
    close(3);
    if (open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600) != 3)
        return 1;
    char text[16];
    memcpy(text, "0123456789abcdef", sizeof(text)); // maps the page, so that a tracer can read it
    for (long left = number(argv[2]); left > 0; left--)
        if (write(3, text, sizeof(text)) != sizeof(text))
            return 1;
    return 0;
}
