#include "hand.h"

struct record {
    __u32 kind, pid;
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

#ifdef PROMISED
SEC("tp_btf/sys_enter") /* typed, to read registers */
#else
SEC("raw_tp/sys_enter")
#endif
int printf_one(struct enter* context)
{
    struct task_struct* task;
    struct record* record;

    if (!is_traced(context->registers, context->number))
        return 0;
    record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
    if (!record) {
        __sync_fetch_and_add(&lost, 1);
        return 0;
    }
    task = bpf_get_current_task_btf();
    record->kind = 1;
    record->pid = task->tgid;
#ifdef PROMISED
    record->time = bpf_ktime_get_ns();
#endif
    bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
    return 0;
}
