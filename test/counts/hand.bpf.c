// Hand-written C programs, equivalent to the scripts of this folder and named after them. If a script has a second
// probe, NAME_end is its program.
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>

#define COMM_LENGTH 16
#define TEXT_LENGTH 64
#define GETPPID 110

struct comm {
    char text[COMM_LENGTH];
};

struct text {
    char text[TEXT_LENGTH];
};

struct thread {
    __u32 pid, tid;
};

struct sum {
    __u64 count;
    __s64 sum, wraps;
};

struct deviation {
    __u64 count;
    __s64 sum, wraps;
    __u64 squares, squares_high;
};

struct stack_key {
    __u32 process;
    __s32 stack;
};

#define MAP(name, kind, entries, k, v)                                                                                 \
    struct {                                                                                                           \
        __uint(type, BPF_MAP_TYPE_##kind);                                                                             \
        __uint(max_entries, entries);                                                                                  \
        __type(key, k);                                                                                                \
        __type(value, v);                                                                                              \
    } name SEC(".maps")

MAP(totals, PERCPU_ARRAY, 128, __u32, __u64);
MAP(averages, PERCPU_ARRAY, 1, __u32, struct sum);
MAP(deviations, PERCPU_ARRAY, 1, __u32, struct deviation);
MAP(by_comm, PERCPU_HASH, 10240, struct comm, __u64);
MAP(by_thread, PERCPU_HASH, 10240, struct thread, __u64);
MAP(by_text, PERCPU_HASH, 10240, struct text, __u64);
MAP(by_stack, PERCPU_HASH, 10240, struct stack_key, __u64);
MAP(by_number, PERCPU_HASH, 10240, __u32, __u64);
MAP(elements, HASH, 10240, __u32, __u64);

struct {
    __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, int);
    __type(value, __u64);
} notes SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
    __uint(key_size, sizeof(__u32));
    __uint(value_size, sizeof(__u32));
} records SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_STACK_TRACE);
    __uint(max_entries, 4096);
    __uint(key_size, sizeof(__u32));
    __uint(value_size, 100 * sizeof(__u64));
} stacks SEC(".maps");

// The context of the raw tracepoints: sys_enter has (registers, number), sys_exit has (registers, result).
struct call {
    struct pt_regs* registers;
    __u64 number;
};

struct task_struct {
    char comm[COMM_LENGTH] __attribute__((aligned(8)));
} __attribute__((preserve_access_index));

__u64 x;

#define PROBE(name) SEC("raw_tp/" #name) int name(struct call* context)
#define ONLY_GETPPID                                                                                                   \
    if (context->number != GETPPID)                                                                                    \
    return 0

static __always_inline struct pt_regs* registers(void)
{
    return (struct pt_regs*)bpf_task_pt_regs(bpf_get_current_task_btf());
}

static __always_inline __u64* total(__u32 number)
{
    return bpf_map_lookup_elem(&totals, &number);
}

static __always_inline int add_total(__u32 number, __u64 amount)
{
    __u64* sum = total(number);

    if (sum)
        *sum += amount;
    return 0;
}

static __always_inline int add(void* map, const void* key, __u64 amount)
{
    __u64* sum = bpf_map_lookup_elem(map, key);

    if (sum)
        *sum += amount;
    else
        bpf_map_update_elem(map, key, &amount, BPF_NOEXIST);
    return 0;
}

static __always_inline int set(__u32 key, __u64 value)
{
    __u64* element = bpf_map_lookup_elem(&elements, &key);

    if (element)
        *element = value;
    else
        bpf_map_update_elem(&elements, &key, &value, BPF_ANY);
    return 0;
}

static __always_inline void load(void* to, __u32 size, __u64 from)
{
    bpf_probe_read_kernel(to, size, (const void*)from);
}

PROBE(count)
{
    ONLY_GETPPID;
    return add_total(0, 1);
}

PROBE(count_execname)
{
    struct comm key;

    ONLY_GETPPID;
    bpf_get_current_comm(key.text, sizeof(key.text));
    return add(&by_comm, &key, 1);
}

PROBE(count_thread)
{
    struct thread key;
    __u64 id;

    ONLY_GETPPID;
    id = bpf_get_current_pid_tgid();
    key.pid = id >> 32;
    key.tid = id;
    return add(&by_thread, &key, registers()->rsi);
}

PROBE(quantize)
{
    __u64 value;
    __u32 bucket = 0;

    ONLY_GETPPID;
    value = registers()->rdi;
    for (int bits = 32; bits > 0; bits /= 2)
        if (value >> bits) {
            value >>= bits;
            bucket += bits;
        }
    return add_total(bucket, 1);
}

