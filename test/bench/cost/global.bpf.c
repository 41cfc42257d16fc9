#include "hand.h"

__u64 result;

SEC("raw_tp/sys_enter")
int global(struct enter* context)
{
    if (context->number == TRACED_CALL)
        result++;
    return 0;
}
