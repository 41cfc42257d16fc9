/* Hand-written filters in C, compiled for this processor. The benchmark calls them through pointers, as a tracer calls
 * a filter that it has loaded. */
#include "test/bench/filters/flat.h"
#include "test/bench/filters/compiled.h"

int dt_compiled_chain_1(const void* event)
{
    return chain_1(event);
}

int dt_compiled_chain_2(const void* event)
{
    return chain_2(event);
}

int dt_compiled_chain_4(const void* event)
{
    return chain_4(event);
}

int dt_compiled_chain_8(const void* event)
{
    return chain_8(event);
}

int dt_compiled_chain_16(const void* event)
{
    return chain_16(event);
}

int dt_compiled_packet(const void* event)
{
    return packet(event);
}

int dt_compiled_switch(const void* event)
{
    return task_switch(event);
}
