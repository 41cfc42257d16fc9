#include "hand.h"

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

SEC("raw_tp/sys_enter")
int execname_predicate(struct enter* context)
{
    struct task_struct* task;

    if (context->number != TRACED_CALL)
        return 0;
    task = bpf_get_current_task_btf();
    if (*(__u64*)task->comm << 8 == 0x686375736f6eULL << 8) /* "nosuch" and its NUL */
        add_to_first(&result);
    return 0;
}
