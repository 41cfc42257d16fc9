// Where members of the kernel's struct task_struct are.
//
// What nearly every script asks about the current thread (its ids, its name) is in its task_struct, and a load from there is much cheaper
// than a call of the kernel's helper. Parsing the kernel's type information for three offsets would take 20 ms and 13 MB.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace dt {

/// Byte offsets of the members of task_struct that stand in it directly and are no bit-fields, by name; empty when the BTF file at `path`
/// cannot be read or has no such struct. One pass over the file's type section, about 3 ms for the core kernel.
std::map<std::string, uint32_t, std::less<>> read_task_layout(const char* path);

} // namespace dt
