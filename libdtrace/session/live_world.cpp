// Implements LiveWorld, which looks up each fact about the kernel only once and owns the catalogue of probes. This file
// also implements KernelView for providers, and selects the source of each type.
#include "libdtrace/session/live_world.hpp"

#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "libdtrace/kernel/features.hpp"
#include "libdtrace/kernel/kernel_functions.hpp"
#include "libdtrace/kernel/tracefs.hpp"
#include "libdtrace/process/loader_hook.hpp"
#include "libdtrace/process/process_functions.hpp"
#include "machine/machine.hpp"
#include "probes/kernel/trace_events.hpp"
#include "probes/kernel_view.hpp"

// Declares the providers' view of the running kernel (KernelView).

namespace dt {

/// Callbacks that return facts about the machine which other parts of the program store. Each callback is called only
/// when its fact is needed.
struct KernelFacts {
    std::function<KernelTypes*()> types; ///< returns the type information of the kernel, or null
    std::function<KernelSymbols&()> symbols;
    std::function<std::string()> proc; ///< returns the mount point of proc(5)
    std::function<bool()> wants_all_functions;
    /// returns the cache of kernel facts stored by earlier runs since boot
    std::function<KernelCache()> cache;
    std::function<const Processes*()> session; ///< returns the processes of -c and -p, or null
    /// returns the prototypes of user-space functions
    PrototypeSource prototypes;
    /// returns the sandboxed readers of untrusted files
    std::shared_ptr<UntrustedFiles> untrusted = UntrustedFiles::make();
    /// Returns an offline kernel description, or null for the running kernel. The callback itself may be missing.
    std::function<const OfflineKernel*()> other = {};
    /// returns the variables that are visible at an instruction of a file
    VariableSource variables = {};
};

/// Returns a KernelView of the running kernel that reads each fact when it is needed.
std::unique_ptr<probes::KernelView> live_kernel(KernelFacts facts);

namespace {

constexpr const char* kNoProc = "/dev/null";

std::string host_name()
{
    utsname names{};
    return uname(&names) == 0 ? names.nodename : "";
}

} // namespace

ReadBy readers_of_files(const RunOptions& options)
{
    return options.sandbox == "always" ? ReadBy::Readers : ReadBy::Tracer;
}

LiveWorld::LiveWorld(int64_t target_pid) : LiveWorld(target_pid, UntrustedFiles::make()) {}

LiveWorld::LiveWorld(int64_t target_pid, const std::shared_ptr<UntrustedFiles>& untrusted)
    : LiveWorld(live_kernel({[this] { return types_.btf(); }, [this]() -> KernelSymbols& { return *symbols_; },
                             [this] { return proc_; }, [this] { return wants_all_functions_; },
                             [this] { return cache(); }, [this] { return processes_; },
                             [this](const std::string& file, uint64_t offset, const std::string& function,
                                    probes::ProcessView::Calls calls) {
                                 return process_types_.prototype(file, offset, function, calls);
                             },
                             untrusted, [this] { return offline_ ? &*offline_ : nullptr; },
                             [this](const std::string& file, uint64_t offset, const std::string& name) {
                                 return process_types_.variables(file, offset, name);
                             }}),
                target_pid)
{
    untrusted_ = untrusted;
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
    libbpf_set_print(nullptr); // libbpf must not print errors, because this program reports them itself
    const int cpus = libbpf_num_possible_cpus();
    target_.cpus = cpus > 0 ? static_cast<uint32_t>(cpus) : 1;
    if (timespec tick{}; clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_nsec > 0)
        target_.tick_ns = static_cast<uint32_t>(tick.tv_nsec);
    target_.page_bytes = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
    target_.pid = target_pid;
}

LiveWorld::~LiveWorld() = default;

Result<void> LiveWorld::set_up(const RunOptions& options, const Processes* processes)
{
    processes_ = processes;
    target_.pid = processes ? processes->first_pid() : 0;
    objects_.reset();
    known_modules_.clear();
    proc_ = options.procfspath;
    untrusted_->read_by(readers_of_files(options));
    wants_all_functions_ = options.fbtall;
    find_pid_namespace();
    target_.host = host_name();
    symbols_ = std::make_shared<KernelSymbols>(proc_);
    modules_ = read_modules();
    auto other = offline_kernel(options);
    if (!other)
        return other.error();
    offline_ = std::move(other.value());
    if (offline_) {
        use_offline_kernel();
        return {};
    }
    if (!options.modpath.empty())
        modules_directory_ = options.modpath;
    if (!options.ctfpath.empty())
        return types_.use_archive(options.ctfpath);
    types_.look_in(modules_directory_);
    return {};
}

/// Removes the facts that hold only for this machine, before code is compiled for another machine.
void LiveWorld::use_offline_kernel()
{
    target_.host.clear();
    target_.pid_namespace_device = target_.pid_namespace_inode = 0;
    symbols_ = std::make_shared<KernelSymbols>(kNoProc);
    types_.use_btf(offline_->btf);
    features_ = features_in(offline_->btf);
    readable_cast_ = 0;
    for (const ProgramKind kind : kinds_missing_in(offline_->btf))
        catalogue_.refuse(kind);
}

void LiveWorld::find_pid_namespace()
{
    struct stat pids {};
    const bool is_inner = stat((proc_ + "/self/ns/pid").c_str(), &pids) == 0 && pids.st_ino != kFirstPidNamespace;
    target_.pid_namespace_device = is_inner ? pids.st_dev : 0;
    target_.pid_namespace_inode = is_inner ? pids.st_ino : 0;
}

/// Returns names, sizes and addresses of the loaded modules. The text changes when a module is loaded again. Returns an
/// empty string if the kernel has no module list.
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
    known_modules_.clear();
    catalogue_.forget_on_demand();
    return read_modules() == modules_;
}

