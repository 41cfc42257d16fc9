// What the two ways to attach to instructions of files say to people.
#pragma once

#include <string>

#include "probes/attach/attach.hpp"

namespace dt::probes {

/// Why the kernel answered so when it was asked for a uprobe.
std::string why_no_uprobe(int code);

/// Does that mean that the process has ended? Its file is opened by its number.
bool is_process_gone(int code);

/// A uprobe at an instruction of a file, in one process, for a program that is loaded for uprobe.multi; null with
/// errno.
std::unique_ptr<Attachment> attach_uprobe(int program, const std::string& file, uint64_t offset, int64_t process);

/// Does the kernel have links of many uprobes? `program`: one that is loaded for them.
bool knows_uprobe_multi(int program);

/// Of a target of uprobes: the probe there, or the file.
std::string name_of(const AttachTarget& target);

} // namespace dt::probes
