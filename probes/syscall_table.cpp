// The system-call table and the one question it cannot answer: which of the newer calls this kernel has.
//
// tracefs would tell, but is often not mounted; /proc/kallsyms would tell, but takes 50 ms to read. The kernel's BTF is at hand, is read in
// 3 ms, and has the name __x64_sys_<call> in its string section for each call that takes arguments.
#include "probes/syscall_table.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <utility>

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

std::string read_file(const char* path)
{
    std::string text;
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path, "re"), std::fclose);
    if (!file)
        return text;
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    for (std::size_t size = 0;;) {
        text.resize(size + (std::size_t{4} << 20));
        const std::size_t got = std::fread(text.data() + size, 1, text.size() - size, file.get());
        size += got;
        if (got == 0) {
            text.resize(size);
            return text;
        }
    }
}

/// Names behind "__x64_sys_" anywhere in the BTF file. Its strings are NUL-terminated, so a raw search finds exactly the names.
std::set<std::string, std::less<>> implemented_calls()
{
    static constexpr std::string_view kPrefix{"\0__x64_sys_", 11};
    const std::string btf = read_file("/sys/kernel/btf/vmlinux");
    std::set<std::string, std::less<>> names;
    for (auto at = btf.find(kPrefix); at != std::string::npos; at = btf.find(kPrefix, at + kPrefix.size()))
        names.emplace(btf.c_str() + at + kPrefix.size());
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
