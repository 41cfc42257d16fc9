#include "hand.h"

#define LEAST 0
#define STEP 100
#define STEPS 10

/* Buckets in this order: one below the range, STEPS within it, one above it. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, STEPS + 2);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

static __always_inline __u32 bucket(__s64 value)
{
    if (value < LEAST)
        return 0;
    if (value >= LEAST + STEP * STEPS)
        return STEPS + 1;
    return (__u32)(value - LEAST) / STEP + 1;
}

SEC("tp_btf/sys_enter")
int lquantize(struct enter* context)
{
    if (context->number == TRACED_CALL)
        add_to_bucket(&result, bucket(context->registers->rdx));
    return 0;
}
