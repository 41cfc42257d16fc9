// jit: makes a function at run time, says in /tmp/perf-PID.map that it is called "compiled", and has it call one that calls getppid(2).
// Like all programs of the kind it leaves the file behind.
#include "progs.h"

#include <sys/mman.h>
#include <sys/syscall.h>

static void inner(void)
{
    long result;
    __asm__ volatile("" : : "r"(__builtin_frame_address(0)));
    __asm__ volatile("syscall" : "=a"(result) : "a"((long)SYS_getppid) : "rcx", "r11", "memory");
}

int main(void)
{
    // push rbp; mov rbp, rsp; call rdi; pop rbp; ret
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
    char path[64];
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    memcpy(page, code, sizeof(code));
    snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
    FILE *map = fopen(path, "w");
    if (!map)
        return 1;
    fprintf(map, "%lx %zx compiled with blanks\n", (unsigned long)page, sizeof(code));
    fclose(map);
    ((void (*)(void (*)(void)))page)(inner);
    return 0;
}