PROBE(lquantize)
{
    __s64 value;

    ONLY_GETPPID;
    value = registers()->rdi;
    return add_total(value < 0 ? 0 : value >= 100 ? 11 : 1 + (__u32)value / 10, 1);
}

PROBE(average)
{
    __u32 zero = 0;
    struct sum* sum;

    ONLY_GETPPID;
    sum = bpf_map_lookup_elem(&averages, &zero);
    if (sum) {
        __s64 value = registers()->rdi, before = sum->sum, after = (__u64)before + value;

        sum->count++;
        sum->sum = after;
        if (value < 0 ? after > before : after < before)
            sum->wraps += value < 0 ? -1 : 1;
    }
    return 0;
}

PROBE(average_small)
{
    __u32 zero = 0;
    struct sum* sum;

    ONLY_GETPPID;
    sum = bpf_map_lookup_elem(&averages, &zero);
    if (sum) {
        sum->count++;
        sum->sum += (short)registers()->rdi;
    }
    return 0;
}

PROBE(deviation)
{
    __u32 zero = 0;
    struct deviation* d;
    __s64 value, before, after;
    __u64 square;

    ONLY_GETPPID;
    d = bpf_map_lookup_elem(&deviations, &zero);
    if (!d)
        return 0;
    value = (int)registers()->rdi;
    before = d->sum;
    after = (__u64)before + value;
    d->count++;
    d->sum = after;
    if (value < 0 ? after > before : after < before)
        d->wraps += value < 0 ? -1 : 1;
    square = value * value;
    d->squares += square;
    if (d->squares < square)
        d->squares_high++;
    return 0;
}

PROBE(extremes)
{
    __s64 value, *least, *most;

    ONLY_GETPPID;
    value = registers()->rdi;
    least = (__s64*)total(0);
    if (least && value < *least)
        *least = value;
    most = (__s64*)total(1);
    if (most && value > *most)
        *most = value;
    return 0;
}

