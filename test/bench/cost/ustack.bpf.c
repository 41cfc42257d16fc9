#include "hand.h"

struct {
    __uint(type, BPF_MAP_TYPE_STACK_TRACE);
    __uint(max_entries, 4096);
    __uint(key_size, sizeof(__u32));
    __uint(value_size, 100 * sizeof(__u64));
} stacks SEC(".maps");

struct key {
    __u32 process;
    __s32 stack;
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 10240);
    __type(key, struct key);
    __type(value, __u64);
} result SEC(".maps");

SEC("raw_tp/sys_enter")
int ustack(struct enter* context)
{
    struct task_struct* task;
    struct key key;

    if (context->number != TRACED_CALL)
        return 0;
    task = bpf_get_current_task_btf();
    key.process = task->tgid;
    key.stack = bpf_get_stackid(context, &stacks, BPF_F_USER_STACK);
    add(&result, &key, 1);
    return 0;
}
