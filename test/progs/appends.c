// appends FILE TIMES: opens FILE as descriptor 3 and appends 16 bytes to it, TIMES times.
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
    // writes to the buffer, so that its page is mapped and a tracer can read it
    memcpy(text, "0123456789abcdef", sizeof(text));
    for (long left = number(argv[2]); left > 0; left--)
        if (write(3, text, sizeof(text)) != sizeof(text))
            return 1;
    return 0;
}
