// sleeper [SECONDS]: sleeps (default: 600), in sleeps of 10 ms, and then ends with status 0.
#include "progs.h"

#include <time.h>

int main(int argc, char **argv)
{
    long seconds = argc > 1 ? number(argv[1]) : 600;
    const struct timespec nap = {0, 10 * 1000 * 1000};
    for (long i = 0; i < seconds * 100; i++)
        nanosleep(&nap, NULL);
    return 0;
}
