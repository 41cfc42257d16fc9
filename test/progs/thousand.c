// thousand N: calls each of its thousand functions, f0 to f999, N times.
#include "progs.h"

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

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("thousand N");
    const long count = number(argv[1]);
    for (long i = 0; i < count; ++i)
        call_all();
    return 0;
}
