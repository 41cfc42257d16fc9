// touch_pages N: calls getppid(2), writes to N new pages of memory, which causes a page fault each, and calls getppid(2).
#define _DEFAULT_SOURCE
#include "progs.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void touch(volatile char *memory, long pages, long size)
{
    for (long i = 0; i < pages; i++)
        memory[i * size] = 1;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return usage("touch_pages N");
    const long pages = number(argv[1]), size = sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, (size_t)(pages + 1) * (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    // asks for small pages; without huge pages in the kernel, this fails harmlessly
    madvise(memory, (size_t)(pages + 1) * (size_t)size, MADV_NOHUGEPAGE);
    touch(memory + pages * size, 1, size);
    syscall(SYS_getppid);
    touch(memory, pages, size);
    syscall(SYS_getppid);
    return 0;
}
