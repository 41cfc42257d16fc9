// What a careful person would write by hand for the scripts that the bench measures: the yardstick of the cost per event.
#include <linux/bpf.h>
#include <linux/ptrace.h>

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

struct {
    __uint(type, BPF_MAP_TYPE_STACK_TRACE);
    __uint(max_entries, 4096);
    __uint(key_size, sizeof(__u32));
    __uint(value_size, 20 * sizeof(__u64));
} kernel_stacks SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_STACK_TRACE);
    __uint(max_entries, 4096);
    __uint(key_size, sizeof(__u32));
    __uint(value_size, 100 * sizeof(__u64));
} user_stacks SEC(".maps");

// A process or 0, and the number of a stack.
struct stack_key {
    __u32 process;
    __s32 stack;
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 10240);
    __type(key, struct stack_key);
    __type(value, __u64);
} counts_by_stack SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 10240);
    __type(key, __u32);
    __type(value, __u64);
} times SEC(".maps");

struct thread {
    __u32 pid, tid;
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 10240);
    __type(key, struct thread);
    __type(value, __u64);
} sums SEC(".maps");

#define TEXT_LENGTH 64

struct text {
    char text[TEXT_LENGTH];
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 10240);
    __type(key, struct text);
    __type(value, __u64);
} counts_by_text SEC(".maps");

// The arguments of the raw tracepoint sys_enter: registers, number.
struct enter {
    __u64 registers, number;
};

// What of a task is read here; its place is found when the program is loaded.
struct task_struct {
    char comm[COMM_LENGTH];
} __attribute__((preserve_access_index));

#define GETPPID 110

static __always_inline void add(void* map, const void* key, __u64 amount)
{
    __u64* sum = bpf_map_lookup_elem(map, key);

    if (sum)
        *sum += amount;
    else
        bpf_map_update_elem(map, key, &amount, BPF_NOEXIST);
}

// The second argument of the system call.
static __always_inline __u64 argument1(void)
{
    struct pt_regs* registers = (struct pt_regs*)bpf_task_pt_regs(bpf_get_current_task_btf());

    return registers->rsi;
}

// Nothing at all: what attaching costs.
SEC("raw_tp/sys_enter")
int empty(void* context)
{
    return 0;
}

// syscall:::entry { @[execname] = count(); }
SEC("raw_tp/sys_enter")
int by_comm(void* context)
{
    struct key key;

    bpf_get_current_comm(key.comm, sizeof(key.comm));
    add(&counts, &key, 1);
    return 0;
}

// syscall:::entry /pid == 1/ { @ = count(); }
SEC("raw_tp/sys_enter")
int reject(void* context)
{
    __u32 zero = 0;
    __u64* count;

    if (bpf_get_current_pid_tgid() >> 32 != 1)
        return 0;
    count = bpf_map_lookup_elem(&total, &zero);
    if (count)
        *count += 1;
    return 0;
}

// syscall::getppid:entry { printf("%d %s\n", pid, execname); }
SEC("raw_tp/sys_enter")
int record(struct enter* context)
{
    struct {
        __u64 probe;
        __u32 pid, pad;
        char comm[COMM_LENGTH];
    } sample = {};

    if (context->number != GETPPID)
        return 0;
    sample.probe = 1;
    sample.pid = bpf_get_current_pid_tgid() >> 32;
    bpf_get_current_comm(sample.comm, sizeof(sample.comm));
    bpf_perf_event_output(context, &records, BPF_F_CURRENT_CPU, &sample, sizeof(sample));
    return 0;
}

// syscall::getppid:entry { @[stack()] = count(); }, without the tracer's own frames
SEC("raw_tp/sys_enter")
int by_stack(struct enter* context)
{
    struct stack_key key = {};

    if (context->number != GETPPID)
        return 0;
    key.stack = bpf_get_stackid(context, &kernel_stacks, 3);
    add(&counts_by_stack, &key, 1);
    return 0;
}

// syscall::getppid:entry { @[ustack()] = count(); }
SEC("raw_tp/sys_enter")
int by_ustack(struct enter* context)
{
    struct stack_key key;

    if (context->number != GETPPID)
        return 0;
    key.process = bpf_get_current_pid_tgid() >> 32;
    key.stack = bpf_get_stackid(context, &user_stacks, BPF_F_USER_STACK);
    add(&counts_by_stack, &key, 1);
    return 0;
}

// syscall::getppid:entry { a[tid] = timestamp; }
SEC("raw_tp/sys_enter")
int store(struct enter* context)
{
    __u32 tid;
    __u64 now, *time;

    if (context->number != GETPPID)
        return 0;
    tid = bpf_get_current_pid_tgid();
    now = bpf_ktime_get_ns();
    time = bpf_map_lookup_elem(&times, &tid);
    if (time)
        *time = now;
    else
        bpf_map_update_elem(&times, &tid, &now, BPF_ANY);
    return 0;
}

// syscall::getppid:entry { @[pid, tid] = sum(arg1); }
SEC("raw_tp/sys_enter")
int sum_by_thread(struct enter* context)
{
    struct thread key;
    __u64 id;

    if (context->number != GETPPID)
        return 0;
    id = bpf_get_current_pid_tgid();
    key.pid = id >> 32;
    key.tid = id;
    add(&sums, &key, argument1());
    return 0;
}

// syscall::getppid:entry { @[copyinstr(arg1)] = count(); }, of at most 63 characters
SEC("raw_tp/sys_enter")
int by_text(struct enter* context)
{
    struct text key = {};

    if (context->number != GETPPID)
        return 0;
    bpf_probe_read_user_str(key.text, sizeof(key.text), (const void*)argument1());
    add(&counts_by_text, &key, 1);
    return 0;
}

// syscall::getppid:entry /execname == "nosuch"/ { @ = count(); }
SEC("raw_tp/sys_enter")
int reject_name(struct enter* context)
{
    struct task_struct* task;
    __u32 zero = 0;
    __u64* count;

    if (context->number != GETPPID)
        return 0;
    task = bpf_get_current_task_btf();
    if (*(__u64*)task->comm << 8 != 0x686375736f6eULL << 8) // "nosuch" and its NUL
        return 0;
    count = bpf_map_lookup_elem(&total, &zero);
    if (count)
        *count += 1;
    return 0;
}

// fbt::__task_pid_nr_ns:entry { @ = count(); }: what getppid calls
static __always_inline int count_one(void)
{
    __u32 zero = 0;
    __u64* count = bpf_map_lookup_elem(&total, &zero);

    if (count)
        *count += 1;
    return 0;
}

SEC("kprobe/__task_pid_nr_ns")
int function_by_kprobe(void* context)
{
    return count_one();
}

SEC("kprobe.multi/__task_pid_nr_ns")
int function_by_multi(void* context)
{
    return count_one();
}

SEC("fentry/__task_pid_nr_ns")
int function_by_fentry(void* context)
{
    return count_one();
}

SEC("kretprobe/__task_pid_nr_ns")
int return_by_kprobe(void* context)
{
    return count_one();
}

SEC("kretprobe.multi/__task_pid_nr_ns")
int return_by_multi(void* context)
{
    return count_one();
}

SEC("fexit/__task_pid_nr_ns")
int return_by_fexit(void* context)
{
    return count_one();
}

// pid$target:a.out:hot_function:entry { @ = count(); }
SEC("uprobe")
int user_function(void* context)
{
    return count_one();
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
