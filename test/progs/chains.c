// chains WHAT N: three threads that wait for one another in a known way. The thread ch_a calls close(-1) before and
// close(-2) after the wait that blame() must explain.
//   chain N   ch_a waits for ch_b, which waits for ch_c, which computes N ms when both are asleep
//   pool N    ch_a waits for ch_b, which first computes N ms for another request, then N ms for ch_a
//   circle N  ch_a and ch_b wait for each other, until ch_b gives up after N ms
//   many N    repeats the chain N times without computing; before each repetition, ch_b and ch_c sleep while no thread
//             waits for them
#include "asleep.h"
#include "progs.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

enum { kToB, kToC, kFromC, kFromB, kPipes };

static int pipes[kPipes][2];
static const char *what;
static long amount;
static atomic_int ids[2]; // thread ids of the threads ch_a and ch_b
static atomic_long slept[2];
static atomic_int ready;

static void tell(int pipe)
{
    if (write(pipes[pipe][1], "x", 1) != 1)
        exit(1);
}

static void await(int pipe)
{
    char c;
    if (read(pipes[pipe][0], &c, 1) != 1)
        exit(1);
}

static void compute(void)
{
    struct timespec from, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < amount * 1000000);
}

static void until_waiting(int thread)
{
    until_asleep(ids[thread], slept[thread]);
}

static void note_sleeps(int thread)
{
    char state;
    slept[thread] = sleeps_of(ids[thread], &state);
}

static void pause_shortly(void)
{
    struct timespec t = {0, 20000};
    nanosleep(&t, NULL);
}

static int is(const char *name) { return strcmp(what, name) == 0; }

static void *second(void *data)
{
    struct pollfd never = {.fd = pipes[kFromC][0], .events = POLLIN};
    prctl(PR_SET_NAME, "ch_b");
    ids[1] = (int)syscall(SYS_gettid);
    for (long i = 0; i < (is("many") ? amount : 1); ++i) {
        if (is("many")) {
            pause_shortly();
            ++ready;
        }
        if (is("pool")) {
            ready = 2;
            until_waiting(0);
            compute();
        }
        await(kToB);
        if (is("circle")) {
            until_waiting(0);
            poll(&never, 1, (int)amount);
        } else if (is("pool")) {
            compute();
        } else {
            note_sleeps(1);
            tell(kToC);
            await(kFromC);
        }
        tell(kFromB);
    }
    return data;
}

static void *third(void *data)
{
    prctl(PR_SET_NAME, "ch_c");
    for (long i = 0; i < (is("many") ? amount : 1); ++i) {
        if (is("many")) {
            pause_shortly();
            ++ready;
        }
        await(kToC);
        if (is("chain")) {
            until_waiting(0);
            until_waiting(1);
            compute();
        }
        tell(kFromC);
    }
    return data;
}

int main(int argc, char **argv)
{
    pthread_t b, c;
    if (argc != 3)
        return usage("chains chain|pool|circle|many N");
    what = argv[1];
    amount = number(argv[2]);
    prctl(PR_SET_NAME, "ch_a");
    ids[0] = getpid();
    for (int i = 0; i < kPipes; ++i)
        if (pipe(pipes[i]))
            return 1;
    pthread_create(&b, NULL, second, NULL);
    if (is("chain") || is("many"))
        pthread_create(&c, NULL, third, NULL);
    for (long i = 0; i < (is("many") ? amount : 1); ++i) {
        while (!ids[1] || (is("many") && ready < 2 * (i + 1)) || (is("pool") && ready < 2))
            sched_yield();
        note_sleeps(0);
        close(-1);
        tell(kToB);
        await(kFromB);
        close(-2);
    }
    pthread_join(b, NULL);
    if (is("chain") || is("many"))
        pthread_join(c, NULL);
    return 0;
}
