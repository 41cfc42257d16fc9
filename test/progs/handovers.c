// handovers N: N times, the main thread waits first for a mutex of the C library, then for a condition variable. One of
// four threads, in turn, ends both waits: it holds the mutex and releases it when the main thread is asleep, and
// signals the condition variable. With TID as the id of this thread, the main thread calls close(-1000 - TID) after the
// first wait and close(-100000000 - TID) after the second.
#include "asleep.h"
#include "progs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>

enum { kThreads = 4, kByLock = 1000, kBySignal = 100000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, small = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int turn = -1, taken, done, signalled;
static atomic_long slept; // how often the main thread has slept until the end of its last wait

static void until_main_sleeps(void)
{
    char state;
    until_asleep(getpid(), slept);
    slept = sleeps_of(getpid(), &state);
}

static void *helper(void *number)
{
    int own = (int)(long)number, tid = (int)syscall(SYS_gettid);
    while (!done) {
        if (turn != own) {
            sched_yield();
            continue;
        }
        pthread_mutex_lock(&mutex);
        taken = tid;
        until_main_sleeps();
        turn = -1;
        pthread_mutex_unlock(&mutex);
        while (!signalled && !done) // the main thread has the mutex and will next wait for the condition variable
            sched_yield();
        if (done)
            break;
        until_main_sleeps();
        pthread_mutex_lock(&small);
        signalled = 0;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&small);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[kThreads];
    if (argc != 2)
        return usage("handovers N");
    long times = number(argv[1]);
    for (long i = 0; i < kThreads; ++i)
        pthread_create(&threads[i], NULL, helper, (void *)i);
    for (long i = 0; i < times; ++i) {
        taken = 0;
        turn = (int)(i % kThreads);
        while (!taken)
            sched_yield();
        int tid = taken;
        pthread_mutex_lock(&mutex);
        close(-kByLock - tid);
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&small);
        signalled = 1;
        while (signalled)
            pthread_cond_wait(&condition, &small);
        close(-kBySignal - tid);
        pthread_mutex_unlock(&small);
    }
    done = 1;
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}
