// process_end MODE: a process that ends in one of the ways of docs/process-end.md.
//   alone     the first thread, which is the only one, calls exit(2)
//   leader    the first thread ends alone; then the second one calls in_thread() ten times, and exit(5)
//   last      like leader, but the second thread ends alone too, with status 4
//   group     the second thread calls exit(5) while the first one waits
//   exec      the second thread executes this program, which calls in_thread() ten times, and exit(6)
//   signal    like leader, but the second thread kills the process by SIGKILL
//   together  thirty-two threads end alone at the same moment, each with status 7
//   fork      the first thread ends alone; then the second one forks a child that calls in_thread() ten times, waits for
//             it, and calls exit(5)
#include "progs.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

__attribute__((noinline)) long in_thread(void)
{
    return getppid_here();
}

static const char *mode;
static pthread_barrier_t all_there;

static int is(const char *name)
{
    return strcmp(mode, name) == 0;
}

static void call_ten_times(void)
{
    for (int i = 0; i < 10; i++)
        in_thread();
}

/// Ends only the calling thread; libc's exit functions would end all threads.
static void end_thread(int status)
{
    syscall(SYS_exit, status);
}

/// Waits until the first thread is a zombie. Reads its state in /proc (proc(5)), which follows the name in parentheses.
static void wait_for_end_of_first(void)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", getpid());
    for (;; usleep(1000)) {
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t size = read(file, text, sizeof text - 1);
        close(file);
        text[size > 0 ? size : 0] = '\0';
        const char *name_end = strrchr(text, ')');
        if (name_end && name_end[1] == ' ' && name_end[2] == 'Z')
            return;
    }
}

static void *second(void *program)
{
    pthread_setname_np(pthread_self(), "second");
    if (is("group"))
        exit(5);
    if (is("exec")) {
        execl(program, program, "done", NULL);
        exit(1);
    }
    wait_for_end_of_first();
    if (is("fork") && fork() == 0) {
        call_ten_times();
        exit(0);
    }
    if (is("fork"))
        wait(NULL);
    else
        call_ten_times();
    if (is("last"))
        end_thread(4);
    if (is("signal"))
        kill(getpid(), SIGKILL);
    exit(5);
}

static void *one_of_many(void *unused)
{
    pthread_barrier_wait(&all_there);
    end_thread(7);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc != 2)
        return usage("process_end alone|leader|last|group|exec|signal|together|fork");
    mode = argv[1];
    if (is("alone"))
        return 2;
    if (is("done")) {
        call_ten_times();
        return 6;
    }
    if (is("together")) {
        pthread_barrier_init(&all_there, NULL, 32);
        for (int i = 1; i < 32; i++)
            pthread_create(&thread, NULL, one_of_many, NULL);
        one_of_many(NULL);
    }
    if (pthread_create(&thread, NULL, second, "/proc/self/exe") != 0)
        return 1;
    if (is("group") || is("exec"))
        pause();
    end_thread(3);
}
