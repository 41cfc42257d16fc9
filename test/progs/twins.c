// twins: two source files with a static variable of one name each, and probes that have it as their argument: in a
// static function and in a global one.
#include "twins.h"

void second_file(void);

static volatile signed char ti = -11;

static __attribute__((noinline)) void first_static(void)
{
    PROBE("first-static");
}

__attribute__((noinline)) void first_global(void)
{
    PROBE("first-global");
}

int main(void)
{
    first_static();
    first_global();
    second_file();
    return ti != -11;
}
