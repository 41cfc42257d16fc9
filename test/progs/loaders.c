// loaders LIBRARY...: starts a thread for each library. At the same time, all threads open their libraries and call the
// library's function called() a hundred times; another thread computes. The program also sends itself 100 signals, and
// prints how many it received.
#include "progs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

static volatile int signals, over;

static void count(int signal)
{
    (void)signal;
    signals++;
}

static void *compute(void *unused)
{
    volatile unsigned long sum = 0;
    while (!over)
        sum++;
    return unused;
}

static void *load(void *path)
{
    void *library = dlopen(path, RTLD_NOW);
    long (*called)(void) = library ? (long (*)(void))dlsym(library, "called") : NULL;
    for (int i = 0; called && i < 100; i++)
        called();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t computing, loading[64];
    if (argc < 2 || argc > 64)
        return usage("loaders LIBRARY...");
    signal(SIGURG, count);
    signal(SIGWINCH, count);
    signal(SIGCONT, count);
    pthread_create(&computing, NULL, compute, NULL);
    for (int i = 1; i < argc; i++)
        pthread_create(&loading[i], NULL, load, argv[i]);
    for (int i = 1; i < argc; i++)
        pthread_join(loading[i], NULL);
    for (int i = 0; i < 100; i++)
        raise(SIGURG);
    over = 1;
    pthread_join(computing, NULL);
    printf("%d signals\n", signals);
    return 0;
}
