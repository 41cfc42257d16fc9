// Hand-written programs, as fast as possible, for the rows about all system calls and about functions. The hand-written
// programs of the cost table are in cost/.
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define COMM_LENGTH 16

struct key {
    __u64 comm[COMM_LENGTH / 8];
};

// Members of kernel structures that the hand-written programs read. CO-RE relocates their offsets when a program is
// loaded.
struct task_struct {
    char comm[COMM_LENGTH];
} __attribute__((preserve_access_index));

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

static __always_inline void add(void* map, const void* key, __u64 amount)
{
    __u64* sum = bpf_map_lookup_elem(map, key);

    if (sum)
        *sum += amount;
    else
        bpf_map_update_elem(map, key, &amount, BPF_NOEXIST);
}

// Empty program, which measures the cost of being attached.
SEC("raw_tp/sys_enter")
int empty(void* context)
{
    return 0;
}

// C program for the D clause syscall:::entry { @[execname] = count(); }
SEC("raw_tp/sys_enter")
int by_comm(void* context)
{
    struct task_struct* task = bpf_get_current_task_btf();
    struct key key;

    key.comm[0] = *(__u64*)task->comm;
    key.comm[1] = *(__u64*)(task->comm + 8);
    add(&counts, &key, 1);
    return 0;
}

// C program for the D clause syscall:::entry /pid == 1/ { @ = count(); }
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

// C program for the D clause fbt::__task_pid_nr_ns:entry { @ = count(); }. The system call getppid calls this function.
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

// C program for the D clause pid$target:a.out:hot_function:entry { @ = count(); }
SEC("uprobe")
int user_function(void* context)
{
    return count_one();
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
