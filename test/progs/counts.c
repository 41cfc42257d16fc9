// counts WHAT N [WHAT N]...: performs the action of each WHAT N times, between two calls of getppid(2), so that a trace
// can count exactly these actions.
#include "progs.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { PAGE = 4096 };

static volatile char sink;
static sigjmp_buf after_fault;
static const char *disk; // value of $COUNTS_DISK

static void leave_fault(int signal)
{
    (void)signal;
    siglongjmp(after_fault, 1);
}

static void *do_nothing(void *unused)
{
    return unused;
}

static char *pages(long n, int flags, int fd)
{
    char *at = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (at == MAP_FAILED)
        exit(3);
    return at;
}

static char *fresh(long n)
{
    char *at = pages(n, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    madvise(at, (size_t)n * PAGE, MADV_NOHUGEPAGE);
    return at;
}

static void touch_new(long n)
{
    char *at = fresh(n);
    getppid();
    for (long i = 0; i < n; i++)
        at[i * PAGE] = 1;
    getppid();
}

__attribute__((noinline)) static void try_to_write(volatile char *at)
{
    if (sigsetjmp(after_fault, 1) == 0)
        *at = 2;
}

static void write_forbidden(long n)
{
    volatile char *at = pages(1, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    *at = 1;
    mprotect((void *)at, PAGE, PROT_READ);
    signal(SIGSEGV, leave_fault);
    getppid();
    for (long i = 0; i < n; i++)
        try_to_write(at);
    getppid();
}

/// Writes to pages that are privately mapped and were read before, so that the kernel copies each page.
static void write_shared(long n)
{
    int fd = memfd_create("counts", 0);
    if (ftruncate(fd, n * PAGE) != 0)
        exit(3);
    char *shared = pages(n, MAP_SHARED, fd), *at = pages(n, MAP_PRIVATE, fd);
    for (long i = 0; i < n; i++) {
        shared[i * PAGE] = 1;
        sink = at[i * PAGE];
    }
    getppid();
    for (long i = 0; i < n; i++)
        at[i * PAGE] = 2;
    getppid();
}

static void fault_in_kernel(long n)
{
    char *at = fresh(n);
    int zero = open("/dev/zero", O_RDONLY);
    getppid();
    for (long i = 0; i < n; i++)
        if (read(zero, at + i * PAGE, 1) != 1)
            exit(3);
    getppid();
}

static void fault_from_disk(long n)
{
    int fd = open(disk, O_RDONLY);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    char *at = mmap(NULL, (size_t)n * 64 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
    madvise(at, (size_t)n * 64 * PAGE, MADV_RANDOM);
    getppid();
    for (long i = 0; i < n; i++)
        sink = at[i * 64 * PAGE];
    getppid();
}

/// Writes three pages to the disk each time, without the page cache.
static void write_to_disk(long n)
{
    int fd = open(disk, O_WRONLY | O_DIRECT);
    void *at = aligned_alloc(PAGE, 3 * PAGE);
    memset(at, 0, 3 * PAGE);
    getppid();
    for (long i = 0; i < n; i++)
        if (pwrite(fd, at, 3 * PAGE, i * 3 * PAGE) != 3 * PAGE)
            exit(3);
    getppid();
}

/// Reads 10 bytes and writes 7 each time.
static void read_and_write(long n)
{
    char bytes[10] = {0};
    int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
    getppid();
    for (long i = 0; i < n; i++)
        if (read(zero, bytes, 10) != 10 || write(null, bytes, 7) != 7)
            exit(3);
    getppid();
}

static void make_processes(long n)
{
    getppid();
    for (long i = 0; i < n; i++) {
        if (fork() == 0)
            _exit(0);
        wait(NULL);
    }
    getppid();
}

__attribute__((noinline)) static void borrow(void)
{
    if (vfork() == 0)
        _exit(0);
    wait(NULL);
}

static void make_borrowers(long n)
{
    getppid();
    for (long i = 0; i < n; i++)
        borrow();
    getppid();
}

static void make_threads(long n)
{
    getppid();
    for (long i = 0; i < n; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, do_nothing, NULL) != 0)
            exit(3);
        pthread_join(thread, NULL);
    }
    getppid();
}

/// Makes three calls each time: two transfer a message, one changes a semaphore.
static void use_ipc(long n)
{
    struct {
        long type;
        char text[4];
    } message = {1, "abc"};
    struct sembuf up = {0, 1, 0};
    int queue = msgget(IPC_PRIVATE, 0600), semaphore = semget(IPC_PRIVATE, 1, 0600);
    getppid();
    for (long i = 0; i < n; i++)
        if (msgsnd(queue, &message, 4, 0) != 0 || msgrcv(queue, &message, 4, 0, 0) != 4 || semop(semaphore, &up, 1) != 0)
            exit(3);
    getppid();
    msgctl(queue, IPC_RMID, NULL);
    semctl(semaphore, 0, IPC_RMID);
}

static void handled(int signal)
{
    (void)signal;
}

/// Sends two signals each time: one for which the process waits, and one that has a handler.
static void send_signals(long n)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR1);
    sigprocmask(SIG_BLOCK, &awaited, NULL);
    signal(SIGUSR2, handled);
    getppid();
    for (long i = 0; i < n; i++)
        if (kill(getpid(), SIGUSR1) != 0 || sigwaitinfo(&awaited, NULL) != SIGUSR1 || kill(getpid(), SIGUSR2) != 0)
            exit(3);
    getppid();
}

