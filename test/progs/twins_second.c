// The second source file of twins.
#include "twins.h"

void second_file(void);
void second_global(void);

static volatile signed char ti = -22;

static __attribute__((noinline)) void second_static(void)
{
    PROBE("second-static");
}

__attribute__((noinline)) void second_global(void)
{
    PROBE("second-global");
}

void second_file(void)
{
    second_static();
    second_global();
    (void)ti;
}
