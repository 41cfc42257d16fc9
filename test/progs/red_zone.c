// red_zone N: calls N times a leaf function that keeps its argument below the stack pointer while it runs through nops of five bytes; a jump also leads to the
// instruction after the second nop. Prints the number of wrong results. Its instructions are at offsets 0, 5, 6, b, d, f, 14, 19. Only x86-64 has a red zone;
// on other processors the function just returns its argument.
#include "progs.h"

long keeps(long value);
__asm__(".text\n"
        ".balign 32\n"
        ".globl keeps\n"
        ".type keeps, @function\n"
        "keeps:\n"
#if defined(__x86_64__)
        "  mov %rdi, -8(%rsp)\n"
        "  .byte 0x90\n"
        "  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
        "  test %edi, %edi\n"
        "  jne 1f\n"
        "  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
        "1:\n"
        "  mov -8(%rsp), %rax\n"
#endif
        "  ret\n"
        ".size keeps, . - keeps\n");

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("red_zone N");
    const long count = number(argv[1]);
    long wrong = 0;
    for (long i = 0; i < count; ++i)
        wrong += keeps(i) != i;
    printf("%ld wrong\n", wrong);
    return wrong != 0;
}
