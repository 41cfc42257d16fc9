// lock_handovers N: N times for each kind of lock, one of four threads holds a lock for which the main thread waits,
// and releases it when the main thread is asleep. The four threads take turns. After each wait, the main thread calls
// close(-KIND * 100000000 - TID) with the id of the thread that held the lock. Kinds:
//   1  the mutex of a pipe
//   2  the semaphore of a file, for writing
//   3  flock(2)
//   4  a mutex of the C library that inherits priorities (FUTEX_LOCK_PI)
// A thread can hold the locks 1 and 2 for long, because it writes from a page that is missing until the release
// (userfaultfd(2)). Exits with 2 if that is impossible here.
#include "progs.h"

#include "asleep.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { kThreads = 4, kPage = 4096, kKind = 100000000 };
enum { kPipe = 1, kFile, kFlock, kInherits, kKinds };

static pthread_mutex_t mutex;
static atomic_int kind, turn = -1, taken, writer, done;
static atomic_long slept; // how often the main thread has slept before its next wait
static int ends[2], file, locks[kThreads + 1], faults;
static char *absent; // pages that are not present (userfaultfd), one for each thread

static void until_main_sleeps(void) { until_asleep(getpid(), slept); }

static void make_absent(void)
{
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register area = {.mode = UFFDIO_REGISTER_MODE_MISSING};
    faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    absent = mmap(NULL, kThreads * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    area.range.start = (unsigned long)absent;
    area.range.len = kThreads * kPage;
    if (faults < 0 || ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &area))
        exit(2);
}

// Provides the page for which a thread waits while it holds the lock. The thread then releases the lock.
static void *bring_pages(void *data)
{
    static char page[kPage];
    struct uffd_msg message;
    while (read(faults, &message, sizeof message) == sizeof message) {
        struct uffdio_copy copy = {.dst = message.arg.pagefault.address & ~(kPage - 1UL), .src = (unsigned long)page, .len = kPage};
        taken = writer;
        until_main_sleeps();
        ioctl(faults, UFFDIO_COPY, &copy);
    }
    return data;
}

static void keep(int own, int tid)
{
    char *page = absent + own * kPage;
    ssize_t written = kPage;
    switch (kind) {
    case kPipe:
    case kFile:
        writer = tid;
        written = kind == kPipe ? write(ends[1], page, kPage) : pwrite(file, page, kPage, 0);
        madvise(page, kPage, MADV_DONTNEED);
        break;
    case kFlock:
        flock(locks[own], LOCK_EX);
        taken = tid;
        until_main_sleeps();
        flock(locks[own], LOCK_UN);
        break;
    default:
        pthread_mutex_lock(&mutex);
        taken = tid;
        until_main_sleeps();
        pthread_mutex_unlock(&mutex);
    }
    if (written != kPage)
        exit(1);
}

static void *helper(void *number)
{
    const int own = (int)(long)number, tid = (int)syscall(SYS_gettid);
    while (!done) {
        if (turn != own) {
            sched_yield();
            continue;
        }
        keep(own, tid);
        turn = -1;
    }
    return NULL;
}

static void take(void)
{
    static char bytes[kPage];
    ssize_t size = 1;
    switch (kind) {
    case kPipe:
        size = read(ends[0], bytes, kPage);
        break;
    case kFile:
        size = pwrite(file, bytes, 1, 0);
        break;
    case kFlock:
        flock(locks[kThreads], LOCK_EX);
        break;
    default:
        pthread_mutex_lock(&mutex);
    }
    if (size <= 0)
        exit(1);
}

static void give(void)
{
    if (kind == kFlock)
        flock(locks[kThreads], LOCK_UN);
    else if (kind == kInherits)
        pthread_mutex_unlock(&mutex);
}

int main(int argc, char **argv)
{
    pthread_t threads[kThreads], brings;
    pthread_mutexattr_t attributes;
    if (argc != 2)
        return usage("lock_handovers N");
    const long times = number(argv[1]);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&mutex, &attributes);
    for (int i = 0; i <= kThreads; ++i)
        // opens the file for each thread, because a flock(2) lock belongs to an open file
        locks[i] = open("/proc/self/exe", O_RDONLY);
    file = memfd_create("file", MFD_CLOEXEC);
    if (file < 0 || pipe(ends))
        return 1;
    make_absent();
    pthread_create(&brings, NULL, bring_pages, NULL);
    for (long i = 0; i < kThreads; ++i)
        pthread_create(&threads[i], NULL, helper, (void *)i);
    for (kind = 1; kind < kKinds; ++kind)
        for (long i = 0; i < times; ++i) {
            char state;
            taken = 0;
            slept = sleeps_of(getpid(), &state);
            turn = (int)(i % kThreads);
            while (!taken)
                sched_yield();
            const int tid = taken;
            take();
            close(-kKind * kind - tid);
            give();
            while (turn != -1)
                sched_yield();
        }
    done = 1;
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}
