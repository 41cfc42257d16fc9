#include "hand.h"

struct record {
    __u32 kind, pid;
    __u64 time;
};

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 8 << 20);
} records SEC(".maps");

/* Number of records lost because the buffer was full. */
__u64 lost;

SEC("raw_tp/sys_enter")
int printf_time(struct enter* context)
{
    struct task_struct* task;
    struct record* record;

    if (context->number != TRACED_CALL)
        return 0;
    record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);
    if (!record) {
        __sync_fetch_and_add(&lost, 1);
        return 0;
    }
    task = bpf_get_current_task_btf();
    record->kind = 1;
    record->pid = task->tgid;
    record->time = bpf_ktime_get_ns();
    bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
    return 0;
}
