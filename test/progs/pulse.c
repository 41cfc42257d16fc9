// pulse: system calls that take their usual time, and some that take much longer, at known places:
//   nanosleep of 0.1 ms, 400 times; each 80th takes 500 ms (5 slow ones)
//   poll of 60 ms, 40 times; the 21st and the 31st take 700 ms (2 slow ones)
// 60 ms is the usual time of poll, but a nanosleep of 60 ms would be slow.
#include "progs.h"

#include <sys/syscall.h>
#include <time.h>

static void naps(void)
{
    const struct timespec usual = {0, 100 * 1000}, slow = {0, 500 * 1000 * 1000};
    for (int i = 1; i <= 400; i++)
        syscall(SYS_nanosleep, i % 80 == 0 ? &slow : &usual, NULL);
}

// arm64 has no poll(2).
static void wait_for_nothing(long ms)
{
#ifdef SYS_poll
    syscall(SYS_poll, NULL, 0, ms);
#else
    const struct timespec limit = {ms / 1000, ms % 1000 * 1000000};
    syscall(SYS_ppoll, NULL, 0, &limit, NULL, 0);
#endif
}

static void waits(void)
{
    for (int i = 1; i <= 40; i++)
        wait_for_nothing(i == 21 || i == 31 ? 700 : 60);
}

int main(void)
{
    naps();
    waits();
    return 0;
}
