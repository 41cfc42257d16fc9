/* Hand-written filters for the BPF virtual machine in user space. Their context is the event itself. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "test/bench/filters/flat.h"

SEC("socket")
int flat_chain_1(const void* event)
{
    return chain_1(event);
}

SEC("socket")
int flat_chain_2(const void* event)
{
    return chain_2(event);
}

SEC("socket")
int flat_chain_4(const void* event)
{
    return chain_4(event);
}

SEC("socket")
int flat_chain_8(const void* event)
{
    return chain_8(event);
}

SEC("socket")
int flat_chain_16(const void* event)
{
    return chain_16(event);
}

SEC("socket")
int flat_packet(const void* event)
{
    return packet(event);
}

SEC("socket")
int flat_switch(const void* event)
{
    return task_switch(event);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
