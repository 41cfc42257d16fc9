#include "hand.h"

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 10240);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

SEC("raw_tp/sys_enter")
int time_by_thread(struct enter* context)
{
    struct task_struct* task;
    __u64 now, *time;
    __u32 tid;

    if (context->number != TRACED_CALL)
        return 0;
    task = bpf_get_current_task_btf();
    tid = task->pid;
    now = bpf_ktime_get_ns();
    time = bpf_map_lookup_elem(&result, &tid);
    if (time)
        *time = now;
    else
        bpf_map_update_elem(&result, &tid, &now, BPF_ANY);
    return 0;
}
