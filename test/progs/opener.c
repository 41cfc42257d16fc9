// opener LIBRARY [again]: opens the library, calls its called(), closes it and ends, without a pause. With "again" it keeps the library open and calls the
// function every 10 ms, for at most ten minutes.
#include "progs.h"

#include <dlfcn.h>

__attribute__((noinline)) long once_again(long (*called)(void))
{
    usleep(10000);
    return called();
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library)
        return usage("opener LIBRARY [again]");
    long (*called)(void) = (long (*)(void))dlsym(library, "called");
    called();
    for (int i = 0; argc > 2 && i < 60000; ++i)
        once_again(called);
    dlclose(library);
    return 0;
}
