// What a careful person would write by hand for the scripts that the bench measures: the yardstick of the cost per event.
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define COMM_LENGTH 16

struct key {
    char comm[COMM_LENGTH];
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 10240);
    __type(key, struct key);
    __type(value, __u64);
} counts SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} total SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
    __uint(key_size, sizeof(__u32));
    __uint(value_size, sizeof(__u32));
} records SEC(".maps");

// The arguments of the raw tracepoint sys_enter: registers, number.
struct enter {
    __u64 registers, number;
};

static __always_inline void count_by_comm(void)
{
    struct key key;
    __u64 one = 1, *count;

    bpf_get_current_comm(key.comm, sizeof(key.comm));
    count = bpf_map_lookup_elem(&counts, &key);
    if (count)
        *count += 1;
    else
        bpf_map_update_elem(&counts, &key, &one, BPF_NOEXIST);
}

// Nothing at all: what attaching costs.
SEC("raw_tp/sys_enter")
int empty(void *context)
{
    return 0;
}

// syscall:::entry { @[execname] = count(); }
SEC("raw_tp/sys_enter")
int by_comm(void *context)
{
    count_by_comm();
    return 0;
}

// syscall:::entry /pid == 1/ { @ = count(); }
SEC("raw_tp/sys_enter")
int reject(void *context)
{
    __u32 zero = 0;
    __u64 *count;

    if (bpf_get_current_pid_tgid() >> 32 != 1)
        return 0;
    count = bpf_map_lookup_elem(&total, &zero);
    if (count)
        *count += 1;
    return 0;
}

// syscall::getppid:entry { printf("%d %s\n", pid, execname); }
SEC("raw_tp/sys_enter")
int record(struct enter *context)
{
    struct {
        __u64 probe;
        __u32 pid, pad;
        char comm[COMM_LENGTH];
    } sample = {};

    if (context->number != 110)
        return 0;
    sample.probe = 1;
    sample.pid = bpf_get_current_pid_tgid() >> 32;
    bpf_get_current_comm(sample.comm, sizeof(sample.comm));
    bpf_perf_event_output(context, &records, BPF_F_CURRENT_CPU, &sample, sizeof(sample));
    return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