/// Waits until all pages are swapped out. If some are not, touches the pages and tries again; pages that did not change
/// since are dropped without a second write to swap.
static void wait_until_gone(char *at, long n)
{
    unsigned char resident[1024];
    for (int tries = 0; tries < 30000; tries++) {
        long left = 0;
        if (n > (long)sizeof resident || mincore(at, (size_t)n * PAGE, resident) != 0)
            exit(3);
        for (long i = 0; i < n; i++)
            left += resident[i] & 1;
        if (left == 0)
            return;
        usleep(10000);
        for (long i = 0; i < n; i++)
            sink = at[i * PAGE];
        madvise(at, (size_t)n * PAGE, MADV_PAGEOUT);
    }
    exit(3);
}

/// Writes new pages, swaps them out and swaps them in, each between two calls of getppid(2).
static void swap_pages(long n)
{
    char *at = fresh(n);
    getppid();
    for (long i = 0; i < n; i++)
        at[i * PAGE] = (char)(i + 1);
    getppid();
    getppid();
    if (madvise(at, (size_t)n * PAGE, MADV_PAGEOUT) != 0)
        exit(3);
    getppid();
    wait_until_gone(at, n);
    getppid();
    for (long i = 0; i < n; i++)
        sink = at[i * PAGE];
    getppid();
}

/// Writes one page each time, through the kernel's cache.
static void write_through_cache(long n)
{
    static char page[PAGE];
    int fd = open(disk, O_WRONLY);
    getppid();
    for (long i = 0; i < n; i++)
        if (pwrite(fd, page, PAGE, i * PAGE) != PAGE)
            exit(3);
    getppid();
}

static void look_up_names(long n)
{
    struct stat status;
    getppid();
    for (long i = 0; i < n; i++)
        if (stat("/", &status) != 0)
            exit(3);
    getppid();
}

static void sleep_shortly(long n)
{
    const struct timespec time = {0, 1000000};
    getppid();
    for (long i = 0; i < n; i++)
        nanosleep(&time, NULL);
    getppid();
}

/// Reads a line of 5 characters and writes 7 characters each time.
static void use_terminal(long n)
{
    char line[8];
    int keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    if (grantpt(keyboard) != 0 || unlockpt(keyboard) != 0)
        exit(3);
    int terminal = open(ptsname(keyboard), O_RDWR | O_NOCTTY);
    for (long i = 0; i < n; i++)
        if (write(keyboard, "abcd\n", 5) != 5)
            exit(3);
    getppid();
    for (long i = 0; i < n; i++)
        if (read(terminal, line, sizeof line) != 5 || write(terminal, "output\n", 7) != 7)
            exit(3);
    getppid();
}

static const struct {
    const char *name;
    void (*run)(long n);
} kinds[] = {
    {"new", touch_new},        {"forbidden", write_forbidden},  {"shared", write_shared}, {"kernel", fault_in_kernel}, {"disk", fault_from_disk},
    {"output", write_to_disk}, {"bytes", read_and_write},       {"fork", make_processes}, {"vfork", make_borrowers},   {"threads", make_threads},
    {"ipc", use_ipc},          {"names", look_up_names},        {"sleep", sleep_shortly}, {"terminal", use_terminal},  {"signals", send_signals},
    {"swap", swap_pages},      {"cached", write_through_cache},
};

int main(int argc, char **argv)
{
    disk = getenv("COUNTS_DISK");
    for (int i = 1; i + 1 < argc; i += 2)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strcmp(kinds[k].name, argv[i]) == 0)
                kinds[k].run(number(argv[i + 1]));
    return 0;
}
