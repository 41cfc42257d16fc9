// jit: acts like a program with a JIT compiler. Creates a function at run time, names it "compiled with blanks" in
// /tmp/perf-PID.map, and calls it. This function calls inner(), which calls getppid(2). Like JIT compilers, does not
// delete the file.
#include "progs.h"

#include <sys/mman.h>

static void inner(void)
{
    __asm__ volatile("" : : "r"(__builtin_frame_address(0)));
    getppid_here();
}

int main(void)
{
#if defined(__x86_64__)
    // push rbp; mov rbp, rsp; call rdi; pop rbp; ret
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
#elif defined(__aarch64__)
    // stp x29, x30, [sp, #-16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], #16; ret
    static const unsigned code[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0};
#endif
    char path[64];
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    memcpy(page, code, sizeof(code));
    __builtin___clear_cache((char *)page, (char *)page + sizeof(code));
    snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
    FILE *map = fopen(path, "w");
    if (!map)
        return 1;
    fprintf(map, "%lx %zx compiled with blanks\n", (unsigned long)page, sizeof(code));
    fclose(map);
    ((void (*)(void (*)(void)))page)(inner);
    return 0;
}
