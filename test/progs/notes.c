// USDT probes described by ELF notes: one probe has an argument in every form that the assembler can write; another has
// two sites and a semaphore counter.
//
// usage: notes TIMES
#include <stdint.h>
#include <stdlib.h>

// Emits a no-op instruction (the probe's site) and its note. `counter` is the symbol of the probe's semaphore, or 0.
#define SITE(counter, name, arguments)                                                                                                                         \
    "990: nop\n"                                                                                                                                               \
    ".pushsection .note.stapsdt,\"\",\"note\"\n"                                                                                                               \
    ".balign 4\n"                                                                                                                                              \
    ".4byte 992f-991f, 994f-993f, 3\n"                                                                                                                         \
    "991: .asciz \"stapsdt\"\n"                                                                                                                                \
    "992: .balign 4\n"                                                                                                                                         \
    "993: .8byte 990b, _.stapsdt.base, " counter "\n"                                                                                                          \
    ".asciz \"forms\"\n"                                                                                                                                       \
    ".asciz \"" name "\"\n"                                                                                                                                    \
    ".asciz \"" arguments "\"\n"                                                                                                                               \
    "994: .balign 4\n"                                                                                                                                         \
    ".popsection\n"

__asm__(".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
        ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n"
        ".popsection\n");

uint64_t table[4] = {0x1111, 0x2222222222222222, 0xfffffffffffffff0, 0x8000};
__attribute__((section(".probes"))) volatile unsigned short first_wanted, second_wanted;

#if defined(__x86_64__)
#define CONSTANT(number) "$" number
// The arguments are whole registers and parts of registers. Every part with a sign has a negative value.
__attribute__((noinline)) void registers(void)
{
    __asm__ volatile("movabs $0x1122334485968798, %%rbx\n mov %%rbx, %%r12\n mov %%rbx, %%rsi\n mov %%rbx, %%rdi\n" //
                     SITE("0", "low", "8@%%rbx -4@%%ebx 4@%%ebx -2@%%bx 2@%%bx -1@%%bl 1@%%bl -1@%%bh 1@%%bh")      //
                     SITE("0", "high", "8@%%r12 -4@%%r12d 2@%%r12w 1@%%r12b -2@%%si 1@%%sil -1@%%dil 4@%%edi")      //
                     :
                     :
                     : "rbx", "r12", "rsi", "rdi", "memory");
}

__attribute__((noinline)) void memory(void)
{
    __asm__ volatile("lea table(%%rip), %%rax\n mov $1, %%edx\n mov %%rax, %%rcx\n shr $3, %%rcx\n sub $8, %%rsp\n movq $77, (%%rsp)\n"             //
                     SITE("0", "memory", "8@(%%rax) -8@16(%%rax) 8@8(%%rax,%%rdx,8) -1@16(%%rax,%%rdx) 8@(,%%rcx,8) 4@(%%rsp) 8@-8(%%rax,%%rdx,8)") //
                     "add $8, %%rsp\n"                                                                                                              //
                     :
                     :
                     : "rax", "rdx", "rcx", "memory");
}

__attribute__((noinline)) void symbols(void)
{
    __asm__ volatile(SITE("0", "symbols", "8@table(%%rip) 8@table+8(%%rip) -8@16+table(%%rip) 2@table+24(%%rip)") //
                     SITE("0", "float__form", "4@$1 8f@%%xmm0 8@nowhere(%%rip)")
                     :
                     :
                     : "memory");
}
#elif defined(__aarch64__)
#define CONSTANT(number) number
// The arguments have the same values as those of the x86 code. On x86, one argument is the second byte of a register;
// here x20 has its value. The arm64 assembler allows no symbols in memory operands.
__attribute__((noinline)) void registers(void)
{
    __asm__ volatile("ldr x19, 1f\n lsr x20, x19, #8\n mov x21, x19\n b 2f\n .balign 8\n 1: .8byte 0x1122334485968798\n 2:\n" SITE(
                         "0", "low", "8@x19 -4@w19 4@w19 -2@w19 2@w19 -1@w19 1@w19 -1@w20 1@w20")
                         SITE("0", "high", "8@x21 -4@w21 2@w21 1@w21 -2@w19 1@w19 -1@w21 4@w19")
                     :
                     :
                     : "x19", "x20", "x21", "memory");
}

__attribute__((noinline)) void memory(void)
{
    __asm__ volatile("adrp x0, table\n add x0, x0, :lo12:table\n add x1, x0, #24\n sub sp, sp, #16\n mov x2, #77\n str x2, [sp]\n" SITE(
                         "0", "memory", "8@[x0] -8@[x0, 16] 8@[x0, 16] -1@[x0, 17] 8@[x1, -24] 4@[sp] 8@[x0, 0]") "add sp, sp, #16\n"
                     :
                     :
                     : "x0", "x1", "x2", "memory");
}

__attribute__((noinline)) void symbols(void)
{
    __asm__ volatile("adrp x0, table\n add x0, x0, :lo12:table\n" SITE("0", "symbols", "8@[x0] 8@[x0, 8] -8@[x0, 16] 2@[x0, 24]")
                         SITE("0", "float__form", "4@1 8f@d0 8@nowhere")
                     :
                     :
                     : "x0", "memory");
}
#endif

__attribute__((noinline)) void others(void)
{
#define C(number) CONSTANT(#number) " "
    __asm__ volatile(
        SITE("0", "constants", "4@" C(123) "-4@" C(-5) "4@" C(-1) "8@" C(0x10) "-1@" C(255) "8@" CONSTANT("010")) //
        SITE("0", "twelve", "4@" C(0) "4@" C(1) "4@" C(2) "4@" C(3) "4@" C(4) "4@" C(5) "4@" C(6) "4@" C(7) "4@" C(8) "4@" C(9) "4@" C(10) "4@" CONSTANT("11"))
            SITE("0", "none", "")
        :
        :
        : "memory");
}

// Two sites of one probe, with arguments in different registers or memory.
__attribute__((noinline)) void twice(int i)
{
    if (first_wanted)
        __asm__ volatile(SITE("first_wanted", "twice", "-4@%0 4@" CONSTANT("1")) : : "r"(i));
    if (second_wanted)
        __asm__ volatile(SITE("second_wanted", "twice", "4@%0 4@" CONSTANT("2")) : : "m"(i));
}

int main(int argc, char **argv)
{
    const int times = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < times; ++i) {
        registers();
        memory();
        symbols();
        others();
        twice(i);
    }
    return 0;
}
