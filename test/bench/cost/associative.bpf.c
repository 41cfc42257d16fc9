#include "hand.h"

struct thread {
    __u32 pid, tid;
};

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 10240);
    __type(key, struct thread);
    __type(value, __u64);
} result SEC(".maps");

SEC("raw_tp/sys_enter")
int associative(struct enter* context)
{
    struct task_struct* task;
    struct thread key;

    if (context->number != TRACED_CALL)
        return 0;
    task = bpf_get_current_task_btf();
    key.pid = task->tgid;
    key.tid = task->pid;
    add(&result, &key, 1);
    return 0;
}
