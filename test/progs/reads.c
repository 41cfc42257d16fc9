// reads FILE N direct|buffered|mapped|named [STEP]: between close(-1) and close(-2), reads one page at each of N places of a file that are STEP bytes apart (1
// MiB): without the page cache, through it, or by page faults. named: looks up N files whose names are FILE and a number. Prints the kernel's count of the
// thread's time, and its delays (getdelays).
#include "delays.h"
#include "moment.h"
#include "progs.h"

#include <sys/mman.h>

enum { kPage = 4096, kStep = 1 << 20 };

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5)
        return usage("reads FILE N direct|buffered|mapped|named [STEP]");
    const long times = number(argv[2]), step = argc == 5 ? number(argv[4]) : kStep;
    const int mapped = strcmp(argv[3], "mapped") == 0;
    const int named = strcmp(argv[3], "named") == 0;
    const int file = named ? 0 : open(argv[1], O_RDONLY | (strcmp(argv[3], "direct") == 0 ? O_DIRECT : 0));
    char *bytes = mapped ? mmap(NULL, (size_t)(times * step), PROT_READ, MAP_SHARED, file, 0) : aligned_alloc(kPage, kPage);
    if (file < 0 || bytes == NULL || bytes == MAP_FAILED)
        return usage("reads FILE N direct|buffered|mapped|named [STEP]");
    if (!mapped)
        memset(bytes, 1, kPage);
    const struct delays delayed = delays();
    close(-1);
    const struct moment from = moment();
    for (long i = 0; i < times; ++i) {
        char name[256];
        snprintf(name, sizeof name, "%s%ld", argv[1], i);
        if (named)
            access(name, F_OK);
        else if (mapped)
            (void)*(volatile char *)(bytes + i * step);
        else if (pread(file, bytes, kPage, i * step) != kPage)
            return 1;
    }
    const struct moment took = since(from);
    close(-2);
    say_truth(argv[3], took);
    say_delays(argv[3], delayed);
    return 0;
}
