// states: sends signal SIGURG to a child process, which ignores it, in three states: while the child sleeps on CPU 0
// with nice value 5; while it is stopped, with real-time priority 10; and while it is a zombie.
#include "progs.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/// Returns the state's letter as in proc(5).
static char state_of(pid_t pid)
{
    char path[32], text[128] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(text, sizeof text, file) == NULL)
        exit(1);
    fclose(file);
    return strrchr(text, ')')[2];
}

static void tell(pid_t child, char state)
{
    while (state_of(child) != state)
        usleep(10000);
    kill(child, SIGURG);
}

int main(void)
{
    const struct sched_param priority = {.sched_priority = 10};
    cpu_set_t first;
    const pid_t child = fork();
    if (child == 0) {
        CPU_ZERO(&first);
        CPU_SET(0, &first);
        if (sched_setaffinity(0, sizeof first, &first) != 0 || setpriority(PRIO_PROCESS, 0, 5) != 0)
            _exit(1);
        for (;;)
            pause();
    }
    // by nice value 5, the parent recognizes that the child is about to sleep
    while (getpriority(PRIO_PROCESS, (id_t)child) != 5)
        usleep(1000);
    tell(child, 'S');
    kill(child, SIGSTOP);
    if (sched_setscheduler(child, SCHED_FIFO, &priority) != 0)
        return 1;
    tell(child, 'T');
    kill(child, SIGKILL);
    tell(child, 'Z');
    return waitpid(child, NULL, 0) != child;
}
