#include "hand.h"

#define STACKS 4096

struct {
    __uint(type, BPF_MAP_TYPE_STACK_TRACE);
    __uint(max_entries, STACKS);
    __uint(key_size, sizeof(__u32));
    __uint(value_size, 20 * sizeof(__u64));
} stacks SEC(".maps");

/* Stack ids are small numbers, so an array can hold the counts. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, STACKS);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

__u64 lost;

SEC("raw_tp/sys_enter")
int stack(struct enter* context)
{
    __s64 stack;

    if (context->number != TRACED_CALL)
        return 0;
    stack = bpf_get_stackid(context, &stacks, 3); /* skips the tracer's own 3 frames */
    if (stack < 0)
        __sync_fetch_and_add(&lost, 1);
    else
        add_to_bucket(&result, stack);
    return 0;
}
