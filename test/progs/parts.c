// parts PART: between close(-1) and close(-2), spends most of the time in one known way: on a CPU in user mode or in
// the kernel, or waiting. A helper process or thread ends a wait: when it sees the main thread asleep, it sleeps for 20
// ms and ends the wait. The real length of this sleep is a lower limit of the main thread's wait at any load. It is
// printed as "PART lasted NANOSECONDS". The kernel's own times of the main thread are printed as "PART truth WAITED
// ON-CPU QUEUED". Exits with 2 if the part is impossible here.
#include "moment.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

enum { kPage = 4096 };

// Memory that the main process and its helpers share.
static struct {
    atomic_int begun, ready;
    long lasted;
    pthread_mutex_t mutex;
} *shared;

static pid_t main_thread;
static int ends[2]; // file descriptors used for the wait; the helper uses ends[1]
static char *absent; // page that is missing until the helper provides it
static int faults;   // descriptor of userfaultfd(2)
// the kernel's times of the main thread at close(-1), and their increase until close(-2)
static struct moment first, took;

static void pass(long ms)
{
    struct timespec t = {0, ms * 1000000};
    nanosleep(&t, NULL);
}

// Blocks until the main thread waits for the helper's next action, then sleeps for 20 ms.
static void let_it_wait(void)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)main_thread);
    while (!strchr("SDTt", state) || !shared->begun) {
        pass(1);
        FILE *file = fopen(path, "r");
        if (!file || fscanf(file, "%*d %*s %c", &state) != 1)
            exit(1);
        fclose(file);
    }
    long from = clock_ns(CLOCK_MONOTONIC);
    pass(20);
    shared->lasted = clock_ns(CLOCK_MONOTONIC) - from;
}

static void begin(void)
{
    while (!shared->ready)
        pass(1);
    close(-1);
    first = moment();
    shared->begun = 1;
}

static void end(void)
{
    took = since(first);
    close(-2);
}

// Starts a child process that calls `finish` to end the main thread's wait.
static pid_t helper(void (*prepare)(void), void (*finish)(void))
{
    pid_t child = fork();
    if (child == 0) {
        if (prepare)
            prepare();
        shared->ready = 1;
        let_it_wait();
        if (finish)
            finish();
        _exit(0);
    }
    return child;
}

static void say(void)
{
    if (write(ends[1], "x", 1) != 1)
        exit(1);
}

static void take_mutex(void) { pthread_mutex_lock(&shared->mutex); }
static void give_mutex(void) { pthread_mutex_unlock(&shared->mutex); }
static void take_file(void)
{
    // opens the file once more, because flock(2) locks of separate opens conflict
    ends[1] = open("/proc/self/exe", O_RDONLY);
    flock(ends[1], LOCK_EX);
}
static void give_file(void) { flock(ends[1], LOCK_UN); }
static void raise_signal(void) { kill(main_thread, SIGUSR1); }
static void go_on(void) { kill(main_thread, SIGCONT); }

static void read_end(void)
{
    char c;
    if (read(ends[0], &c, 1) != 1)
        exit(1);
}

static void connect_ends(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listens = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listens, (struct sockaddr *)&address, size) || listen(listens, 1) ||
        getsockname(listens, (struct sockaddr *)&address, &size))
        exit(2);
    ends[1] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(ends[1], (struct sockaddr *)&address, size))
        exit(2);
    ends[0] = accept(listens, NULL, NULL);
}

// ---- waits for pages that are missing until the helper, a thread, provides them

static void make_absent(void)
{
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register area = {.mode = UFFDIO_REGISTER_MODE_MISSING};
    faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    absent = mmap(NULL, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    area.range.start = (unsigned long)absent;
    area.range.len = kPage;
    if (faults < 0 || ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &area))
        exit(2);
}

static void *bring_page(void *data)
{
    static char page[kPage];
    struct uffdio_copy copy = {.dst = (unsigned long)absent, .src = (unsigned long)page, .len = kPage};
    (void)data;
    shared->ready = 1;
    let_it_wait();
    ioctl(faults, UFFDIO_COPY, &copy);
    return NULL;
}

// Writes the missing page to a pipe. Until the page is provided, this thread holds the pipe's mutex in the kernel.
static void *write_absent(void *data)
{
    (void)data;
    if (write(ends[1], absent, kPage) < 0)
        exit(1);
    return NULL;
}

