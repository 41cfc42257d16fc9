// locks WHAT N [WHAT N]...: takes one lock of the kernel N times, between two calls of getppid(2). Descriptor 5 is a pipe, 6 an eventfd.
//   mutex  write(2) to the pipe: its mutex          spin  write(2) to the eventfd: its spin lock
//   read   kill(2) of the group with signal 0, write  setpgid(2): tasklist_lock
//   fight  all of these in two threads at the same time      wait  see wait_for_mutex()
#include "progs.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

static int terminal;
static long rounds;
static _Atomic int reader;

static void write_to(int descriptor, long n)
{
    const uint64_t one = 1;
    for (long i = 0; i < n; i++)
        if (write(descriptor, &one, sizeof one) != sizeof one)
            exit(3);
}

static void use_groups(bool change)
{
    for (long i = 0; i < rounds; i++)
        if (change)
            setpgid(0, 0);
        else
            kill(0, 0);
}

static void *fight(void *unused)
{
    uint64_t bytes[64];
    for (long i = 0; i < rounds; i += 64) {
        write_to(5, 16);
        if (read(4, bytes, 16 * sizeof *bytes) <= 0)
            exit(3);
        write_to(6, 64);
    }
    use_groups(false);
    use_groups(true);
    return unused;
}

static void interrupt(int signal)
{
    (void)signal;
}

static void *read_line(void *unused)
{
    char line[8];
    reader = (int)syscall(SYS_gettid);
    ssize_t size = read(terminal, line, sizeof line);
    (void)size;
    return unused;
}

/// Blocks until the thread is asleep, that is, until it is in the intended wait.
static void wait_until_asleep(int thread)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    for (int i = 0; i < 10000; i++) {
        int fd = open(path, O_RDONLY);
        ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        close(fd);
        text[size > 0 ? size : 0] = 0;
        const char *state = strrchr(text, ')');
        if (state != NULL && state[2] == 'S')
            return;
        usleep(1000);
    }
    exit(4);
}

static pthread_t start_reader(void)
{
    pthread_t thread;
    reader = 0;
    if (pthread_create(&thread, NULL, read_line, NULL) != 0)
        exit(3);
    while (reader == 0)
        usleep(1000);
    wait_until_asleep(reader);
    return thread;
}

/// The first thread reads from a terminal and holds the terminal's mutex until a line arrives. A second thread waits
/// for the mutex and is interrupted by a signal. A third one waits and gets the mutex.
static void wait_for_mutex(void)
{
    int keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    if (grantpt(keyboard) != 0 || unlockpt(keyboard) != 0)
        exit(3);
    terminal = open(ptsname(keyboard), O_RDWR | O_NOCTTY);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t first = start_reader();
    pthread_t second = start_reader();
    getppid();
    pthread_kill(second, SIGUSR1);
    pthread_join(second, NULL);
    getppid();
    pthread_t third = start_reader();
    getppid();
    usleep(20000);
    getppid();
    if (write(keyboard, "one\n", 4) != 4)
        exit(3);
    pthread_join(first, NULL);
    if (write(keyboard, "two\n", 4) != 4)
        exit(3);
    pthread_join(third, NULL);
    getppid();
}

static void run(const char *what)
{
    if (strcmp(what, "wait") == 0) {
        wait_for_mutex();
        return;
    }
    getppid();
    if (strcmp(what, "mutex") == 0)
        write_to(5, rounds);
    else if (strcmp(what, "spin") == 0)
        write_to(6, rounds);
    else if (strcmp(what, "read") == 0)
        use_groups(false);
    else if (strcmp(what, "write") == 0)
        use_groups(true);
    else if (strcmp(what, "fight") == 0) {
        pthread_t other;
        if (pthread_create(&other, NULL, fight, NULL) != 0)
            exit(3);
        fight(NULL);
        pthread_join(other, NULL);
    }
    getppid();
}

int main(int argc, char **argv)
{
    int ends[2], event = eventfd(0, 0);
    if (argc < 3 || pipe(ends) != 0 || dup2(ends[0], 8) != 8 || dup2(ends[1], 9) != 9 || dup2(event, 10) != 10)
        return usage("locks WHAT N [WHAT N]...");
    if (dup2(8, 4) != 4 || dup2(9, 5) != 5 || dup2(10, 6) != 6)
        return 3;
    for (int i = 1; i + 1 < argc; i += 2) {
        rounds = number(argv[i + 1]);
        run(argv[i]);
    }
    return 0;
}
