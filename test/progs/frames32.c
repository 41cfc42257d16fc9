// frames32 [gate | signal | information | blind | use]: a 32-bit program without libraries and frame pointers. outer()
// calls middle(), which aligns its stack; middle() calls inner(), inner() calls trap(), and trap() makes getppid(2)
// with ebp that is no frame pointer.
//   gate         makes the call through the kernel's own code (vDSO)
//   signal       makes the call in the handler of a signal that arrives in inner()
//   information  like signal, but the handler gets siginfo
//   blind        makes the call from blind(), which has no unwind table
//   use          uses the CPU until the program is killed
#include <stddef.h>

#define KEEP __attribute__((noipa))

enum { kExit = 1, kGetppid = 64, kSigaction = 67, kGetpid = 20, kKill = 37, kRealTimeSigaction = 174, kUser1 = 10, kInformation = 4 };

// Functions written in assembly below: trap(number, first, second, third) makes a system call; gate() makes it through
// the code at `entry`; blind(void); and the program's entry point.
__asm__(".globl trap, gate, blind, _start\n"
        ".type trap, @function\n.type gate, @function\n.type blind, @function\n.type _start, @function\n"
        "trap:\n.cfi_startproc\n"
        "push %ebp\n.cfi_adjust_cfa_offset 4\n.cfi_rel_offset ebp, 0\n"
        "push %ebx\n.cfi_adjust_cfa_offset 4\n"
        "push %esi\n.cfi_adjust_cfa_offset 4\n"
        "mov 16(%esp), %eax\nmov 20(%esp), %ebx\nmov 24(%esp), %ecx\nmov 28(%esp), %edx\nmov $8, %esi\nlea 32(%esp), %ebp\n"
        "int $0x80\n"
        "pop %esi\n.cfi_adjust_cfa_offset -4\n"
        "pop %ebx\n.cfi_adjust_cfa_offset -4\n"
        "pop %ebp\n.cfi_adjust_cfa_offset -4\n.cfi_restore ebp\n"
        "ret\n.cfi_endproc\n.size trap, . - trap\n"
        "gate:\n.cfi_startproc\nmov 4(%esp), %eax\ncall *entry\nret\n.cfi_endproc\n.size gate, . - gate\n"
        "blind:\n.skip 16, 0x90\npush %ebp\nxor %ebp, %ebp\ncall inner\npop %ebp\nret\n.size blind, . - blind\n" // 16 nops: too many to look like padding
        "_start:\n.cfi_startproc\n.cfi_undefined eip\n"
        "mov %esp, %eax\nand $-16, %esp\nsub $12, %esp\npush %eax\ncall begin\nhlt\n"
        ".cfi_endproc\n.size _start, . - _start\n");

int trap(int number, long first, long second, long third);
int gate(int number);
int blind(void);
long entry; // address of the vDSO's entry for system calls in this process
static volatile int sink;
static char what; // first letter of the argument

static KEEP void handle(int signal)
{
    sink += signal;
    sink += trap(kGetppid, 0, 0, 0);
}

static KEEP void arrive(void)
{
    const long action[] = {(long)handle, what == 'i' ? kInformation : 0, 0, 0, 0};
    trap(what == 'i' ? kRealTimeSigaction : kSigaction, kUser1, (long)(what == 'i' ? action : (const long[]){(long)handle, 0, 0, 0}), 0);
    sink += trap(kKill, trap(kGetpid, 0, 0, 0), kUser1, 0);
}

int KEEP inner(void)
{
    if (what == 's' || what == 'i')
        arrive();
    else
        sink += what == 'g' ? gate(kGetppid) : trap(kGetppid, 0, 0, 0);
    while (what == 'u')
        sink++;
    return sink;
}

static KEEP int middle(int value)
{
    __attribute__((aligned(64))) volatile char bytes[128];
    bytes[value & 7] = (char)value;
    return (what == 'b' ? blind() : inner()) + bytes[value & 63];
}

static KEEP int outer(int value)
{
    volatile char bytes[40];
    bytes[value & 7] = 1;
    return middle(value) + bytes[0];
}

KEEP void begin(long *stack)
{
    const char *const *word = (const char *const *)stack + 1;
    what = stack[0] > 1 ? word[1][0] : 0;
    while (*word++)
        ;
    while (*word++)
        ;
    for (const long *vector = (const long *)word; vector[0]; vector += 2)
        if (vector[0] == 32) // AT_SYSINFO
            entry = vector[1];
    outer((int)stack[0]);
    trap(kExit, 0, 0, 0);
}
