// The system-call table. The one question it cannot answer, which of the newer calls a kernel has, is the kernel view's.
#include "probes/syscall_table.hpp"

#include <algorithm>

namespace dt::probes {
namespace {

// clang-format off
constexpr SyscallEntry kTable[] = {
#define DT_SYSCALL(number, name, ...) {number, #name, true, {__VA_ARGS__}},
#define DT_SYSCALL_LATER(number, name, ...) {number, #name, false, {__VA_ARGS__}},
#include "probes/syscalls_x86_64.def"
#undef DT_SYSCALL
#undef DT_SYSCALL_LATER
};
// clang-format on

// clang-format off
constexpr NarrowSyscall kNarrowTable[] = {
#define DT_SYSCALL_32(number, name) {number, #name},
#include "probes/syscalls_i386.def"
#undef DT_SYSCALL_32
};
// clang-format on

constexpr struct {
    std::string_view alias, name;
} kAliases[] = {
    {"stat", "newstat"}, {"fstat", "newfstat"}, {"lstat", "newlstat"}, {"uname", "newuname"}, {"sendfile", "sendfile64"}, {"umount2", "umount"},
};

constexpr std::string_view kPointerTypedefs[] = {"cap_user_header_t", "cap_user_data_t"};

} // namespace

std::size_t SyscallEntry::parameter_count() const
{
    return static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), std::string_view{}) - parameters.begin());
}

std::span<const SyscallEntry> syscall_table()
{
    return kTable;
}

std::span<const NarrowSyscall> narrow_syscall_table()
{
    return kNarrowTable;
}

const SyscallEntry* find_syscall(std::string_view name)
{
    const auto found = std::find_if(std::begin(kTable), std::end(kTable), [&](const SyscallEntry& call) { return call.name == name; });
    return found != std::end(kTable) ? found : nullptr;
}

std::string_view canonical_syscall(std::string_view name)
{
    for (const auto& entry : kAliases)
        if (entry.alias == name)
            return entry.name;
    return name;
}

bool is_user_pointer(std::string_view type)
{
    return type.ends_with('*') || std::find(std::begin(kPointerTypedefs), std::end(kPointerTypedefs), type) != std::end(kPointerTypedefs);
}

} // namespace dt::probes
