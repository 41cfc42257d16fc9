// pool WHAT N: answers requests with threads that take turns, and prints the times of each request.
//   pool hands N     N requests, one after the other: main accepts the request, which waits in a queue for 20 ms;
//                    a worker computes 20 ms, waits 20 ms for a lock that another thread holds, and passes the request
//                    to main, which replies
//   pool joins N     N requests; for each, a worker and main compute 10 ms at the same time, and main waits for the
//                    worker
//   pool dies 1      a request whose worker thread ends in the middle; the reply follows 20 ms later
//   pool serves N    N connections, which main accepts; each waits in a queue for 20 ms; a worker reads the request,
//                    computes 20 ms, answers and closes the connection
//   pool crowd N     one request for which eight threads begin and end work N times each, in any order
//   pool flood N     one request for which N threads work at the same time; when all have ended, it waits in a queue
//                    for 20 ms
// A thread calls begin(key) and end(key) when it begins and ends work for a request, and done(key) when the request is
// finished. Prints bounds, computed from the times before and after these calls: "KEY queued LEAST MOST", and such
// lines for cpu, futex and wall, all in ns.
#include "asleep.h"
#include "progs.h"

#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>

enum { kMs = 1000000 };

static long now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void pass(long ms)
{
    struct timespec t = {0, ms * kMs};
    nanosleep(&t, NULL);
}

static void compute(long ms)
{
    long from = now(CLOCK_THREAD_CPUTIME_ID);
    while (now(CLOCK_THREAD_CPUTIME_ID) - from < ms * kMs)
        ;
}

__attribute__((noinline, noclone)) void begin(long key)
{
    __asm__ volatile("" ::"r"(key) : "memory");
}

__attribute__((noinline, noclone)) void end(long key)
{
    __asm__ volatile("nop" ::"r"(key) : "memory");
}

__attribute__((noinline, noclone)) void done(long key)
{
    __asm__ volatile("nop; nop" ::"r"(key) : "memory");
}

// Times just before and just after a call of begin(), end() or done(). The probe in the function fires between them.
struct call {
    long before, after, cpu_before, cpu_after;
};

static struct call at(void (*function)(long), long key)
{
    struct call c;
    c.cpu_before = now(CLOCK_THREAD_CPUTIME_ID);
    c.before = now(CLOCK_MONOTONIC);
    function(key);
    c.after = now(CLOCK_MONOTONIC);
    c.cpu_after = now(CLOCK_THREAD_CPUTIME_ID);
    return c;
}

struct bounds {
    long least, most;
};

static void add_between(struct bounds *to, struct call from, struct call until)
{
    to->least += until.before - from.after;
    to->most += until.after - from.before;
}

static void add_cpu(struct bounds *to, struct call from, struct call until)
{
    to->least += until.cpu_before - from.cpu_after;
    to->most += until.cpu_after - from.cpu_before;
}

static void show(long key, const char *what, struct bounds b)
{
    printf("%ld %s %ld %ld\n", key, what, b.least, b.most);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t accepted, worked, locked, waits, had;
static atomic_int worker_id, ends;
static long sleeps, lasted, key;
static struct call begun, ended, main_begun, main_ended, replies;
static struct bounds futex;

// Holds the lock until the worker has waited for it for 20 ms. Stores in `lasted` how long this wait really took.
static void *has_lock(void *data)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        sem_post(&locked);
        sem_wait(&waits);
        if (ends)
            return data;
        until_asleep(worker_id, sleeps);
        long from = now(CLOCK_MONOTONIC);
        pass(20);
        lasted = now(CLOCK_MONOTONIC) - from;
        pthread_mutex_unlock(&lock);
        sem_wait(&had); // without this wait, this thread would get the lock again before the worker continues
    }
}

static void *works(void *data)
{
    char state;
    worker_id = (int)syscall(SYS_gettid);
    for (;;) {
        sem_wait(&accepted);
        if (ends)
            return data;
        sem_wait(&locked);
        pass(20);
        begun = at(begin, key);
        compute(20);
        sleeps = sleeps_of(worker_id, &state);
        sem_post(&waits);
        long from = now(CLOCK_MONOTONIC);
        pthread_mutex_lock(&lock);
        futex.most = now(CLOCK_MONOTONIC) - from;
        futex.least = lasted;
        pthread_mutex_unlock(&lock);
        ended = at(end, key);
        sem_post(&had);
        sem_post(&worked);
    }
}

static void hands(void)
{
    struct bounds queued = {0, 0}, cpu = {0, 0}, wall = {0, 0};
    main_begun = at(begin, key);
    compute(2);
    main_ended = at(end, key);
    sem_post(&accepted);
    sem_wait(&worked);
    struct call again = at(begin, key);
    compute(2);
    replies = at(done, key);
    add_between(&queued, main_ended, begun);
    add_between(&queued, ended, again);
    add_between(&wall, main_begun, replies);
    add_cpu(&cpu, main_begun, main_ended);
    add_cpu(&cpu, begun, ended);
    add_cpu(&cpu, again, replies);
    show(key, "queued", queued);
    show(key, "cpu", cpu);
    show(key, "futex", futex);
    show(key, "wall", wall);
}

static void *computes(void *data)
{
    begun = at(begin, key);
    compute(10);
    ended = at(end, key);
    return data;
}

