// What hooks that are attached one by one have in common: a perf event each, opened at its place.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "probes/attach/attach.hpp"

struct perf_event_attr;

namespace dt::probes {

/// Of a kernel without CONFIG_KPROBES, when nothing newer serves in their place.
inline constexpr std::string_view kNoKprobes =
    "this kernel has no kprobes, and no fentry that could serve: see dtrace --doctor";

/// The number by which perf events mean probes of this kind ("kprobe", "uprobe"); 0: the kernel has none.
uint32_t probe_event_type(const char* kind);

/// Attaches the program to an event that is open, and enables that. The event is the attachment's from now on, or is
/// closed. Null with errno.
std::unique_ptr<Attachment> attach_to_event(int program, int event, uint64_t cookie);

/// Opens the event, in one process or (-1) in all, and attaches the program to it. Null with errno.
std::unique_ptr<Attachment> attach_probe_event(int program, perf_event_attr& attr, int process, uint64_t cookie);

} // namespace dt::probes
