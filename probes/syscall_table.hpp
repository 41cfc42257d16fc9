// System calls by number and name: the table that makes one program per direction serve every syscall probe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace dt::probes {

struct SyscallEntry {
    uint32_t number = 0;
    std::string_view name;
    bool everywhere = true;                     ///< in every supported kernel (5.15 on)
    std::array<std::string_view, 6> parameters; ///< C types; empty behind the last
    std::size_t parameter_count() const;
};

/// Every call of this machine's native 64-bit interface, by number.
std::span<const SyscallEntry> syscall_table();

/// The kernel's own name for a call that users know by another (providers reference 6.1: stat is newstat), or `name` itself.
std::string_view canonical_syscall(std::string_view name);

/// Is this parameter type a pointer (every pointer given to a system call is a user-space one)?
bool is_user_pointer(std::string_view type);

} // namespace dt::probes
