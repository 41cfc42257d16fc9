// BPF programs of `bench measuring`. "Stopwatches" read the clock before and after another program. The timed program
// is a hand-written version of the measured D clause; a second version also writes a text at its start and end. Other
// programs count the returns of functions.
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define GETPPID 110
#define COMM_LENGTH 16

// Process whose calls are counted. The only constant of this file, set by the loader.
const volatile __u32 traced_pid = 0;

struct taken {
    __u64 since, ns, times;
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct taken);
} taken SEC(".maps");

struct key {
    __u64 comm[COMM_LENGTH / 8];
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 10240);
    __type(key, struct key);
    __type(value, __u64);
} counts SEC(".maps");

// Members of kernel structures that the programs read. CO-RE relocates their offsets when a program is loaded.
struct task_struct {
    char comm[COMM_LENGTH];
} __attribute__((preserve_access_index));

static __always_inline int is_traced(void)
{
    return bpf_get_current_pid_tgid() >> 32 == traced_pid;
}

static __always_inline struct taken* stopwatch(void)
{
    __u32 zero = 0;

    return bpf_map_lookup_elem(&taken, &zero);
}

// Starts the time measurement. Reads the clock last, so that the interval contains little of the stopwatch itself.
static __always_inline int begin(void)
{
    struct taken* watch = stopwatch();

    if (watch && is_traced())
        watch->since = bpf_ktime_get_ns();
    return 0;
}

static __always_inline int end(void)
{
    __u64 now = bpf_ktime_get_ns();
    struct taken* watch = stopwatch();

    if (watch && watch->since && is_traced()) {
        watch->ns += now - watch->since;
        watch->times += 1;
        watch->since = 0;
    }
    return 0;
}

static __always_inline int count_return(void)
{
    struct taken* watch = stopwatch();

    if (watch && is_traced())
        watch->times += 1;
    return 0;
}

static __always_inline int count_by_name(void)
{
    struct task_struct* task = bpf_get_current_task_btf();
    struct key key;
    __u64 one = 1, *count;

    key.comm[0] = *(__u64*)task->comm;
    key.comm[1] = *(__u64*)(task->comm + 8);
    count = bpf_map_lookup_elem(&counts, &key);
    if (count)
        *count += 1;
    else
        bpf_map_update_elem(&counts, &key, &one, BPF_NOEXIST);
    return 0;
}

static __always_inline int count_and_print(void)
{
    char first[] = "begin", last[] = "end";

    bpf_trace_printk(first, sizeof first);
    count_by_name();
    bpf_trace_printk(last, sizeof last);
    return 0;
}

// --- programs for the tracepoints of system calls ---

SEC("raw_tp/sys_enter")
int before_enter(struct bpf_raw_tracepoint_args* context)
{
    return context->args[1] == GETPPID ? begin() : 0;
}

SEC("raw_tp/sys_enter")
int after_enter(struct bpf_raw_tracepoint_args* context)
{
    return context->args[1] == GETPPID ? end() : 0;
}

SEC("raw_tp/sys_exit")
int at_exit(void* context)
{
    return end();
}

SEC("raw_tp/sys_enter")
int clause_enter(struct bpf_raw_tracepoint_args* context)
{
    return context->args[1] == GETPPID && is_traced() ? count_by_name() : 0;
}

SEC("raw_tp/sys_enter")
int printed_enter(struct bpf_raw_tracepoint_args* context)
{
    return context->args[1] == GETPPID && is_traced() ? count_and_print() : 0;
}

// --- programs for kprobes on the function that getppid calls ---

SEC("kprobe/__task_pid_nr_ns")
int before_kprobe(void* context)
{
    return begin();
}

SEC("kprobe/__task_pid_nr_ns")
int after_kprobe(void* context)
{
    return end();
}

SEC("kretprobe/__task_pid_nr_ns")
int at_kretprobe(void* context)
{
    return end();
}

SEC("kprobe/__task_pid_nr_ns")
int clause_kprobe(void* context)
{
    return is_traced() ? count_by_name() : 0;
}

SEC("kprobe/__task_pid_nr_ns")
int printed_kprobe(void* context)
{
    return is_traced() ? count_and_print() : 0;
}

// --- programs for trampolines (fentry) on the function that getppid calls ---

SEC("fentry/__task_pid_nr_ns")
int before_fentry(void* context)
{
    return begin();
}

SEC("fentry/__task_pid_nr_ns")
int after_fentry(void* context)
{
    return end();
}

SEC("fexit/__task_pid_nr_ns")
int at_fexit(void* context)
{
    return end();
}

SEC("fentry/__task_pid_nr_ns")
int clause_fentry(void* context)
{
    return is_traced() ? count_by_name() : 0;
}

SEC("fentry/__task_pid_nr_ns")
int printed_fentry(void* context)
{
    return is_traced() ? count_and_print() : 0;
}

// --- programs for the entry and exit of a BPF program that the loader chooses ---

SEC("fentry")
int program_entry(void* context)
{
    return begin();
}

SEC("fexit")
int program_exit(void* context)
{
    return end();
}

// --- programs that count the returns of a function in which threads sleep ---

SEC("kretprobe/__x64_sys_nanosleep")
int returns_kretprobe(void* context)
{
    return count_return();
}

SEC("kretprobe.multi/__x64_sys_nanosleep")
int returns_multi(void* context)
{
    return count_return();
}

SEC("fexit/__x64_sys_nanosleep")
int returns_fexit(void* context)
{
    return count_return();
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
