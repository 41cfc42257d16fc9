// identity: a process with two more threads and with unusual ids, which calls getppid(2). It leads a process group in
// its parent's session. Its real and effective user ids are 1001 and 1002, its group ids 1003 and 1004.
#include "progs.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static void *wait_for_end(void *unused)
{
    pause();
    return unused;
}

static int called(void)
{
    pthread_t thread;
    if (setpgid(0, 0) != 0 || setresgid(1003, 1004, 1004) != 0 || setresuid(1001, 1002, 1002) != 0)
        return 1;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread, NULL, wait_for_end, NULL) != 0)
            return 1;
    syscall(SYS_getppid);
    return 0;
}

/// Runs `work` in a new process.
static int in_child(int (*work)(void))
{
    int status;
    const pid_t child = fork();
    if (child == 0)
        _exit(work());
    return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

static int led(void)
{
    return setsid() < 0 || in_child(called);
}

int main(void)
{
    return in_child(led);
}
