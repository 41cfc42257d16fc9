// System calls: the rows of a machine's table, and their common properties. The view of a kernel knows which newer
// calls it has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dt::machine {

struct SyscallEntry {
    uint32_t number = 0;
    std::string_view name;
    bool everywhere = true;                     ///< whether every supported kernel (from 5.15) has it
    std::array<std::string_view, 6> parameters; ///< C types of the parameters; empty after the last
    std::size_t parameter_count() const;
};

/// A system call of 32-bit programs.
struct NarrowSyscall {
    uint32_t number = 0;
    std::string_view name;
};

/// A name of a call, and the call that it means or that replaces it.
struct SyscallName {
    std::string_view name, call;
};

/// Number of entries in tables indexed by system-call number; larger numbers (x32's bit 30, -1 of rt_sigreturn) are not
/// counted. Calls that only 32-bit programs have follow, at their own numbers. From kSameSyscalls on both kinds of
/// programs have the same numbers (scripts/syscall.tbl).
inline constexpr uint32_t kSyscallBound = 512, kSameSyscalls = 424;

/// Returns whether the type is a pointer. All pointer parameters of system calls point to user space.
bool is_user_pointer(std::string_view type);

} // namespace dt::machine
