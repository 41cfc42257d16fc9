// Implements LiveWorld: each fact of the kernel is looked up once. Owns the catalogue of probes.
#include "libdtrace/world/world.hpp"

#include <bpf/libbpf.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "libdtrace/world/features.hpp"
#include "libdtrace/world/kernel.hpp"

namespace dt {
namespace {

constexpr uint64_t kFirstPidNamespace = 0xeffffffc; // PROC_PID_INIT_INO (linux/proc_ns.h)

constexpr const char* kNoProc = "/dev/null";

std::string host_name()
{
    utsname names{};
    return uname(&names) == 0 ? names.nodename : "";
}

} // namespace

ReadBy readers_of_files(const RunOptions& options)
{
    return options.confine == "always" ? ReadBy::Readers : ReadBy::Tracer;
}

LiveWorld::LiveWorld(int64_t target_pid) : LiveWorld(target_pid, ForeignFiles::make()) {}

LiveWorld::LiveWorld(int64_t target_pid, const std::shared_ptr<ForeignFiles>& foreign)
    : LiveWorld(live_kernel({[this] { return types_.btf(); }, [this]() -> KernelSymbols& { return *symbols_; },
                             [this] { return proc_; }, [this] { return wants_all_functions_; },
                             [this] { return cache(); }, [this] { return processes_; },
                             [this](const std::string& file, uint64_t offset, const std::string& function,
                                    probes::ProcessView::Calls calls) {
                                 return process_types_.prototype(file, offset, function, calls);
                             },
                             foreign, [this] { return other_ ? &*other_ : nullptr; }}),
                target_pid)
{
    foreign_ = foreign;
}

LiveWorld::LiveWorld(std::unique_ptr<probes::KernelView> kernel, int64_t target_pid)
    : kernel_(std::move(kernel)), catalogue_(probes::all_providers(*kernel_)),
      types_({[this](std::string_view name) { return has_module(name); },
              [this](std::string_view name) { return objects() ? objects()->find(name) : nullptr; }},
             process_types_)
{
    utsname system{};
    uname(&system);
    modules_directory_ = std::string("/lib/modules/") + system.release;
    libbpf_set_print(nullptr); // errors are reported in our own words
    const int cpus = libbpf_num_possible_cpus();
    target_.cpus = cpus > 0 ? static_cast<uint32_t>(cpus) : 1;
    if (timespec tick{}; clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_nsec > 0)
        target_.tick_ns = static_cast<uint32_t>(tick.tv_nsec);
    target_.pid = target_pid;
}

LiveWorld::~LiveWorld() = default;

Result<void> LiveWorld::set_up(const RunOptions& options, const Processes* processes)
{
    processes_ = processes;
    target_.pid = processes ? processes->first_pid() : 0;
    objects_.reset();
    asked_modules_.clear();
    proc_ = options.procfspath;
    foreign_->read_by(readers_of_files(options));
    wants_all_functions_ = options.fbtall;
    find_pid_namespace();
    target_.host = host_name();
    symbols_ = std::make_shared<KernelSymbols>(proc_);
    modules_ = read_modules();
    auto other = other_kernel(options);
    if (!other)
        return other.error();
    other_ = std::move(other.value());
    if (other_) {
        look_elsewhere();
        return {};
    }
    if (!options.modpath.empty())
        modules_directory_ = options.modpath;
    if (!options.ctfpath.empty())
        return types_.use_archive(options.ctfpath);
    types_.look_in(modules_directory_);
    return {};
}

/// Removes facts of this machine, because the code is compiled for another one.
void LiveWorld::look_elsewhere()
{
    target_.host.clear();
    target_.pid_namespace_device = target_.pid_namespace_inode = 0;
    symbols_ = std::make_shared<KernelSymbols>(kNoProc);
    types_.use_btf(other_->btf);
    features_ = Features{};
    readable_cast_ = 0;
    for (const ProgramKind kind : kinds_missing_in(other_->btf))
        catalogue_.refuse(kind);
}

void LiveWorld::find_pid_namespace()
{
    struct stat pids {};
    const bool is_inner = stat((proc_ + "/self/ns/pid").c_str(), &pids) == 0 && pids.st_ino != kFirstPidNamespace;
    target_.pid_namespace_device = is_inner ? pids.st_dev : 0;
    target_.pid_namespace_inode = is_inner ? pids.st_ino : 0;
}

/// Returns names, sizes and addresses of the modules, which change when a module is loaded again. Returns an empty
/// string if the kernel has no module list.
std::string LiveWorld::read_modules() const
{
    std::string modules;
    std::ifstream file(proc_ + "/modules");
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line); // line format: "ext4 1146880 1 - Live 0xffffffffc0a5b000"
        std::string name, size, ignored, address;
        fields >> name >> size >> ignored >> ignored >> ignored >> address;
        modules += name + " " + size + " " + address + "\n";
    }
    return modules;
}

