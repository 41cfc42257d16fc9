#include "hand.h"

struct record {
    __u32 kind, tid;
    __u64 comm[2];
    __u64 third;
#ifdef PROMISED
    __u64 time; /* records of all CPUs are printed in the order of this time */
#endif
};

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 8 << 20);
} records SEC(".maps");

/* Number of records lost because the buffer was full. */
__u64 lost;

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} result SEC(".maps");

static __always_inline void fill(struct record* record, const struct pt_regs* registers)
{
    struct task_struct* task = bpf_get_current_task_btf();

    record->kind = 1;
    record->tid = task->pid;
    record->comm[0] = *(__u64*)task->comm;
    record->comm[1] = *(__u64*)(task->comm + 8);
    record->third = registers->rdx;
#ifdef PROMISED
    record->time = bpf_ktime_get_ns();
#endif
}

static __always_inline void send(struct record* record)
{
    if (bpf_ringbuf_output(&records, record, sizeof(*record), BPF_RB_NO_WAKEUP) != 0)
        __sync_fetch_and_add(&lost, 1);
}

#ifndef PROMISED

struct {
    __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, int);
    __type(value, struct record);
} speculated SEC(".maps");

/* Keeps speculative data in the task's local storage, and sends it only if the speculation is committed. */
SEC("tp_btf/sys_enter")
int enter(struct enter* context)
{
    struct record* record;

    if (!is_traced(context->registers, context->number))
        return 0;
    record = bpf_task_storage_get(&speculated, (void*)bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
    if (record)
        fill(record, context->registers);
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
    else
        send(record);
    record->kind = 0;
    return 0;
}

#else

/* As in D, a number identifies a speculation; any thread may add to it, commit it or discard it. This program needs
   only one speculation at a time. */
__u64 is_taken;

struct {
    __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, int);
    __type(value, __u64);
} id SEC(".maps");

/* Data of the speculation, written by each CPU to its own element. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct record);
} speculated SEC(".maps");

SEC("tp_btf/sys_enter")
int enter(struct enter* context)
{
    struct record* record;
    __u64* mine;
    __u32 zero = 0;

    if (!is_traced(context->registers, context->number))
        return 0;
    mine = bpf_task_storage_get(&id, (void*)bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
    if (!mine)
        return 0;
    *mine = __sync_val_compare_and_swap(&is_taken, 0, 1) == 0;
    record = *mine ? bpf_map_lookup_elem(&speculated, &zero) : 0;
    if (record)
        fill(record, context->registers);
    return 0;
}

SEC("tp_btf/sys_exit")
int leave(struct leave* context)
{
    struct record* record;
    __u64* mine;
    __u32 zero = 0;

    if (!is_traced(context->registers, context->registers->orig_rax))
        return 0;
    mine = bpf_task_storage_get(&id, (void*)bpf_get_current_task_btf(), 0, 0);
    if (!mine || !*mine)
        return 0;
    record = bpf_map_lookup_elem(&speculated, &zero);
    if (context->result >= 0)
        add_to_first(&result);
    else if (record)
        send(record);
    __sync_lock_test_and_set(&is_taken, 0);
    *mine = 0;
    return 0;
}

#endif
