// System calls: the rows of a machine's table, and what is true of them everywhere. Which of the newer calls a kernel
// has is the kernel view's to say.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dt::machine {

struct SyscallEntry {
    uint32_t number = 0;
    std::string_view name;
    bool everywhere = true;                     ///< in every supported kernel (5.15 on)
    std::array<std::string_view, 6> parameters; ///< C types; empty behind the last
    std::size_t parameter_count() const;
};

/// A call that 32-bit programs make.
struct NarrowSyscall {
    uint32_t number = 0;
    std::string_view name;
};

/// A name of a call, and that of the call that is meant by it or used in its place.
struct SyscallName {
    std::string_view name, call;
};

/// Tables indexed by system-call number have this many entries; larger numbers (x32's bit 30, -1 of rt_sigreturn) are
/// nobody's. Those that only 32-bit programs have come behind, by their numbers there; from kSameSyscalls on both have
/// the same (scripts/syscall.tbl).
inline constexpr uint32_t kSyscallBound = 512, kSameSyscalls = 424;

/// Is this parameter type a pointer (every pointer given to a system call is a user-space one)?
bool is_user_pointer(std::string_view type);

} // namespace dt::machine
