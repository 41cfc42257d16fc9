// Reads an offline kernel's properties from its BTF strings. The names of system call functions begin with a
// machine-specific prefix, so these names reveal both the system calls and the machine.
#include "libdtrace/kernel/offline_kernel.hpp"

#include <bpf/btf.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "dcompiler/ebpf/disassemble.hpp"
#include "dcompiler/object/functions.hpp"
#include "probes/btf_file.hpp"

namespace dt {
namespace {

/// Finds each string that begins with `with`, and calls `visit` with the part of the string after `with`.
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

bool has_beginning(std::string_view strings, std::string_view with)
{
    bool found = false;
    for_each_beginning(strings, with, [&](const char*) { found = true; });
    return found;
}

bool has_function(probes::BtfFile& kernel, std::string_view name)
{
    return kernel.find(name, [](const btf_type* type) { return btf_is_func(type); }) != 0;
}

bool has_structure(probes::BtfFile& kernel, std::string_view name)
{
    return kernel.find(name, [](const btf_type* type) { return btf_is_struct(type); }) != 0;
}

/// Returns the ids of the helpers that programs may call (enum bpf_func_id).
std::set<int32_t> helpers_in(probes::BtfFile& kernel)
{
    std::set<int32_t> numbers;
    const btf_type* const type =
        kernel.type(kernel.find("bpf_func_id", [](const btf_type* t) { return btf_is_enum(t); }));
    for (uint32_t i = 0; type && i < btf_vlen(type); ++i)
        if (kernel.name(btf_enum(type)[i].name_off) != "__BPF_FUNC_MAX_ID")
            numbers.insert(btf_enum(type)[i].val);
    return numbers;
}

/// The first helper that each kernel release added. Messages use this table to name the release of a helper.
constexpr struct {
    int32_t helper;
    const char* release;
} kHelperReleases[] = {
    {BPF_FUNC_task_storage_get, "5.11"},  {BPF_FUNC_check_mtu, "5.12"},
    {BPF_FUNC_for_each_map_elem, "5.13"}, {BPF_FUNC_sys_bpf, "5.14"},
    {BPF_FUNC_timer_init, "5.15"},        {BPF_FUNC_get_branch_snapshot, "5.16"},
    {BPF_FUNC_find_vma, "5.17"},          {BPF_FUNC_get_retval, "5.18"},
    {BPF_FUNC_kptr_xchg, "5.19"},         {BPF_FUNC_tcp_raw_gen_syncookie_ipv4, "6.0"},
};

/// Returns the name of a helper and its release, for example "bpf_loop() (since Linux 5.17)".
std::string describe_helper(int32_t helper)
{
    std::string text = ebpf::helper_name(helper) + "()";
    const char* release = nullptr;
    for (const auto& each : kHelperReleases)
        if (each.helper <= helper)
            release = each.release;
    return release ? text + " (since Linux " + release + ")" : text;
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
        for (const ProgramKindInfo& each : program_kinds())
            if (each.function && !has_function(*kernel.value(), each.function) &&
                !(each.structure && has_structure(*kernel.value(), each.structure)))
                missing.insert(each.kind);
    return missing;
}

Features features_in(const std::string& btf)
{
    Features features;
    const auto kernel = probes::BtfFile::open(btf);
    const std::set<int32_t> helpers = kernel ? helpers_in(*kernel.value()) : std::set<int32_t>();
    if (helpers.empty())
        return features;
    features.hash_no_prealloc = has_function(*kernel.value(), "bpf_mem_alloc_init");
    features.task_pt_regs = helpers.contains(BPF_FUNC_task_pt_regs);
    // BTF does not list instructions. So a feature that is an instruction is assumed to exist if the kernel has a
    // helper that was added in the same release. bpf_check_mtu() came with fetching atomics and with memory parameters
    // of global functions (Linux 5.12). bpf_for_each_map_elem() came with task storage for tracing programs,
    // bpf_ktime_get_coarse_ns() with long keys (5.11).
    features.fetching_atomics = helpers.contains(BPF_FUNC_check_mtu);
    features.memory_parameters = helpers.contains(BPF_FUNC_check_mtu);
    features.long_keys = helpers.contains(BPF_FUNC_ktime_get_coarse_ns);
    features.task_storage = helpers.contains(BPF_FUNC_for_each_map_elem);
    features.bpf_loop = helpers.contains(BPF_FUNC_loop);
    features.attach_cookie = helpers.contains(BPF_FUNC_get_attach_cookie);
    features.current_task_btf = helpers.contains(BPF_FUNC_get_current_task_btf);
    features.func_ip = helpers.contains(BPF_FUNC_get_func_ip);
    return features;
}

std::vector<std::string> helpers_missing_in(const std::string& btf, std::span<const uint8_t> elf)
{
    const auto kernel = probes::BtfFile::open(btf);
    const std::set<int32_t> helpers = kernel ? helpers_in(*kernel.value()) : std::set<int32_t>();
    const auto functions = read_functions(elf);
    std::set<int32_t> missing;
    if (!helpers.empty() && functions)
        for (const ObjectFunction& function : functions.value())
            for (const bpf_insn& insn : function.insns)
                if (insn.code == ebpf::kCall && insn.src_reg == 0 && !helpers.contains(insn.imm))
                    missing.insert(insn.imm);
    std::vector<std::string> names;
    std::transform(missing.begin(), missing.end(), std::back_inserter(names), describe_helper);
    return names;
}

} // namespace dt
