// contexts: two threads, each of which works for OpenTelemetry traces and publishes the current one (context_writer.c).
//   first thread: for each of the traces 1, 2 and 3 this many getppid(2) calls and a sleep of 20 ms;
//     then 4 calls for no trace
//   second thread, after the first: 5 getppid(2) calls for trace 9; then 6 while its record is marked invalid
// contexts calls N: N stretches of 1,000 getppid(2) calls for trace 1; prints the ns of a call in the fastest stretch
// contexts moves N: N getppid(2) calls while another thread replaces the page with the record by others, of traces
//   whose bytes are all 1, 2 or 3. Another process fills memory with records of a trace whose bytes are all ee, and
//   frees it. Prints the number of replaced pages.
// contexts_loaded LIBRARY: loads the writer as a library and makes a getppid(2) call for trace 7 every 5 ms, for at
//   most two minutes.
#include "moment.h"
#include "progs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

static void asks(int count)
{
    for (int i = 0; i < count; i++)
        syscall(SYS_getppid);
}

static void nap(long ms)
{
    const struct timespec time = {0, ms * 1000 * 1000};
    syscall(SYS_nanosleep, &time, NULL);
}

#ifdef LOADS

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void (*begin)(int) = library ? (void (*)(int))dlsym(library, "context_begin") : NULL;
    int (*publish)(void) = library ? (int (*)(void))dlsym(library, "context_publish_names") : NULL;
    if (!begin || !publish || publish() != 0)
        return usage("contexts_loaded LIBRARY");
    begin(7);
    for (int i = 0; i < 24000; i++) {
        asks(1);
        nap(5);
    }
    return 0;
}

#else

void context_begin(int number);
void context_pause(void);
void context_end(void);

static void *second(void *unused)
{
    context_begin(9);
    asks(5);
    context_pause();
    asks(6);
    return unused;
}

static int calls(long stretches)
{
    enum { kStretch = 1000 };
    long least = 1L << 60;
    context_begin(1);
    for (long s = 0; s < stretches; s++) {
        const long from = clock_ns(CLOCK_MONOTONIC);
        asks(kStretch);
        const long took = clock_ns(CLOCK_MONOTONIC) - from;
        least = took < least ? took : least;
    }
    printf("%.1f\n", (double)least / kStretch);
    return 0;
}

enum { kPage = 4096, kForeign = 0xee, kForeignPages = 64 };

void context_fill(void *memory, int number);
void context_point(void *memory);

static char *place; // page with the record
static atomic_int over;
static long moved;

static char *new_pages(int count)
{
    char *pages = mmap(NULL, (size_t)count * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        exit(1);
    return pages;
}

// Fills memory with records of a wrong trace. A reader that uses a page after the thread has lost it would find them.
static void fill_memory(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        char *pages = new_pages(kForeignPages);
        for (int i = 0; i < kForeignPages; i++)
            context_fill(pages + i * kPage, kForeign);
        munmap(pages, kForeignPages * kPage);
    }
}

// Fills each new page before it replaces the page of the measured thread, because a reader must never see a partly
// written record.
static void *moves(void *unused)
{
    while (!over) {
        char *fresh = new_pages(1);
        context_fill(fresh, 1 + (int)(moved % 3));
        switch (moved++ % 4) {
        case 0:
            munmap(place, kPage);
            break;
        case 1:
            madvise(place, kPage, MADV_DONTNEED);
            break;
        case 2:
            mprotect(place, kPage, PROT_NONE);
            break;
        default:
            break;
        }
        if (mremap(fresh, kPage, kPage, MREMAP_MAYMOVE | MREMAP_FIXED, place) != place)
            exit(1);
    }
    return unused;
}

static int look_at_moved(long times)
{
    pthread_t thread;
    const pid_t child = fork();
    if (child == 0)
        fill_memory();
    place = new_pages(1);
    context_fill(place, 1);
    context_point(place);
    if (pthread_create(&thread, NULL, moves, NULL) != 0)
        return 1;
    for (long i = 0; i < times; i++)
        syscall(SYS_getppid);
    over = 1;
    pthread_join(thread, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    printf("moved %ld\n", moved);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc == 3)
        return strcmp(argv[1], "moves") == 0 ? look_at_moved(number(argv[2])) : calls(number(argv[2]));
    for (int i = 1; i <= 3; i++) {
        context_begin(i);
        asks(i);
        nap(20);
        context_end();
    }
    asks(4);
    context_begin(1);
    if (pthread_create(&thread, NULL, second, NULL) != 0)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}

#endif
