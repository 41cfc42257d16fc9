// leader_gone [MS]: the main thread ends, after MS milliseconds if given. Then another thread calls getppid(2) from
// in_thread() ten times a second, for ten minutes.
#include "progs.h"

#include <pthread.h>

__attribute__((noinline)) long in_thread(void)
{
    return getppid_here();
}

static void *run(void *first)
{
    pthread_join(*(pthread_t *)first, NULL);
    for (int i = 0; i < 6000; i++) {
        usleep(100000); // waits until the first thread has exited completely
        in_thread();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_t first, other;
    first = pthread_self();
    if (pthread_create(&other, NULL, run, &first) != 0)
        return 1;
    if (argc > 1)
        usleep(1000 * (unsigned)atoi(argv[1]));
    pthread_exit(NULL);
}
