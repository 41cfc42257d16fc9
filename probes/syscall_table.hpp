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

/// A call that 32-bit programs make.
struct NarrowSyscall {
    uint32_t number = 0;
    std::string_view name;
};

/// Every call of them whose number means another to 64-bit programs, by number; empty on machines without such programs.
std::span<const NarrowSyscall> narrow_syscall_table();

/// By its name; null: there is none.
const SyscallEntry* find_syscall(std::string_view name);

/// The kernel's own name for a call that users know by another (providers reference 6.1: stat is newstat), or `name` itself.
std::string_view canonical_syscall(std::string_view name);

/// Is this parameter type a pointer (every pointer given to a system call is a user-space one)?
bool is_user_pointer(std::string_view type);

} // namespace dt::probes
