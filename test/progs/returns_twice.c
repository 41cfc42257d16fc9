// returns_twice N: in N rounds, calls functions that save their return address, such as setjmp(). Prints for each kind
// of function how often the program returned from it.
#include "progs.h"

#include <setjmp.h>
#include <sys/wait.h>
#include <ucontext.h>

static jmp_buf plain;
static sigjmp_buf with_signals;
static ucontext_t here, there;
static char stack[1 << 16];

__attribute__((noinline)) static void jumps(void)
{
    volatile char used[400]; // overwrites the part of the stack that held setjmp()'s return address
    memset((char *)used, 1, sizeof used);
    longjmp(plain, 2);
}

static void turns(void)
{
    for (;;)
        swapcontext(&there, &here);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("returns_twice N");
    volatile long jumped = 0, jumped_signals = 0, gone = 0, turned = 0, children = 0;
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, turns, 0);
    for (volatile long i = 0, count = number(argv[1]); i < count; ++i) {
        if (setjmp(plain) == 0)
            jumps();
        else
            ++jumped;
        if (sigsetjmp(with_signals, 1) == 0)
            siglongjmp(with_signals, 1);
        else
            ++jumped_signals;
        volatile int again = 0;
        getcontext(&here);
        if (again++ == 0)
            setcontext(&here);
        ++gone;
        swapcontext(&here, &there);
        ++turned;
        int status = 0;
        const pid_t child = vfork();
        if (child == 0)
            _exit(3);
        waitpid(child, &status, 0);
        children += WEXITSTATUS(status) == 3;
    }
    printf("setjmp %ld\nsigsetjmp %ld\ngetcontext %ld\nswapcontext %ld\nvfork %ld\n", jumped, jumped_signals, gone, turned, children);
    return 0;
}
