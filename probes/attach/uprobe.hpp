// Common functions and messages of the mechanisms that attach to instructions of files.
#pragma once

#include <string>

#include "probes/attach/attach.hpp"

namespace dt::probes {

/// Returns a text with the reason for an errno that the kernel returned for a uprobe.
std::string why_no_uprobe(int code);

/// Returns whether the errno means that the process has ended. ENOENT can mean that, because paths to a process's files
/// contain its pid.
bool is_process_gone(int code);

/// Attaches a program loaded for uprobe.multi to an instruction of a file, for a single process. Returns null and sets
/// errno on failure.
std::unique_ptr<Attachment> attach_uprobe(int program, const std::string& file, uint64_t offset, int64_t process);

/// Returns whether the kernel supports uprobe.multi links. `program` must be loaded for them.
bool knows_uprobe_multi(int program);

/// Returns the name of a target for messages: its probe's name, or its file's name if it has no probe.
std::string name_of(const AttachTarget& target);

} // namespace dt::probes
