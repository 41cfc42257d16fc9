// A server whose requests can be traced while it runs, by every user who may debug it:
//
//     dtrace -p PID -n 'app$target:::request /arg1 > 1000/ { @[arg0] = quantize(arg1); }'
//
//     live                      a request each millisecond until end of file on standard input
//     live --requests N         after a byte on standard input: N requests without pauses
//     live --until-end          after a byte: requests without pauses until end of file; prints their number
//     live --rate N SECONDS     after a byte: N requests a second; prints their number, the duration and the time each
//     live --cost N             prints the cost of a request without a site, with a site that is not traced and, after
//                               a byte, with a tracer
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dtrace_engine.h"

static dt_site request_site = {.function = "serve", .name = "request", .types = "int, unsigned long, const char *"};
static dt_site answer_site = {.function = "serve", .name = "answer", .types = "int, unsigned long"};
static dt_site* const sites[] = {&request_site, &answer_site};

static const char* const names[] = {"index", "item", "basket"};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void serve(uint64_t number)
{
    const uint64_t size = number % 2000;
    if (DT_SITE_IS_ENABLED(&request_site)) {
        const uint64_t words[] = {number % 3, size, (uintptr_t)names[number % 3]};
        dt_engine_hit(&request_site, words, 3);
    }
    if (DT_SITE_IS_ENABLED(&answer_site)) {
        const uint64_t words[] = {number % 3, size};
        dt_engine_hit(&answer_site, words, 2);
    }
}

// A computation that the compiler cannot remove, too short to hide the cost of a site.
static void work(uint64_t number)
{
    __asm__ volatile("" : : "r"(number));
}

static double measure(uint64_t requests, int with_site)
{
    const int64_t begun = now();
    if (with_site)
        for (uint64_t i = 0; i < requests; i++) {
            work(i);
            if (DT_SITE_IS_ENABLED(&request_site)) {
                const uint64_t words[] = {i % 3, i % 2000, (uintptr_t)names[i % 3]};
                dt_engine_hit(&request_site, words, 3);
            }
        }
    else
        for (uint64_t i = 0; i < requests; i++)
            work(i);
    return (double)(now() - begun) / (double)requests;
}

// Measures with and without a probe site in alternating rounds. Prints the minima, which other programs disturb least.
static void show_cost(uint64_t requests)
{
    double without = 1e9, off = 1e9;
    for (int round = 0; round < 10; round++) {
        const double a = measure(requests, 0), b = measure(requests, 1);
        without = a < without ? a : without;
        off = b < off ? b : off;
    }
    printf("%.2f ns without a site, %.2f ns with one that nobody looks at\n", without, off);
    fflush(stdout);
    (void)getchar();
    double on = 1e9;
    for (int round = 0; round < 10; round++) {
        const double a = measure(requests / 100, 1);
        on = a < on ? a : on;
    }
    printf("%.1f ns with a tracer\n", on);
}

// Serves per millisecond as many requests as are due, so that the rate is met if the machine allows it.
static void serve_at(uint64_t rate, uint64_t seconds)
{
    const uint64_t all = rate * seconds;
    const int64_t begun = now();
    int64_t busy = 0;
    for (uint64_t number = 0; number < all;) {
        const int64_t at = now();
        const double due = (double)(at - begun) * 1e-9 * (double)rate;
        for (; number < all && (double)number < due; number++)
            serve(number);
        busy += now() - at;
        if (number < all)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    printf("%" PRIu64 " requests in %.2f s, %.1f ns each\n", all, (double)(now() - begun) * 1e-9,
           (double)busy / (double)all);
}

int main(int argc, char** argv)
{
    dt_listener* const listener = dt_engine_listen("app", sites, 2, NULL);
    if (!listener) {
        fprintf(stderr, "live: %s\n", dt_engine_error());
        return 1;
    }
    printf("%d\n", getpid());
    fflush(stdout);
    if (argc == 3 && strcmp(argv[1], "--cost") == 0) {
        show_cost(strtoull(argv[2], NULL, 10));
    } else if (argc == 3 && strcmp(argv[1], "--requests") == 0) {
        (void)getchar();
        for (uint64_t number = 0, all = strtoull(argv[2], NULL, 10); number < all; number++)
            serve(number);
    } else if (argc == 4 && strcmp(argv[1], "--rate") == 0) {
        (void)getchar();
        serve_at(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    } else if (argc == 2 && strcmp(argv[1], "--until-end") == 0) {
        struct pollfd input = {STDIN_FILENO, POLLIN, 0};
        uint64_t number = 0;
        (void)getchar();
        for (; number % 1000 != 0 || poll(&input, 1, 0) == 0; number++)
            serve(number);
        printf("%" PRIu64 " requests\n", number);
    } else {
        struct pollfd input = {STDIN_FILENO, POLLIN, 0};
        char bytes[64];
        for (uint64_t number = 0;; number++) {
            if (poll(&input, 1, 1) > 0 && read(STDIN_FILENO, bytes, sizeof bytes) <= 0)
                break;
            serve(number);
        }
    }
    dt_engine_unlisten(listener);
    return 0;
}
