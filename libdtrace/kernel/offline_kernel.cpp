// Reads an offline kernel's properties from its BTF strings. The names of system call functions begin with a
// machine-specific prefix, so they show both the calls and the machine.
#include "libdtrace/kernel/offline_kernel.hpp"

#include <bpf/btf.h>

#include <cstring>

#include "probes/btf_file.hpp"

namespace dt {
namespace {

/// Finds each string that begins with `with`, and calls `visit` with the text after that beginning.
template <typename Visit> void for_each_beginning(std::string_view strings, std::string_view with, Visit visit)
{
    const char* at = strings.data();
    const char* const end = at + strings.size();
    // memmem is several times faster than std::string::find here.
    while ((at = static_cast<const char*>(memmem(at, static_cast<std::size_t>(end - at), with.data(), with.size())))) {
        const bool starts_string = at != strings.data() && at[-1] == '\0';
        at += with.size();
        if (starts_string)
            visit(at);
    }
}

/// A program kind, and a kernel function that only kernels with support for that kind have. Kernels without support
/// have an empty inline function instead, which has no type information.
struct AttachedBy {
    ProgramKind kind;
    const char* function;
};

constexpr AttachedBy kAttachedBy[] = {
    // function in kernel/bpf/trampoline.c, of CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
    {ProgramKind::Fentry, "register_ftrace_direct"},
    {ProgramKind::Fexit, "register_ftrace_direct"},
    // function in kernel/trace/bpf_trace.c, of CONFIG_FPROBE
    {ProgramKind::KprobeMulti, "register_fprobe_ips"},
    {ProgramKind::KretprobeMulti, "register_fprobe_ips"},
    {ProgramKind::KprobeSession, "register_fprobe_ips"},
    {ProgramKind::UprobeMulti, "bpf_uprobe_multi_link_attach"},
    {ProgramKind::UretprobeMulti, "bpf_uprobe_multi_link_attach"},
};

bool has_beginning(std::string_view strings, std::string_view with)
{
    bool found = false;
    for_each_beginning(strings, with, [&](const char*) { found = true; });
    return found;
}

} // namespace

Result<std::optional<OfflineKernel>> offline_kernel(const RunOptions& options)
{
    const bool is_native = options.target == "native";
    if (is_native && options.kernel.empty())
        return std::optional<OfflineKernel>();
    OfflineKernel made{is_native ? &machine::native() : machine::named(options.target), options.kernel};
    if (made.btf.empty())
        return std::optional(std::move(made));
    const auto file = probes::BtfFile::open(made.btf);
    if (!file)
        return Error{"cannot read the types of a kernel from " + made.btf + ": " + file.error().message};
    for (const machine::Machine* each : machine::all()) {
        if (!has_beginning(file.value()->strings(), each->syscalls.function_prefix))
            continue;
        if (!is_native && each != made.machine)
            return Error{"the kernel of " + made.btf + " is for " + std::string(each->words) +
                         ", but option target is " + options.target};
        made.machine = each;
        return std::optional(std::move(made));
    }
    return Error{"the kernel of " + made.btf + " is for a machine that dtrace does not support"};
}

std::set<std::string, std::less<>> calls_in(const std::string& btf, const machine::Machine& machine)
{
    std::set<std::string, std::less<>> names;
    if (const auto kernel = probes::BtfFile::open(btf))
        for_each_beginning(kernel.value()->strings(), machine.syscalls.function_prefix,
                           [&](const char* name) { names.emplace(name); });
    return names;
}

bool has_compat_calls(const std::string& btf, const machine::Machine& machine)
{
    const auto kernel = probes::BtfFile::open(btf);
    return kernel && has_beginning(kernel.value()->strings(), machine.syscalls.narrow_function_prefix);
}

probes::RefusedKinds kinds_missing_in(const std::string& btf)
{
    probes::RefusedKinds missing;
    if (const auto kernel = probes::BtfFile::open(btf))
        for (const AttachedBy& each : kAttachedBy)
            if (!kernel.value()->find(each.function, [](const btf_type* type) { return btf_is_func(type); }))
                missing.insert(each.kind);
    return missing;
}

Features features_in(const std::string& btf)
{
    // Kernel functions that arrived with each feature. Instructions have no types, so a function of the verifier from
    // the same release (Linux 5.12) stands for atomics. Task storage in tracing programs came with
    // bpf_for_each_map_elem() (5.13).
    constexpr std::pair<bool Features::*, const char*> kFunctions[] = {
        {&Features::fetching_atomics, "check_mem_reg"},
        {&Features::memory_parameters, "check_mem_reg"},
        {&Features::bpf_loop, "bpf_loop"},
        {&Features::task_storage, "bpf_for_each_map_elem"},
        {&Features::attach_cookie, "bpf_get_attach_cookie_trace"},
        {&Features::current_task_btf, "bpf_get_current_task_btf"},
        {&Features::func_ip, "bpf_get_func_ip_kprobe"},
        {&Features::task_pt_regs, "bpf_task_pt_regs"},
    };
    Features features;
    if (const auto kernel = probes::BtfFile::open(btf))
        for (const auto& [feature, function] : kFunctions)
            features.*feature =
                kernel.value()->find(function, [](const btf_type* type) { return btf_is_func(type); }) != 0;
    return features;
}

} // namespace dt
