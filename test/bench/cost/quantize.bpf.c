#include "hand.h"

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, BUCKETS);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

SEC("tp_btf/sys_enter")
int quantize(struct enter* context)
{
    if (context->number == TRACED_CALL)
        add_to_bucket(&result, power_bucket(context->registers->rdx));
    return 0;
}
