
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {
namespace {

// clang-format off
constexpr SyscallEntry kTable[] = {
#define DT_SYSCALL(number, name, ...) {number, #name, true, {__VA_ARGS__}},
#define DT_SYSCALL_LATER(number, name, ...) {number, #name, false, {__VA_ARGS__}},
#include "machine/x86_64/syscalls.def"
#undef DT_SYSCALL
#undef DT_SYSCALL_LATER
};
// clang-format on

// clang-format off
constexpr NarrowSyscall kNarrowTable[] = {
#define DT_SYSCALL_32(number, name) {number, #name},
#include "machine/x86_64/compat_syscalls.def"
#undef DT_SYSCALL_32
};
// clang-format on

} // namespace

std::span<const SyscallEntry> syscalls()
{
    return kTable;
}

std::span<const NarrowSyscall> compat_syscalls()
{
    return kNarrowTable;
}

} // namespace dt::machine::x86_64
