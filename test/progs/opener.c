// opener LIBRARY: opens the library, calls called() of it, closes it and ends, all at once.
#include "progs.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library)
        return usage("opener LIBRARY");
    long (*called)(void) = (long (*)(void))dlsym(library, "called");
    called();
    dlclose(library);
    return 0;
}