/// Returns whether a module is loaded or built in. Built-in modules are found in the list of the kernel's build or by
/// their parameters.
bool LiveWorld::has_module(std::string_view name)
{
    if (name == "vmlinux")
        return true;
    if (name.empty() || name.find_first_of("/.") != std::string_view::npos)
        return false;
    const auto [known, is_new] = known_modules_.try_emplace(std::string(name));
    if (is_new)
        known->second = find_module(known->first);
    return known->second;
}

bool LiveWorld::find_module(const std::string& name) const
{
    if (offline_)
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
    if (offline_ && types_.btf() && types_.btf()->function_id("vmlinux", name)) {
        // An offline kernel's address is unknown, so it is 0 here. No program runs with it: an object that contains
        // kernel addresses is valid only in the boot in which it was compiled.
        asked_.addresses = true;
        KernelSymbol function{0, 0, "vmlinux"};
        function.is_function = true;
        return function;
    }
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

const LoadedObjects* LiveWorld::objects()
{
    if (!objects_ && target_.pid != 0)
        objects_.emplace(proc_, target_.pid);
    return objects_ ? &*objects_ : nullptr;
}

std::optional<KernelSymbol> LiveWorld::user_symbol(std::string_view module, std::string_view name)
{
    const auto found = objects() ? objects()->lookup(*untrusted_, module, name) : std::nullopt;
    if (!found)
        return {};
    KernelSymbol symbol{found->address, found->size, found->object->path};
    symbol.is_function = found->is_function;
    symbol.model = found->is_32bit ? DataModel::Ilp32 : DataModel::Lp64;
    return symbol;
}

/// Explains why a variable is missing. Without CONFIG_KALLSYMS_ALL the kernel's symbol table contains only functions.
/// The check uses "jiffies", a variable that exists in every kernel.
std::string LiveWorld::symbol_hint()
{
    if (!symbols_->readable() || symbols_->lookup("vmlinux", "jiffies"))
        return {};
    return "this kernel lists only functions, not variables (CONFIG_KALLSYMS_ALL is not set)";
}

std::vector<int32_t> LiveWorld::chips()
{
    asked_.chips = true;
    std::vector<int32_t> chips(target_.cpus, 0);
    if (offline_)
        return chips;
    for (uint32_t cpu = 0; cpu < target_.cpus; ++cpu) {
        std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id");
        // if the file is missing or contains -1, the processor package is unknown or the CPU does not exist
        if (int32_t chip = 0; file >> chip && chip >= 0)
            chips[cpu] = chip;
    }
    return chips;
}

std::map<uint32_t, std::string> LiveWorld::block_drivers()
{
    asked_.drivers = true;
    std::map<uint32_t, std::string> drivers;
    if (offline_)
        return drivers;
    // /proc/devices contains a list of character devices and a list of block devices. Each list has a title and lines
    // such as " 7 loop".
    std::ifstream file(proc_ + "/devices");
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
    return offline_ || can_write_user_memory();
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

// Selects the source of a type.
//
// A CTF archive contains more than BTF (global variables), but BTF is more widely available. So an archive has
// priority, and BTF supplies the types that the archive does not contain or only declares. Types of a module are
// searched before those of the core kernel; built-in modules have no types of their own.

LiveTypes::LiveTypes(Names names, ProcessTypes& of_processes) : names_(std::move(names)), of_processes_(of_processes) {}

LiveTypes::~LiveTypes() = default;

Result<void> LiveTypes::use_archive(const std::string& path)
{
    directory_.clear();
    auto opened = CtfTypes::open(path, AddressSpace::Kernel);
    if (!opened)
        return Error{"failed to open " + path + ": " + opened.error().message, opened.error().code};
    archive_ = std::move(opened.value());
    return {};
}

void LiveTypes::find_archive()
{
    const std::string directory = std::exchange(directory_, {});
    for (const char* name : {"/vmlinux.ctfa", "/kernel/vmlinux.ctfa"})
        if (!directory.empty() && !archive_ && access((directory + name).c_str(), F_OK) == 0)
            if (const Result<void> used = use_archive(directory + name); !used)
                archive_problem_ = used.error().message;
}

const Type* LiveTypes::find_in_kernel(TypeTable& table, TypeNamespace space, std::string_view name,
                                      std::string_view module)
{
    find_archive();
    const bool archived = archive_ && (module.empty() || archive_->has_module(module));
    const Type* found = archived ? archive_->find(table, space, name, module) : nullptr;
    if ((found && !found->incomplete) || !btf_.available())
        return found;
    const Type* other = btf_.find(table, space, name, module);
    const bool is_definition = space == TypeNamespace::Variable || space == TypeNamespace::Function;
    const bool may_be_core = !is_definition || !btf_.has_module(module);
    if (!other && !module.empty() && may_be_core)
        other = btf_.find(table, space, name, "vmlinux");
    return other ? other : found;
}

const std::string* LiveTypes::file_of_process(std::string_view module)
{
    const LoadedObjects::Object* object = module.empty() || module == "vmlinux" ? nullptr : names_.object(module);
    return object ? &object->file : nullptr;
}

const Type* LiveTypes::find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module)
{
    const PartOfPhase timed(steps_, "types");
    const bool kernel = module.empty() || names_.is_kernel_module(module);
    const Type* found = kernel ? find_in_kernel(table, space, name, module) : nullptr;
    if (found)
        return found;
    // the name of a kernel module may also be the name of an object of the process
    const std::string* const file = file_of_process(module);
    return file ? of_processes_.find(table, space, name, *file) : nullptr;
}

std::string LiveTypes::problem(std::string_view module)
{
    if (const std::string* const file = names_.is_kernel_module(module) ? nullptr : file_of_process(module))
        return of_processes_.problem(*file);
    return archive_ ? archive_->problem(module) : archive_problem_;
}

// Implements the providers' view of the running kernel. Each fact is read on first use, from the cheapest source.

namespace {

constexpr const char* kRunning = "/sys/kernel/btf/vmlinux";

class LiveKernel final : public probes::KernelView {
public:
    explicit LiveKernel(KernelFacts facts)
        : facts_(std::move(facts)),
          processes_(live_processes(facts_.proc, facts_.session, facts_.prototypes, facts_.untrusted, facts_.variables))
    {
    }

    const machine::Machine& machine() const override { return other() ? *other()->machine : machine::native(); }

    KernelTypes* types() override { return facts_.types(); }

    bool has_kprobes() override { return other() || access("/sys/bus/event_source/devices/kprobe/type", F_OK) == 0; }

    std::span<const probes::KernelFunction> traceable() override
    {
        if (!traceable_ && other())
            traceable_ = std::make_unique<TraceableFunctions>(functions_with_types());
        if (!traceable_)
            traceable_ = TraceableFunctions::read(facts_.cache(),
                                                  [this] { return tracefs().read("available_filter_functions"); });
        return traceable_->all();
    }

    uint64_t symbol_address(std::string_view name) override
    {
        const auto found = facts_.symbols().lookup("vmlinux", name);
        return found ? found->address : 0;
    }

    int event_error(uint32_t type, uint64_t config) override
    {
        if (other())
            // It is unknown whether an offline kernel supports the perf event, so support is assumed.
            return 0;
        perf_event_attr attr{};
        attr.size = sizeof attr;
        attr.type = type;
        attr.config = config;
        attr.sample_period = std::numeric_limits<int64_t>::max();
        attr.disabled = 1;
        const auto fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC));
        if (fd < 0)
            return errno;
        close(fd);
        return 0;
    }

    std::optional<probes::PerfEvent> processor_event(std::string_view name) override
    {
        return processor_events().find(name);
    }
    void for_each_processor_event(const VisitName& visit) override { processor_events().for_each(visit); }

    void for_each_symbol(const VisitSymbol& visit, std::span<const std::string_view> names) override
    {
        if (!other())
            visit_function_symbols(facts_.cache(), facts_.symbols(), visit, names);
    }

    bool wants_all_functions() override { return facts_.wants_all_functions(); }

    /// Looks for the system call's name after "__x64_sys_" in the kernel's BTF. Other lists are worse: tracefs is often
    /// not mounted, and reading /proc/kallsyms takes 50 ms. Without BTF every name is accepted, which is harmless,
    /// because one tracepoint fires for all system calls.
    bool has_syscall(std::string_view name) override
    {
        if (!calls_)
            calls_ = calls_in(other() ? other()->btf : kRunning, machine());
        return calls_->empty() || calls_->contains(name);
    }

    /// On some machines 32-bit system calls can be switched off for all processes (vdso32-setup.c of the kernel). On
    /// other machines, the kernel's functions reveal whether it supports 32-bit system calls.
    bool has_compat_syscalls() override
    {
        if (!other() && access((facts_.proc() + "/sys/abi/vsyscall32").c_str(), F_OK) == 0)
            return true;
        if (!has_narrow_)
            has_narrow_ = (other() || !machine().syscalls.has_narrow_switch) &&
                          has_compat_calls(other() ? other()->btf : kRunning, machine());
        return *has_narrow_;
    }

    const std::vector<probes::TraceEvent>& trace_events() override
    {
        if (!events_ && other())
            events_.emplace();
        if (!events_)
            events_ = probes::read_trace_events(tracefs().read("available_events"), tracefs().read("dynamic_events"));
        return *events_;
    }

    std::optional<uint32_t> trace_event_number(const probes::TraceEvent& event) override
    {
        const std::string text = tracefs().read(folder(event) + "/id");
        uint32_t number = 0;
        return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{} ? std::optional(number)
                                                                                                 : std::nullopt;
    }

    std::string trace_event_format(const probes::TraceEvent& event) override
    {
        return tracefs().read(folder(event) + "/format");
    }

    probes::ProcessView& processes() override { return *processes_; }

    bool uprobes_clobber_red_zone() override
    {
        if (other())
            // Whether uprobes of an offline kernel overwrite the red zone is unknown. The answer is yes if the kernel
            // is for this machine's architecture.
            return machine().elf == machine::native().elf;
        if (!clobbers_red_zone_)
            clobbers_red_zone_ = dt::uprobes_clobber_red_zone();
        return *clobbers_red_zone_;
    }

private:
    /// Returns the described offline kernel, or null for the running kernel.
    const OfflineKernel* other() const { return facts_.other ? facts_.other() : nullptr; }

    std::string functions_with_types()
    {
        std::string names;
        if (KernelTypes* const types = facts_.types())
            types->for_each_function("vmlinux", [&](std::string_view name, uint32_t) { names.append(name) += '\n'; });
        return names;
    }

    static std::string folder(const probes::TraceEvent& event) { return "events/" + event.group + "/" + event.name; }

    const Tracefs& tracefs()
    {
        if (!tracefs_)
            tracefs_.emplace();
        return *tracefs_;
    }

    KernelFacts facts_;
    std::optional<Tracefs> tracefs_;
    std::optional<std::vector<probes::TraceEvent>> events_;
    std::unique_ptr<TraceableFunctions> traceable_;
    std::optional<std::set<std::string, std::less<>>> calls_;
    std::unique_ptr<probes::ProcessView> processes_;
    std::optional<bool> clobbers_red_zone_, has_narrow_;
};

} // namespace

std::unique_ptr<probes::KernelView> live_kernel(KernelFacts facts)
{
    return std::make_unique<LiveKernel>(std::move(facts));
}

} // namespace dt