PROBE(latency)
{
    __u64* start;

    ONLY_GETPPID;
    start = bpf_task_storage_get(&notes, (void*)bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
    if (start)
        *start = bpf_ktime_get_ns();
    return 0;
}

SEC("raw_tp/sys_exit")
int latency_end(struct call* context)
{
    __u64* start;

    if (context->registers->orig_rax != GETPPID)
        return 0;
    start = bpf_task_storage_get(&notes, (void*)bpf_get_current_task_btf(), 0, 0);
    if (start && *start) {
        add_total(0, bpf_ktime_get_ns() - *start);
        *start = 0;
    }
    return 0;
}

PROBE(global)
{
    ONLY_GETPPID;
    x++;
    return 0;
}

PROBE(maximum)
{
    __u64 value;

    ONLY_GETPPID;
    value = registers()->rdi;
    if (value > x)
        x = value;
    return 0;
}

PROBE(element)
{
    ONLY_GETPPID;
    return set(bpf_get_current_pid_tgid(), bpf_ktime_get_ns());
}

PROBE(element_add)
{
    __u32 key;

    ONLY_GETPPID;
    key = bpf_get_current_pid_tgid();
    return add(&elements, &key, 1);
}

PROBE(element_if)
{
    __u32 key;
    __u64* element;

    ONLY_GETPPID;
    key = bpf_get_current_pid_tgid();
    element = bpf_map_lookup_elem(&elements, &key);
    if (element && *element)
        *element = bpf_ktime_get_ns();
    return 0;
}

PROBE(element_twice)
{
    __u32 key;
    __u64* element;

    ONLY_GETPPID;
    key = bpf_get_current_pid_tgid();
    element = bpf_map_lookup_elem(&elements, &key);
    if (element && (__s64)*element > 10)
        add_total(0, *element);
    return 0;
}

SEC("raw_tp/sys_exit")
int element_twice_end(struct call* context)
{
    if (context->registers->orig_rax != GETPPID)
        return 0;
    return set(bpf_get_current_pid_tgid(), 1);
}

PROBE(thread_add)
{
    __s64 *calls, *most;

    ONLY_GETPPID;
    calls = bpf_task_storage_get(&notes, (void*)bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
    if (!calls)
        return 0;
    ++*calls;
    most = (__s64*)total(0);
    if (most && *calls > *most)
        *most = *calls;
    return 0;
}

PROBE(reject_pid)
{
    ONLY_GETPPID;
    if (bpf_get_current_pid_tgid() >> 32 != 1)
        return 0;
    return add_total(0, 1);
}

PROBE(reject_name)
{
    struct task_struct* task;

    ONLY_GETPPID;
    task = bpf_get_current_task_btf();
    if (*(__u64*)task->comm << 8 != 0x686375736f6eULL << 8) // "nosuch" and its NUL
        return 0;
    return add_total(0, 1);
}

PROBE(accept_not_name)
{
    struct task_struct* task;

    ONLY_GETPPID;
    task = bpf_get_current_task_btf();
    if (((__u64*)task->comm)[0] == 0x6e20676e6f6c2061ULL && *(__u32*)(task->comm + 8) == 0x656d61)
        return 0;
    return add_total(0, 1);
}

PROBE(and_chain)
{
    struct pt_regs* arguments;

    ONLY_GETPPID;
    arguments = registers();
    if (arguments->rdi != 1 || arguments->rsi != 2 || arguments->rdx != 3 || arguments->r10 != 4)
        return 0;
    return add_total(0, 1);
}

PROBE(argument_twice)
{
    struct pt_regs* arguments;

    ONLY_GETPPID;
    arguments = registers();
    if (arguments->rdi != 1)
        add_total(0, 1);
    if (arguments->rdi != 2)
        add_total(1, 1);
    return 0;
}

PROBE(copied_key)
{
    struct text key = {};

    ONLY_GETPPID;
    bpf_probe_read_user_str(key.text, sizeof(key.text), (const void*)registers()->rsi);
    return add(&by_text, &key, 1);
}

PROBE(record_one)
{
    struct {
        __u64 probe;
        __u32 pid, pad;
    } sample = {};

    ONLY_GETPPID;
    sample.probe = 1;
    sample.pid = bpf_get_current_pid_tgid() >> 32;
    bpf_perf_event_output(context, &records, BPF_F_CURRENT_CPU, &sample, sizeof(sample));
    return 0;
}

PROBE(record_six)
{
    struct {
        __u64 probe, time, argument;
        __u32 pid, tid, cpu, pad;
        char comm[COMM_LENGTH];
    } sample = {};
    __u64 id;

    ONLY_GETPPID;
    id = bpf_get_current_pid_tgid();
    sample.probe = 1;
    sample.pid = id >> 32;
    sample.tid = id;
    sample.cpu = bpf_get_smp_processor_id();
    sample.time = bpf_ktime_get_ns();
    sample.argument = registers()->rdi;
    bpf_get_current_comm(sample.comm, sizeof(sample.comm));
    bpf_perf_event_output(context, &records, BPF_F_CURRENT_CPU, &sample, sizeof(sample));
    return 0;
}

PROBE(kernel_stack)
{
    struct stack_key key = {};

    ONLY_GETPPID;
    key.stack = bpf_get_stackid(context, &stacks, 3);
    return add(&by_stack, &key, 1);
}

PROBE(user_stack)
{
    struct stack_key key;

    ONLY_GETPPID;
    key.process = bpf_get_current_pid_tgid() >> 32;
    key.stack = bpf_get_stackid(context, &stacks, BPF_F_USER_STACK);
    return add(&by_stack, &key, 1);
}

PROBE(chain)
{
    __u64 host = 0, number = 0;

    ONLY_GETPPID;
    load(&host, sizeof(host), registers()->rdi + 8);
    load(&number, sizeof(number), host + 8);
    return add_total(0, number);
}

struct packet {
    __u32 length, data_length;
    __u16 mac, hash;
    __u32 protocol;
};

PROBE(members)
{
    struct packet packet = {};

    ONLY_GETPPID;
    load(&packet, sizeof(packet), registers()->rdi + 16);
    return add_total(0, packet.length + packet.data_length + packet.mac + packet.hash + packet.protocol);
}

PROBE(member_filter)
{
    struct packet packet = {};

    ONLY_GETPPID;
    load(&packet, sizeof(packet), registers()->rdi + 16);
    if (packet.length <= 100 || packet.protocol != 8)
        return 0;
    return add_total(0, 1);
}

PROBE(divide)
{
    __s64 value;

    ONLY_GETPPID;
    value = registers()->rdi; // BPF has unsigned division only
    return add_total(0, value < 0 ? -(-(__u64)value / 1000) : (__u64)value / 1000);
}

PROBE(modulo)
{
    __u32 key;

    ONLY_GETPPID;
    key = registers()->rdi % 16;
    return add(&by_number, &key, 1);
}

PROBE(ten_clauses)
{
    ONLY_GETPPID;
#pragma unroll
    for (int i = 0; i < 10; i++)
        add_total(i, 1);
    return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
