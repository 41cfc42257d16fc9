// planted N: answers N requests, all of which are slow for the same planted reason: during each request, another thread
// rotates the log and holds the log's lock. A test lets the tracer find this reason.
#include "progs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int rotating, done;

static void pass(long ms)
{
    struct timespec t = {0, ms * 1000000};
    nanosleep(&t, NULL);
}

__attribute__((noinline)) void rotate_log(void)
{
    pthread_mutex_lock(&log_lock);
    rotating = 1;
    pass(20);
    pthread_mutex_unlock(&log_lock);
    rotating = 0;
}

static void *rotates(void *data)
{
    while (!done) {
        rotate_log();
        pass(1);
    }
    return data;
}

__attribute__((noinline)) void write_log(void)
{
    pthread_mutex_lock(&log_lock);
    pthread_mutex_unlock(&log_lock);
}

__attribute__((noinline)) void answer(void)
{
    for (volatile int i = 0; i < 100000; ++i)
        ;
    write_log();
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc != 2)
        return usage("planted N");
    long times = number(argv[1]);
    pthread_create(&thread, NULL, rotates, NULL);
    for (long i = 0; i < times; ++i) {
        while (!rotating)
            pass(1);
        answer();
    }
    done = 1;
    pthread_join(thread, NULL);
    return 0;
}
