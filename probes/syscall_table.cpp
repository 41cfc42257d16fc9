// The system-call table and the one question it cannot answer: which of the newer calls this kernel has.
//
// tracefs would tell, but is often not mounted; /proc/kallsyms would tell, but takes 50 ms to read. The kernel's BTF is at hand, is searched in
// 1 ms, and has the name __x64_sys_<call> in its string section for each call that takes arguments.
#include "probes/syscall_table.hpp"

#include <string.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "probes/btf_file.hpp"

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

constexpr struct {
    std::string_view alias, name;
} kAliases[] = {
    {"stat", "newstat"}, {"fstat", "newfstat"}, {"lstat", "newlstat"}, {"uname", "newuname"}, {"sendfile", "sendfile64"}, {"umount2", "umount"},
};

constexpr std::string_view kPointerTypedefs[] = {"cap_user_header_t", "cap_user_data_t"};

/// Names behind "__x64_sys_" in the kernel's BTF.
std::set<std::string, std::less<>> implemented_calls()
{
    static constexpr std::string_view kPrefix = "__x64_sys_";
    std::set<std::string, std::less<>> names;
    const auto kernel = BtfFile::open("/sys/kernel/btf/vmlinux");
    if (!kernel)
        return names;
    const std::string_view strings = kernel.value()->strings();
    const char* at = strings.data();
    const char* const end = at + strings.size();
    // memmem is several times faster than std::string::find here.
    while ((at = static_cast<const char*>(memmem(at, static_cast<std::size_t>(end - at), kPrefix.data(), kPrefix.size())))) {
        const bool starts_string = at != strings.data() && at[-1] == '\0';
        at += kPrefix.size();
        if (starts_string)
            names.emplace(at);
    }
    return names;
}

} // namespace

std::size_t SyscallEntry::parameter_count() const
{
    return static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), std::string_view{}) - parameters.begin());
}

std::span<const SyscallEntry> syscall_table()
{
    return kTable;
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

std::function<bool(const SyscallEntry&)> running_kernel_has()
{
    auto names = std::make_shared<std::set<std::string, std::less<>>>();
    auto asked = std::make_shared<bool>(false);
    return [names, asked](const SyscallEntry& entry) {
        if (!std::exchange(*asked, true))
            *names = implemented_calls();
        return names->empty() || names->contains(entry.name);
    };
}

} // namespace dt::probes