static void fault_in(int holds_lock)
{
    pthread_t brings, writes;
    make_absent();
    pthread_create(&brings, NULL, bring_page, NULL);
    if (holds_lock) {
        if (pipe(ends))
            exit(1);
        pthread_create(&writes, NULL, write_absent, NULL);
        struct uffd_msg message;
        while (read(faults, &message, sizeof message) != sizeof message) // waits until the writer holds the lock
            pass(1);
    }
    begin();
    if (holds_lock)
        read_end();
    else
        *(volatile char *)absent = 1;
    end();
    pthread_join(brings, NULL);
    if (holds_lock)
        pthread_join(writes, NULL);
}

// ---- on a CPU

static void work(int in_kernel)
{
    static char bytes[1 << 20];
    int zeros = open("/dev/zero", O_RDONLY);
    shared->ready = 1;
    begin();
    if (in_kernel)
        for (int i = 0; i < 100; ++i)
            shared->lasted += read(zeros, bytes, sizeof bytes) > 0;
    else
        for (volatile long i = 0; i < 20000000; ++i)
            ;
    end();
}

// Starts a thread that competes for the same CPU.
static void *hog(void *data)
{
    volatile atomic_int *ends_with = data;
    shared->ready = 1;
    while (!*ends_with)
        ;
    return NULL;
}

static void share_cpu(void)
{
    static atomic_int over;
    pthread_t other;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pthread_create(&other, NULL, hog, &over);
    begin();
    while (clock_ns(CLOCK_THREAD_CPUTIME_ID) - first.on_cpu < 30000000)
        ;
    end();
    over = 1;
    pthread_join(other, NULL);
}

static void sleep_often(void)
{
    shared->ready = 1;
    begin();
    for (int i = 0; i < 10; ++i)
        pass(2);
    end();
}

// ---- waits for an action of the helper

static int wait_in(const char *part)
{
    pid_t child;
    if (strcmp(part, "futex") == 0) {
        helper(take_mutex, give_mutex);
        begin();
        take_mutex();
    } else if (strcmp(part, "lock") == 0) {
        helper(take_file, give_file);
        int own = open("/proc/self/exe", O_RDONLY);
        begin();
        flock(own, LOCK_EX);
    } else if (strcmp(part, "pipe") == 0 || strcmp(part, "unix") == 0 || strcmp(part, "network") == 0) {
        if (strcmp(part, "network") == 0)
            connect_ends();
        else if (strcmp(part, "pipe") == 0 ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
            return 1;
        helper(NULL, say);
        begin();
        read_end();
    } else if (strcmp(part, "poll") == 0) {
        struct pollfd one = {.events = POLLIN};
        if (pipe(ends))
            return 1;
        one.fd = ends[0];
        helper(NULL, say);
        begin();
        poll(&one, 1, -1);
    } else if (strcmp(part, "child") == 0) {
        child = helper(NULL, NULL);
        begin();
        waitpid(child, NULL, 0);
    } else if (strcmp(part, "signal") == 0) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        sigprocmask(SIG_BLOCK, &set, NULL);
        helper(NULL, raise_signal);
        begin();
        sigwaitinfo(&set, NULL);
    } else if (strcmp(part, "stop") == 0) {
        helper(NULL, go_on);
        begin();
        raise(SIGSTOP);
    } else {
        return usage("parts PART");
    }
    end();
    return 0;
}

int main(int argc, char **argv)
{
    pthread_mutexattr_t attributes;
    int status = 0;
    if (argc != 2)
        return usage("parts PART");
    shared = mmap(NULL, kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &attributes);
    main_thread = getpid();
    if (strcmp(argv[1], "user") == 0 || strcmp(argv[1], "kernel") == 0)
        work(strcmp(argv[1], "kernel") == 0);
    else if (strcmp(argv[1], "runq") == 0)
        share_cpu();
    else if (strcmp(argv[1], "timer") == 0)
        sleep_often();
    else if (strcmp(argv[1], "fault") == 0 || strcmp(argv[1], "mutex") == 0)
        fault_in(strcmp(argv[1], "mutex") == 0);
    else
        status = wait_in(argv[1]);
    printf("%s lasted %ld\n", argv[1], shared->lasted);
    say_truth(argv[1], took);
    return status;
}
