#include "hand.h"

struct thread {
    __u32 pid, tid;
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 10240);
    __type(key, struct thread);
    __type(value, __u64);
} result SEC(".maps");

SEC("tp_btf/sys_enter")
int sum_by_thread(struct enter* context)
{
    struct task_struct* task;
    struct thread key;

    if (context->number != TRACED_CALL)
        return 0;
    task = bpf_get_current_task_btf();
    key.pid = task->tgid;
    key.tid = task->pid;
    add(&result, &key, context->registers->r10);
    return 0;
}
