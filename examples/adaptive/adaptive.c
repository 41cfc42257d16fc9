// Serves requests that take 0.1 ms, except each sixtieth, which takes 300 ms. After each request it hits a probe site.
// With --engine, the program itself runs the compiled adaptive.d there; otherwise a tracer can trace the site through
// the kernel (adaptive.d shows the commands).
//
//     adaptive [--engine FILE [--shared]]     serves 300 requests, of which 5 are slow
//     adaptive --cost FILE EVENTS             measures the cost of usual requests that do no work
//     adaptive --calls NUMBER                 measures the time of a short system call
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "adaptive_probes.h"
#include "dtrace_engine.h"

enum { kRequests = 300, kSlowEach = 60 };

static dt_engine* engine;
static int done_probe;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void fail(const char* message)
{
    fprintf(stderr, "adaptive: %s\n", message);
    exit(1);
}

// Hits the probe site: fires it in the program's own engine if there is one, otherwise for a kernel tracer.
static void request_done(int64_t number, int64_t nanoseconds)
{
    const uint64_t words[] = {(uint64_t)number, (uint64_t)nanoseconds};
    if (!engine)
        ADAPTIVE_REQUEST_DONE(number, nanoseconds);
    else if (dt_engine_fire(engine, done_probe, words, 2) != 0)
        fail(dt_engine_error());
}

static void serve(int64_t number)
{
    const struct timespec usual = {0, 100 * 1000}, slow = {0, 300 * 1000 * 1000};
    const int64_t begun = now();
    nanosleep(number % kSlowEach == 0 ? &slow : &usual, NULL);
    request_done(number, now() - begun);
}

static void show(const dt_record* record, void* context)
{
    (void)context;
    if (strcmp(record->action, "printf") == 0 && record->count == 3)
        printf("engine: request %" PRId64 " took %" PRId64 " us, usually %" PRId64 "\n", record->values[0].number,
               record->values[1].number, record->values[2].number);
    else
        printf("engine: %s at %s\n", record->action, record->probe);
}

static void open_engine(const char* file)
{
    char message[256];
    engine = dt_engine_open(file, message, sizeof message);
    if (!engine)
        fail(message);
    done_probe = dt_engine_probe(engine, "adaptive*:::request-done");
    if (done_probe < 0)
        fail(dt_engine_error());
}

static void overlook(const dt_record* record, void* context)
{
    (void)record;
    (void)context;
}

// Fires `events` events and drains records from time to time, as a program would.
static void measure(long events)
{
    long records = 0;
    const int64_t begun = now();
    for (long i = 0; i < events; i++) {
        request_done(i, 150000 + i % 64);
        if (i % 16384 == 0)
            records += dt_engine_drain(engine, overlook, NULL);
    }
    records += dt_engine_drain(engine, overlook, NULL);
    printf("%.1f ns an event, %ld of %ld recorded\n", (double)(now() - begun) / (double)events, records, events);
}

// Measures short system calls. The difference with and without a tracer is the tracer's cost.
static void measure_calls(long calls)
{
    const int64_t begun = now();
    for (long i = 0; i < calls; i++)
        syscall(SYS_getppid);
    printf("%.1f ns a call\n", (double)(now() - begun) / (double)calls);
}

int main(int argc, char** argv)
{
    if (argc == 3 && strcmp(argv[1], "--calls") == 0) {
        measure_calls(atol(argv[2]));
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--cost") == 0) {
        open_engine(argv[2]);
        measure(atol(argv[3]));
        dt_engine_close(engine);
        return 0;
    }
    if (argc >= 3 && strcmp(argv[1], "--engine") == 0)
        open_engine(argv[2]);
    if (argc == 4 && strcmp(argv[3], "--shared") == 0 && dt_engine_share(engine, getppid()) != 0)
        fail(dt_engine_error());
    for (int64_t number = 1; number <= kRequests; number++)
        serve(number);
    if (engine)
        dt_engine_drain(engine, show, NULL);
    dt_engine_close(engine);
    return 0;
}
