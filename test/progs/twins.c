// twins: two source files. Each has a static variable of the same name, and two probes with this variable as argument:
// one probe in a static function, one in a global function.
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
