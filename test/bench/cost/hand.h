/* Shared declarations of the cost table's hand-written programs. A program's result is in the map or variable
 * `result`; records go into the map `records`. */
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>

/* Number of getppid(2). `bench --check` uses programs that were built for another system call, which no other process
   makes. */
#ifndef TRACED_CALL
#define TRACED_CALL 110
#endif

#define COMM_LENGTH 16

/* Arguments of the tracepoints with their BTF types, so that registers can be read without a helper. */
struct enter {
    struct pt_regs* registers;
    __u64 number;
};

struct leave {
    struct pt_regs* registers;
    __s64 result;
};

/* Members of kernel structures that the hand-written programs read. CO-RE relocates their offsets when a program is
   loaded. */
struct signal_struct {
    int nr_threads;
} __attribute__((preserve_access_index));

struct task_struct {
    char comm[COMM_LENGTH];
    int pid, tgid;
    struct task_struct *real_parent, *group_leader;
    struct signal_struct* signal;
} __attribute__((preserve_access_index));

/*
 * If PROMISED is defined, a hand-written program also gives the guarantees that D gives for every firing. Before
 * tracing has begun and after it has ended, the program does nothing. It does not mistake a system call of a 32-bit
 * program for the 64-bit call with the same number. A row's own file may add further guarantees. The measured cost of
 * such a program is the minimum for these guarantees.
 */
#ifdef PROMISED
__u32 active = 1;
#endif

static __always_inline int is_traced(const struct pt_regs* registers, __u64 number)
{
    if (number != TRACED_CALL)
        return 0;
#ifdef PROMISED
    return active == 1 && registers->rip == registers->rcx; /* 64-bit: SYSCALL has put the return address in rcx */
#else
    return 1;
#endif
}

/* Adds 1 to the current CPU's value of the map's only element. */
static __always_inline void add_to_first(void* map)
{
    __u32 zero = 0;
    __u64* sum = bpf_map_lookup_elem(map, &zero);

    if (sum)
        *sum += 1;
}

static __always_inline void add(void* map, const void* key, __u64 amount)
{
    __u64* sum = bpf_map_lookup_elem(map, key);

    if (sum)
        *sum += amount;
    else
        bpf_map_update_elem(map, key, &amount, BPF_NOEXIST);
}

/* Returns the position of the highest set bit, computed without branches; returns 0 for the value 0. */
static __always_inline __u32 highest_bit(__u64 value)
{
    __u32 bit = (value > 0xffffffff) << 5, part;

    value >>= bit;
    part = (value > 0xffff) << 4;
    value >>= part;
    bit |= part;
    part = (value > 0xff) << 3;
    value >>= part;
    bit |= part;
    part = (value > 0xf) << 2;
    value >>= part;
    bit |= part;
    part = (value > 0x3) << 1;
    value >>= part;
    bit |= part;
    return bit | value >> 1;
}

#define ZERO_BUCKET 64
#define BUCKETS 128

/* Returns the index of a value's power-of-two bucket; negative values are below ZERO_BUCKET, positive ones above it. */
static __always_inline __u32 power_bucket(__s64 value)
{
    if (value == 0)
        return ZERO_BUCKET;
    if (value < 0)
        return ZERO_BUCKET - 1 - highest_bit(-(__u64)value);
    return ZERO_BUCKET + 1 + highest_bit(value);
}

static __always_inline void add_to_bucket(void* map, __u32 bucket)
{
    __u64* count = bpf_map_lookup_elem(map, &bucket);

    if (count)
        *count += 1;
}

#ifdef PROMISED
/* Report of memory that cannot be read. dtrace reports such faults too. */
struct fault {
    __u64 kind, probe, clause, action, address, pc, code;
};

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 1 << 16);
} faults SEC(".maps");

static __noinline int tell(void* context, struct fault* fault)
{
    if (fault)
        bpf_ringbuf_output(&faults, fault, sizeof(*fault), 0);
    return context != 0;
}

static __always_inline void tell_of_fault(void* context, const void* address)
{
    struct fault fault = {.kind = 1, .address = (__u64)address};

    tell(context, &fault);
}
#endif

char LICENSE[] SEC("license") = "Dual BSD/GPL";
