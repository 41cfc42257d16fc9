// image_one CALLS [PROGRAM [ARGUMENT...]]: makes CALLS getppid(2) calls in a function named like the program, then
// executes PROGRAM. With CALLS 0, it waits for a line on standard input and makes one call. image_two differs only in
// the name of the function, so all addresses are equal. The name is also in loaded data, because a build id covers only
// loaded data.
#include "progs.h"

#ifndef FUNCTION
#define FUNCTION in_one
#endif

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
__attribute__((used)) static const char function_name[] = TEXT(FUNCTION);

__attribute__((noinline)) long FUNCTION(void)
{
    return getppid_here();
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage("image_one CALLS [PROGRAM [ARGUMENT...]]");
    long calls = number(argv[1]);
    if (calls == 0)
        calls = getchar() != EOF;
    for (long i = 0; i < calls; i++)
        FUNCTION();
    if (argc > 2)
        execv(argv[2], argv + 2);
    return argc > 2;
}