static void joins(void)
{
    pthread_t thread;
    struct bounds cpu = {0, 0}, work = {0, 0}, wall = {0, 0};
    main_begun = at(begin, key);
    pthread_create(&thread, NULL, computes, NULL);
    compute(10);
    pthread_join(thread, NULL);
    replies = at(done, key);
    add_cpu(&cpu, main_begun, replies);
    add_cpu(&cpu, begun, ended);
    add_between(&wall, main_begun, replies);
    work = wall;
    add_between(&work, begun, ended);
    show(key, "cpu", cpu);
    show(key, "work", work);
    show(key, "wall", wall);
}

static void *dies_of_it(void *data)
{
    worker_id = (int)syscall(SYS_gettid);
    begun = at(begin, key);
    compute(10);
    return data;
}

static void dies(void)
{
    pthread_t thread;
    struct bounds queued = {0, 0};
    char path[64];
    pthread_create(&thread, NULL, dies_of_it, NULL);
    pthread_join(thread, NULL);
    snprintf(path, sizeof path, "/proc/self/task/%d", worker_id);
    while (access(path, F_OK) == 0) // pthread_join() may return before the kernel has finished the thread's exit
        sched_yield();
    long from = now(CLOCK_MONOTONIC);
    pass(20);
    queued.least = now(CLOCK_MONOTONIC) - from;
    replies = at(done, key);
    queued.most = replies.after - begun.before;
    show(key, "queued", queued);
}

static void *comes_and_goes(void *data)
{
    for (long i = 0; i < *(long *)data; ++i) {
        begin(1);
        end(1);
    }
    return data;
}

static void crowd(long times)
{
    enum { kThreads = 8 };
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i)
        pthread_create(&threads[i], NULL, comes_and_goes, &times);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    done(1);
}

static sem_t begins, goes;

static void *works_with_all(void *data)
{
    begin(1);
    sem_post(&begins);
    sem_wait(&goes);
    end(1);
    return data;
}

static void flood(long count)
{
    enum { kStack = 64 << 10 };
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    pthread_attr_t small;
    struct bounds queued = {0, 0};
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, kStack);
    const long before = now(CLOCK_MONOTONIC);
    for (long i = 0; i < count; ++i)
        if (!threads || pthread_create(&threads[i], &small, works_with_all, NULL)) {
            fprintf(stderr, "no more than %ld threads\n", i);
            exit(1);
        }
    for (long i = 0; i < count; ++i)
        sem_wait(&begins);
    for (long i = 0; i < count; ++i)
        sem_post(&goes);
    for (long i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    const long from = now(CLOCK_MONOTONIC);
    pass(20);
    queued.least = now(CLOCK_MONOTONIC) - from;
    replies = at(done, 1);
    queued.most = replies.after - before;
    show(1, "queued", queued);
    free(threads);
}

static int main_id, connection;
static struct sockaddr_in place = {.sin_family = AF_INET};

// Makes connections one after the other; each is closed before the next.
static void *asks(void *data)
{
    char answer;
    for (long i = 0; i < *(long *)data; ++i) {
        int own = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(own, (struct sockaddr *)&place, sizeof place) || write(own, "?", 1) != 1 || read(own, &answer, 1) != 1)
            exit(1);
        close(own);
    }
    return data;
}

static void *serves(void *data)
{
    char question;
    for (long i = 0; i < *(long *)data; ++i) {
        sem_wait(&accepted);
        until_asleep(main_id, sleeps); // waits until main waits for the next connection
        long from = now(CLOCK_MONOTONIC);
        pass(20);
        printf("queued %ld\n", now(CLOCK_MONOTONIC) - from);
        if (read(connection, &question, 1) != 1)
            exit(1);
        compute(20);
        if (write(connection, "!", 1) != 1)
            exit(1);
        close(connection);
        sem_post(&worked);
    }
    exit(0);
}

static void serve(long times)
{
    pthread_t client, worker;
    char state;
    socklen_t size = sizeof place;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    main_id = (int)syscall(SYS_gettid);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(door, (struct sockaddr *)&place, sizeof place) || getsockname(door, (struct sockaddr *)&place, &size) || listen(door, 1))
        exit(1);
    pthread_create(&worker, NULL, serves, &times);
    pthread_create(&client, NULL, asks, &times);
    for (sem_post(&worked);;) {
        int next = accept(door, NULL, NULL);
        sem_wait(&worked);
        connection = next;
        sleeps = sleeps_of(main_id, &state);
        sem_post(&accepted);
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    if (argc != 3)
        return usage("pool hands|joins|dies|crowd|flood|serves N");
    const int is_handed = strcmp(argv[1], "hands") == 0;
    long times = number(argv[2]);
    if (is_handed) {
        pthread_create(&threads[0], NULL, works, NULL);
        pthread_create(&threads[1], NULL, has_lock, NULL);
    }
    if (strcmp(argv[1], "serves") == 0)
        serve(times);
    if (strcmp(argv[1], "crowd") == 0) {
        crowd(times);
        return 0;
    }
    if (strcmp(argv[1], "flood") == 0) {
        flood(times);
        return 0;
    }
    for (key = 1; key <= times; ++key) {
        if (is_handed)
            hands();
        else if (strcmp(argv[1], "joins") == 0)
            joins();
        else
            dies();
    }
    if (is_handed) {
        ends = 1;
        sem_post(&waits);
        sem_post(&accepted);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
    }
    return 0;
}
