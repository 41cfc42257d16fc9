/* Hand-written filters on kernel events: typed tracepoints, whose structures can be read without a helper. Each filter
 * exists twice: one program counts the passing events, the other one records them. A third, empty program shows the
 * cost of attaching and of the measurement itself. */
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>

#include "test/bench/filters/event.h"

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
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 4 << 20); /* size of an mmap ring */
} lane SEC(".maps");

/* If nonzero, records go through a ring buffer, else through perf buffers. The loader sets it before loading. */
const volatile int through_lane = 0;

/* process_vm_writev: six arguments, and very few programs call it. */
#define CHAIN_CALL 311

struct chain_source {
    struct pt_regs registers;
};

static inline __attribute__((always_inline)) long long chain_word(const struct chain_source* source, int word)
{
    switch (word) {
    case 0:
        return source->registers.rdi;
    case 1:
        return source->registers.rsi;
    case 2:
        return source->registers.rdx;
    case 3:
        return source->registers.r10;
    case 4:
        return source->registers.r8;
    default:
        return source->registers.r9;
    }
}

#include "test/bench/filters/predicates.h"

/* Members of kernel structures that the filters read. CO-RE relocates their offsets when a program is loaded. */
struct net_device {
    char name[DT_NAME_LENGTH];
} __attribute__((preserve_access_index));

struct sk_buff {
    struct net_device* dev;
    unsigned int len;
    __be16 protocol;
} __attribute__((preserve_access_index));

struct task_struct {
    char comm[DT_NAME_LENGTH] __attribute__((aligned(4)));
} __attribute__((preserve_access_index));

struct enter {
    const struct chain_source* registers;
    __u64 number;
};

struct receive {
    const struct sk_buff* buffer;
};

struct change {
    __u64 preempted;
    const struct task_struct *before, *after;
    __u64 state;
};

static __always_inline int count(void)
{
    __u32 zero = 0;
    __u64* sum = bpf_map_lookup_elem(&total, &zero);

    if (sum)
        *sum += 1;
    return 0;
}

/* Records the value with its probe's id and its statement's id. A perf buffer adds the time to each record. For a ring
 * buffer, the record itself includes the time, and the reader is woken after a watermark. */
static __always_inline int record(void* context, __u64 value)
{
    struct {
        __u32 size, speculation, probe, statement;
        __u64 value, time;
    } sample = {sizeof(sample) - sizeof(sample.time), 0, 1, 1, value, 0};

    if (through_lane) {
        sample.time = bpf_ktime_get_ns();
        bpf_ringbuf_output(&lane, &sample, sizeof(sample),
                           bpf_ringbuf_query(&lane, BPF_RB_AVAIL_DATA) >= 65536 ? BPF_RB_FORCE_WAKEUP
                                                                                : BPF_RB_NO_WAKEUP);
        return 0;
    }
    bpf_perf_event_output(context, &records, BPF_F_CURRENT_CPU, &sample, sizeof(sample) - sizeof(sample.time));
    return 0;
}

static __always_inline int is_packet(const struct receive* event)
{
    const struct sk_buff* buffer = event->buffer;
    const struct net_device* device = buffer->dev;

    return device->name[0] == 'l' && device->name[1] == 'o' && device->name[2] == 0 &&
           buffer->protocol == DT_PACKET_PROTOCOL && buffer->len > DT_PACKET_LENGTH;
}

static __always_inline int is_switch(const struct change* event)
{
    return *(const __u32*)event->before->comm == 0x746c6966 /* "filt" */ && (__u32)event->state == DT_SWITCH_STATE;
}

SEC("tp_btf/sys_enter")
int chain_empty(void* event)
{
    return 0;
}

SEC("tp_btf/sys_enter")
int chain_0_count(struct enter* event)
{
    return event->number == CHAIN_CALL ? count() : 0;
}

SEC("tp_btf/sys_enter")
int chain_1_count(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_1(event->registers) ? count() : 0;
}

SEC("tp_btf/sys_enter")
int chain_2_count(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_2(event->registers) ? count() : 0;
}

SEC("tp_btf/sys_enter")
int chain_4_count(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_4(event->registers) ? count() : 0;
}

SEC("tp_btf/sys_enter")
int chain_8_count(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_8(event->registers) ? count() : 0;
}

SEC("tp_btf/sys_enter")
int chain_16_count(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_16(event->registers) ? count() : 0;
}

SEC("tp_btf/sys_enter")
int chain_0_record(struct enter* event)
{
    return event->number == CHAIN_CALL ? record(event, chain_word(event->registers, 0)) : 0;
}

SEC("tp_btf/sys_enter")
int chain_1_record(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_1(event->registers) ? record(event, chain_word(event->registers, 0))
                                                                    : 0;
}

SEC("tp_btf/sys_enter")
int chain_2_record(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_2(event->registers) ? record(event, chain_word(event->registers, 0))
                                                                    : 0;
}

SEC("tp_btf/sys_enter")
int chain_4_record(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_4(event->registers) ? record(event, chain_word(event->registers, 0))
                                                                    : 0;
}

SEC("tp_btf/sys_enter")
int chain_8_record(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_8(event->registers) ? record(event, chain_word(event->registers, 0))
                                                                    : 0;
}

SEC("tp_btf/sys_enter")
int chain_16_record(struct enter* event)
{
    return event->number == CHAIN_CALL && chain_16(event->registers) ? record(event, chain_word(event->registers, 0))
                                                                     : 0;
}

SEC("tp_btf/netif_receive_skb")
int packet_empty(void* event)
{
    return 0;
}

SEC("tp_btf/netif_receive_skb")
int packet_0_count(struct receive* event)
{
    return count();
}

SEC("tp_btf/netif_receive_skb")
int packet_count(struct receive* event)
{
    return is_packet(event) ? count() : 0;
}

SEC("tp_btf/netif_receive_skb")
int packet_0_record(struct receive* event)
{
    return record(event, event->buffer->len);
}

SEC("tp_btf/netif_receive_skb")
int packet_record(struct receive* event)
{
    return is_packet(event) ? record(event, event->buffer->len) : 0;
}

SEC("tp_btf/sched_switch")
int switch_empty(void* event)
{
    return 0;
}

SEC("tp_btf/sched_switch")
int switch_0_count(struct change* event)
{
    return count();
}

SEC("tp_btf/sched_switch")
int switch_count(struct change* event)
{
    return is_switch(event) ? count() : 0;
}

SEC("tp_btf/sched_switch")
int switch_0_record(struct change* event)
{
    return record(event, (__u32)event->state);
}

SEC("tp_btf/sched_switch")
int switch_record(struct change* event)
{
    return is_switch(event) ? record(event, (__u32)event->state) : 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
