// thousand N [THREADS]: each thread (default: one) calls each of the thousand functions, f0 to f999, N times.
#include "progs.h"

#include <pthread.h>

__asm__(".text\n"
        ".altmacro\n"
        ".macro function number\n"
        "  .globl f\\number\n"
        "  .type f\\number, @function\n"
        "f\\number:\n"
        "  endbr64\n"
        "  push %rbp\n"
        "  pop %rbp\n"
        "  ret\n"
        "  .size f\\number, . - f\\number\n"
        ".endm\n"
        ".macro call_function number\n"
        "  call f\\number\n"
        ".endm\n"
        ".set i, 0\n"
        ".rept 1000\n"
        "  function %i\n"
        "  .set i, i + 1\n"
        ".endr\n"
        ".globl call_all\n"
        ".type call_all, @function\n"
        "call_all:\n"
        "  push %rbp\n"
        ".set i, 0\n"
        ".rept 1000\n"
        "  call_function %i\n"
        "  .set i, i + 1\n"
        ".endr\n"
        "  pop %rbp\n"
        "  ret\n"
        ".size call_all, . - call_all\n"
        ".noaltmacro\n");
void call_all(void);

static void *call_often(void *count)
{
    for (long i = 0; i < *(long *)count; ++i)
        call_all();
    return NULL;
}

int main(int argc, char **argv)
{
    enum { kMostThreads = 64 };
    pthread_t threads[kMostThreads];
    long count = argc > 1 ? number(argv[1]) : -1, started = argc > 2 ? number(argv[2]) : 0;
    if (count < 0 || started > kMostThreads)
        return usage("thousand N [THREADS]");
    if (started == 0)
        call_often(&count);
    for (long i = 0; i < started; ++i)
        if (pthread_create(&threads[i], NULL, call_often, &count) != 0)
            return 1;
    for (long i = 0; i < started; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}
