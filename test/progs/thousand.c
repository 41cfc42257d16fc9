// thousand N [THREADS]: each thread (default: one) calls each of the thousand functions f0 to f999 N times. thousand for MS THREADS: does so for MS
// milliseconds; each thread counts its rounds, and the sum is printed.
#include "progs.h"

#include <pthread.h>
#include <time.h>

#if defined(__x86_64__)
#define LANDING "  endbr64\n"
#define PUSH "  push %rbp\n"
#define POP "  pop %rbp\n"
#define CALL "  call "
#elif defined(__aarch64__)
#define LANDING "  hint 34\n" // bti c
#define PUSH "  stp x29, x30, [sp, #-16]!\n"
#define POP "  ldp x29, x30, [sp], #16\n"
#define CALL "  bl "
#endif

__asm__(".text\n"
        ".altmacro\n"
        ".macro function number\n"
        "  .globl f\\number\n"
        "  .type f\\number, @function\n"
        "f\\number:\n" LANDING PUSH POP "  ret\n"
        "  .size f\\number, . - f\\number\n"
        ".endm\n"
        ".macro call_function number\n" CALL "f\\number\n"
        ".endm\n"
        ".set i, 0\n"
        ".rept 1000\n"
        "  function %i\n"
        "  .set i, i + 1\n"
        ".endr\n"
        ".globl call_all\n"
        ".type call_all, @function\n"
        "call_all:\n" PUSH ".set i, 0\n"
        ".rept 1000\n"
        "  call_function %i\n"
        "  .set i, i + 1\n"
        ".endr\n" POP "  ret\n"
        ".size call_all, . - call_all\n"
        ".noaltmacro\n");
void call_all(void);

static long milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct work {
    pthread_t thread;
    long rounds; // in: number of rounds to do; out: number of rounds done
    long until;  // end time in ms; 0: none
};

static void *call_often(void *given)
{
    struct work *work = given;
    long done = 0;

    while (work->until ? milliseconds() < work->until : done < work->rounds) {
        call_all();
        done++;
    }
    work->rounds = done;
    return NULL;
}

int main(int argc, char **argv)
{
    enum { kMaxThreads = 64 };
    struct work works[kMaxThreads], work = {0};
    int timed = argc > 3 && !strcmp(argv[1], "for");
    long count = argc > 1 + timed ? number(argv[1 + timed]) : -1, started = argc > 2 + timed ? number(argv[2 + timed]) : 0, sum = 0;

    if (count < 0 || started > kMaxThreads)
        return usage("thousand N [THREADS] | for MS THREADS");
    work.rounds = count;
    work.until = timed ? milliseconds() + count : 0;
    if (started == 0)
        call_often(&work);
    for (long i = 0; i < started; ++i) {
        works[i] = work;
        if (pthread_create(&works[i].thread, NULL, call_often, &works[i]) != 0)
            return 1;
    }
    for (long i = 0; i < started; ++i) {
        pthread_join(works[i].thread, NULL);
        sum += works[i].rounds;
    }
    if (timed)
        printf("%ld\n", sum);
    return 0;
}
