#include "hand.h"

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

SEC("raw_tp/sys_enter")
int chain(struct enter* context)
{
    struct task_struct* task;

    if (context->number != TRACED_CALL)
        return 0;
    task = bpf_get_current_task_btf();
    if (task->group_leader->real_parent->signal->nr_threads > 0)
        add_to_first(&result);
    return 0;
}
