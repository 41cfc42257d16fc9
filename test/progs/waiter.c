// waiter N PROGRAM [ARGUMENT...]: runs the program N times, one after the other, and waits for each like a shell with job control: also for stopped and
// continued children. Prints the number of successful runs, and of reports about stopped or continued children.
#include "progs.h"

#include <signal.h>
#include <sys/wait.h>

static volatile int told;

static void child(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)context;
    told += info->si_code != CLD_EXITED;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = child, .sa_flags = SA_SIGINFO | SA_RESTART};
    int ended = 0;
    if (argc < 3)
        return usage("waiter N PROGRAM [ARGUMENT...]");
    sigaction(SIGCHLD, &action, NULL);
    for (long i = 0; i < number(argv[1]); ++i) {
        int status = 0;
        pid_t pid = fork();
        if (pid == 0) {
            execv(argv[2], argv + 2);
            _exit(127);
        }
        while (waitpid(pid, &status, WUNTRACED | WCONTINUED) == pid && (WIFSTOPPED(status) || WIFCONTINUED(status)))
            ++told;
        ended += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    printf("%d ended, told of %d\n", ended, told);
    return 0;
}
