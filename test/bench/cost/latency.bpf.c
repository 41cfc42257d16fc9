#include "hand.h"

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, BUCKETS);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, int);
    __type(value, __u64);
} began SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct enter* context)
{
    __u64* time;

    if (context->number != TRACED_CALL)
        return 0;
    time = bpf_task_storage_get(&began, (void*)bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
    if (time)
        *time = bpf_ktime_get_ns();
    return 0;
}

SEC("tp_btf/sys_exit")
int leave(struct leave* context)
{
    __u64* time;

    if (context->registers->orig_rax != TRACED_CALL)
        return 0;
    time = bpf_task_storage_get(&began, (void*)bpf_get_current_task_btf(), 0, 0);
    if (!time || *time == 0)
        return 0;
    add_to_bucket(&result, power_bucket(bpf_ktime_get_ns() - *time));
    *time = 0;
    return 0;
}
