#include "hand.h"

struct record {
    __u32 kind, tid;
    __u64 comm[2];
    __u64 third;
#ifdef PROMISED
    __u64 time; /* records of all CPUs are printed in the order of their times */
#endif
};

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 64 << 20);
} records SEC(".maps");

/* Records that found no room. */
__u64 lost;

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, int);
    __type(value, struct record);
} speculated SEC(".maps");

/* What is not yet sure to be wanted waits with the task, and only what is wanted is sent. */
SEC("tp_btf/sys_enter")
int enter(struct enter* context)
{
    struct task_struct* task;
    struct record* record;

    if (!is_traced(context->registers, context->number))
        return 0;
    task = bpf_get_current_task_btf();
    record = bpf_task_storage_get(&speculated, (void*)task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
    if (!record)
        return 0;
    record->kind = 1;
    record->tid = task->pid;
    record->comm[0] = *(__u64*)task->comm;
    record->comm[1] = *(__u64*)(task->comm + 8);
    record->third = context->registers->rdx;
#ifdef PROMISED
    record->time = bpf_ktime_get_ns();
#endif
    return 0;
}

SEC("tp_btf/sys_exit")
int leave(struct leave* context)
{
    struct record* record;

    if (!is_traced(context->registers, context->registers->orig_rax))
        return 0;
    record = bpf_task_storage_get(&speculated, (void*)bpf_get_current_task_btf(), 0, 0);
    if (!record || !record->kind)
        return 0;
    if (context->result >= 0)
        add_to_first(&result);
    else if (bpf_ringbuf_output(&records, record, sizeof(*record), BPF_RB_NO_WAKEUP) != 0)
        __sync_fetch_and_add(&lost, 1);
    record->kind = 0;
    return 0;
}