bool LiveWorld::refresh()
{
    objects_.reset();
    asked_modules_.clear();
    catalogue_.ask_again();
    return read_modules() == modules_;
}

/// Returns whether a module is loaded or built in. Built-in modules are known from the build's list or from their
/// parameters.
bool LiveWorld::has_module(std::string_view name)
{
    if (name == "vmlinux")
        return true;
    if (name.empty() || name.find_first_of("/.") != std::string_view::npos)
        return false;
    const auto [known, is_new] = asked_modules_.try_emplace(std::string(name));
    if (is_new)
        known->second = find_module(known->first);
    return known->second;
}

bool LiveWorld::find_module(const std::string& name) const
{
    if (other_)
        return false;
    std::ifstream loaded(proc_ + "/modules");
    for (std::string line; std::getline(loaded, line);)
        if (std::string_view(line).substr(0, line.find(' ')) == name)
            return true;
    if (access(("/sys/module/" + name).c_str(), F_OK) == 0)
        return true;
    std::ifstream built_in(modules_directory_ + "/modules.builtin"); // line format: kernel/fs/ext4/ext4.ko
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
    if (!found && !module.empty() && has_module(module)) // symbols of built-in modules belong to the core kernel
        found = names.lookup("vmlinux", name);
    if (!found)
        return {};
    asked_.addresses = true;
    KernelSymbol symbol{found->address, found->size, found->module};
    symbol.is_function = found->is_function;
    if (!symbol.is_function)
        symbol.is_per_cpu =
            symbol.module == "vmlinux" ? names.is_per_cpu(symbol.address) : types_.is_per_cpu(symbol.module, name);
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
    const auto found = objects() ? objects()->lookup(*foreign_, module, name) : std::nullopt;
    if (!found)
        return {};
    KernelSymbol symbol{found->address, found->size, found->object->path};
    symbol.is_function = found->is_function;
    symbol.model = found->is_32bit ? DataModel::Ilp32 : DataModel::Lp64;
    return symbol;
}

/// Explains missing variables. Without CONFIG_KALLSYMS_ALL the kernel's symbol table has only functions; "jiffies"
/// exists in every kernel that lists data.
std::string LiveWorld::symbol_hint()
{
    if (!symbols_->readable() || symbols_->lookup("vmlinux", "jiffies"))
        return {};
    return "this kernel lists its functions only, no data (CONFIG_KALLSYMS_ALL is not set)";
}

std::vector<int32_t> LiveWorld::chips()
{
    asked_.chips = true;
    std::vector<int32_t> chips(target_.cpus, 0);
    if (other_)
        return chips;
    for (uint32_t cpu = 0; cpu < target_.cpus; ++cpu) {
        std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id");
        if (int32_t chip = 0; file >> chip && chip >= 0) // -1 or no file: not known, or the CPU does not exist
            chips[cpu] = chip;
    }
    return chips;
}

std::map<uint32_t, std::string> LiveWorld::block_drivers()
{
    asked_.drivers = true;
    std::map<uint32_t, std::string> drivers;
    if (other_)
        return drivers;
    std::ifstream file(proc_ + "/devices"); // two lists of lines such as "  7 loop", each with a title
    std::string line;
    while (std::getline(file, line) && line != "Block devices:") {
    }
    uint32_t major = 0;
    for (std::string driver; file >> major >> driver;)
        drivers[major] = driver;
    return drivers;
}

bool LiveWorld::can_write_user()
{
    return other_ || can_write_user_memory();
}

uint32_t LiveWorld::readable_cast()
{
    asked_.readable = true;
    if (!readable_cast_) {
        KernelTypes* const types = kernel_->types();
        const uint32_t function = types ? types->function_id("vmlinux", "bpf_rdonly_cast").value_or(0) : 0;
        readable_cast_ = function != 0 && can_read_anywhere(function) ? function : 0;
    }
    return *readable_cast_;
}

bool LiveWorld::forgo_readable_cast()
{
    const bool was_there = readable_cast() != 0;
    readable_cast_ = 0;
    return was_there;
}

const Features& LiveWorld::features()
{
    asked_.features = true;
    if (!features_)
        features_ = find_features();
    return *features_;
}

} // namespace dt
