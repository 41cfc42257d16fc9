// What kprobes and uprobes that are attached one by one have in common: a perf event each, opened at its place.
#pragma once

#include <cstdint>
#include <string_view>

struct bpf_link;
struct bpf_program;
struct perf_event_attr;

namespace dt::probes {

/// Of a kernel without CONFIG_KPROBES, when nothing newer serves in their place.
inline constexpr std::string_view kNoKprobes =
    "this kernel has no kprobes, and no fentry that could serve: see dtrace --doctor";

/// The number by which perf events mean probes of this kind ("kprobe", "uprobe"); 0: the kernel has none.
uint32_t probe_event_type(const char* kind);

/// Opens the event, in one process or (-1) in all, and attaches the program to it. Null with errno.
bpf_link* attach_probe_event(bpf_program* program, perf_event_attr& attr, int process, uint64_t cookie);

} // namespace dt::probes
