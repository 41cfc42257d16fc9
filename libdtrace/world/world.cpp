// The probe registry and the kernel's facts, each looked up once.
//
// Providers add probes when a pattern first needs them, so a script with one tick does not pay for the system-call table. Each provider has a
// range of ids, one after the other from 1, and a probe's id is its place in the range: the same in a listing, with -i and in every trace. The
// dtrace provider comes first, so BEGIN, END and ERROR are 1, 2 and 3. Probes made on demand take ids beyond all ranges.
#include "libdtrace/world/world.hpp"

#include <bpf/libbpf.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "libdtrace/world/features.hpp"
#include "libdtrace/process/view.hpp"

namespace dt {
namespace {

constexpr uint64_t kFirstPidNamespace = 0xeffffffc; // PROC_PID_INIT_INO (linux/proc_ns.h)

std::string joined(const std::string& a, const std::string& b, const std::string& c, const std::string& d)
{
    return a + ':' + b + ':' + c + ':' + d;
}

} // namespace

LiveWorld::LiveWorld(int64_t target_pid) : LiveWorld(probes::all_providers(live_processes([this] { return proc_; })), target_pid) {}

LiveWorld::LiveWorld(std::vector<std::unique_ptr<probes::Provider>> providers, int64_t target_pid)
    : providers_(std::move(providers)), types_({[this](std::string_view name) { return has_module(name); },
                                                [this](std::string_view name) { return objects() ? objects()->find(name) : nullptr; }})
{
    utsname system{};
    uname(&system);
    modules_directory_ = std::string("/lib/modules/") + system.release;
    libbpf_set_print(nullptr); // what fails is told in our words
    const int cpus = libbpf_num_possible_cpus();
    target_.cpus = cpus > 0 ? static_cast<uint32_t>(cpus) : 1;
    target_.pid = target_pid;
    for (const auto& provider : providers_)
        next_on_demand_ += provider->places();
    struct stat pids {};
    if (stat("/proc/self/ns/pid", &pids) == 0 && pids.st_ino != kFirstPidNamespace) {
        target_.pid_namespace_device = pids.st_dev;
        target_.pid_namespace_inode = pids.st_ino;
    }
    if (!providers_.empty()) {
        Result<void> ignored;
        populate(*providers_.front(), {}, ignored);
    }
}

LiveWorld::~LiveWorld() = default;

const Probe* LiveWorld::add(Probe probe, std::optional<uint32_t> place)
{
    const auto [entry, is_new] = by_name_.try_emplace(joined(probe.provider, probe.module, probe.function, probe.name), nullptr);
    if (is_new) {
        probe.id = place ? first_id_ + *place : next_on_demand_++;
        entry->second = &probes_.emplace_back(std::move(probe));
        by_id_[entry->second->id] = entry->second;
    }
    return entry->second;
}

void LiveWorld::populate(probes::Provider& provider, const ProbePattern& pattern, Result<void>& problem)
{
    first_id_ = 1;
    for (auto before = providers_.begin(); before->get() != &provider; ++before)
        first_id_ += (*before)->places();
    const Result<void> result = provider.match(pattern, *this);
    if (!result)
        problem = result;
}

Result<void> LiveWorld::find_probes(const ProbePattern& pattern, std::vector<const Probe*>& found)
{
    Answer& answer = answers_[joined(pattern.provider, pattern.module, pattern.function, pattern.name)];
    if (answer.known != probes_.size() || answer.probes.empty()) {
        std::vector<std::pair<std::string_view, ProbePattern>> asked; // provider name, canonical pattern
        Result<void> problem;
        for (const auto& provider : providers_)
            if (provider->serves(pattern.provider)) {
                asked.emplace_back(provider->name(), provider->canonical(pattern));
                populate(*provider, asked.back().second, problem);
            }
        if (!problem && probes::is_literal(pattern.provider))
            return problem;
        answer.probes.clear();
        answer.known = probes_.size();
        for (const Probe& probe : probes_)
            if (std::any_of(asked.begin(), asked.end(), [&](const auto& ask) { return ask.first == probe.provider && probes::matches(ask.second, probe); }))
                answer.probes.push_back(&probe);
        std::sort(answer.probes.begin(), answer.probes.end(), [](const Probe* a, const Probe* b) { return a->id < b->id; });
    }
    found.insert(found.end(), answer.probes.begin(), answer.probes.end());
    return {};
}

const Probe* LiveWorld::probe(uint32_t id)
{
    // An id that was not met yet is one of a full listing.
    if (!by_id_.count(id) && !std::exchange(populated_, true)) {
        Result<void> ignored;
        for (const auto& provider : providers_)
            populate(*provider, {}, ignored);
    }
    const auto found = by_id_.find(id);
    return found != by_id_.end() ? found->second : nullptr;
}

bool LiveWorld::has_provider(std::string_view name)
{
    return std::any_of(providers_.begin(), providers_.end(), [&](const auto& provider) { return provider->name() == name; });
}

Result<void> LiveWorld::set_up(const Options& options, int64_t target_pid)
{
    target_.pid = target_pid;
    objects_.reset();
    proc_ = options.procfspath;
    symbols_ = std::make_shared<KernelSymbols>(proc_);
    if (!options.modpath.empty())
        modules_directory_ = options.modpath;
    if (!options.ctfpath.empty())
        return types_.use_archive(options.ctfpath);
    types_.look_in(modules_directory_);
    return {};
}

/// Loaded modules, and built-in ones as far as they are known: from what the build left beside the loadable ones, or by having parameters.
bool LiveWorld::has_module(std::string_view name)
{
    if (name == "vmlinux")
        return true;
    if (name.empty() || name.find_first_of("/.") != std::string_view::npos)
        return false;
    std::ifstream loaded(proc_ + "/modules");
    for (std::string line; std::getline(loaded, line);)
        if (std::string_view(line).substr(0, line.find(' ')) == name)
            return true;
    if (access(("/sys/module/" + std::string(name)).c_str(), F_OK) == 0)
        return true;
    std::ifstream built_in(modules_directory_ + "/modules.builtin"); // kernel/fs/ext4/ext4.ko
    for (std::string line; std::getline(built_in, line);) {
        std::string file = line.substr(line.rfind('/') + 1);
        std::replace(file.begin(), file.end(), '-', '_');
        if (file.substr(0, file.find('.')) == name)
            return true;
    }
    return false;
}

TypeSource* LiveWorld::types()
{
    return types_.knows_kernel() || target_.pid != 0 ? &types_ : nullptr;
}

TypeSource* LiveWorld::running_types()
{
    return types_.btf() ? types_.btf() : types();
}

std::optional<uint32_t> LiveWorld::task_offset(std::string_view member)
{
    const auto found = types_.btf() ? types_.btf()->member("vmlinux", "task_struct", member) : std::nullopt;
    if (!found || found->bit_size != 0 || found->bit_offset % 8 != 0)
        return std::nullopt;
    return static_cast<uint32_t>(found->bit_offset / 8);
}

std::optional<KernelSymbol> LiveWorld::symbol(std::string_view module, std::string_view name)
{
    KernelSymbols& names = *symbols_;
    auto found = names.lookup(module, name);
    if (!found && !module.empty() && has_module(module)) // built in: its symbols are the core kernel's
        found = names.lookup("vmlinux", name);
    if (!found)
        return {};
    KernelSymbol symbol{found->address, found->size, found->module};
    symbol.is_function = found->is_function;
    if (!symbol.is_function)
        symbol.is_per_cpu = symbol.module == "vmlinux" ? names.is_per_cpu(symbol.address) : types_.is_per_cpu(symbol.module, name);
    return symbol;
}

const ProcessObjects* LiveWorld::objects()
{
    if (!objects_ && target_.pid != 0)
        objects_.emplace(proc_, target_.pid);
    return objects_ ? &*objects_ : nullptr;
}

std::optional<KernelSymbol> LiveWorld::user_symbol(std::string_view module, std::string_view name)
{
    const auto found = objects() ? objects()->lookup(module, name) : std::nullopt;
    if (!found)
        return {};
    KernelSymbol symbol{found->address, found->size, found->object->path};
    symbol.is_function = found->is_function;
    symbol.model = found->is_32bit ? DataModel::Ilp32 : DataModel::Lp64;
    return symbol;
}

/// Without CONFIG_KALLSYMS_ALL the kernel's symbol table has functions only; "jiffies" is in every kernel that lists its data.
std::string LiveWorld::symbol_hint()
{
    if (!symbols_->readable() || symbols_->lookup("vmlinux", "jiffies"))
        return {};
    return "this kernel lists its functions only, no data (CONFIG_KALLSYMS_ALL is not set)";
}

std::vector<int32_t> LiveWorld::chips()
{
    std::vector<int32_t> chips(target_.cpus, 0);
    for (uint32_t cpu = 0; cpu < target_.cpus; ++cpu) {
        std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id");
        if (int32_t chip = 0; file >> chip && chip >= 0) // -1, or no file: not known, or a CPU that is not there
            chips[cpu] = chip;
    }
    return chips;
}

const Features& LiveWorld::features()
{
    if (!features_)
        features_ = find_features();
    return *features_;
}

} // namespace dt
