// LiveWorld is the compiler's view of the running kernel; it reads facts on demand. LiveTypes contains all types of a
// run.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/phase_times.hpp"
#include "base/result.hpp"
#include "dcompiler/interface/types.hpp"
#include "dcompiler/interface/world.hpp"
#include "libdtrace/kernel/kernel_cache.hpp"
#include "libdtrace/kernel/offline_kernel.hpp"
#include "libdtrace/mappings/loaded_objects.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/symbols/kernel_symbols.hpp"
#include "libdtrace/types/btf_types.hpp"
#include "libdtrace/types/ctf_types.hpp"
#include "libdtrace/types/file_types.hpp"
#include "probes/probe_registry.hpp"

// All types of a run. Kernel types come from a CTF archive if there is one, and from BTF. Types of the traced process's
// objects come from CTF or DWARF.

namespace dt {

class LiveTypes final : public TypeSource {
public:
    /// Callbacks that find out what a module name in a type means. is_kernel_module() returns whether a kernel module
    /// has the name. object() returns the traced process's object with the name, or null.
    struct Names {
        std::function<bool(std::string_view)> is_kernel_module;
        std::function<const LoadedObjects::Object*(std::string_view)> object;
    };

    /// `of_processes`, which finds the types of traced processes' objects, must outlive this object.
    LiveTypes(Names names, ProcessTypes& of_processes);
    ~LiveTypes() override;

    /// Sets a CTF archive that has priority for kernel types. The error message is complete; the caller adds no prefix.
    Result<void> use_archive(const std::string& path);
    /// Uses the BTF of an offline kernel. Call it before the first lookup.
    void use_btf(const std::string& path) { btf_.use_file(path); }
    /// Sets the folder that the first lookup searches for a CTF archive, unless an archive was given.
    void look_in(std::string modules_directory) { directory_ = std::move(modules_directory); }

    /// Sets the phase timer that measures type lookups.
    void record_phases(PhaseTimes* steps) { steps_ = steps; }

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;
    std::string problem(std::string_view module) override;

    /// Returns the source of BTF types, without the types of a CTF archive; null if the kernel has no BTF.
    KernelTypes* btf() { return btf_.available() ? &btf_ : nullptr; }
    /// Frees lookup indexes, like BtfTypes::forget_indexes().
    void forget_indexes() { btf_.forget_indexes(); }
    /// Returns whether kernel types are available. Problems with the types of a process are found only on first use.
    bool knows_kernel() const { return archive_ || btf_.available(); }
    /// Returns whether a variable of a loaded kernel module is a per-CPU variable.
    bool is_per_cpu(std::string_view module, std::string_view variable) { return btf_.is_per_cpu(module, variable); }

private:
    void find_archive();
    const Type* find_in_kernel(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module);
    const std::string* file_of_process(std::string_view module);

    Names names_;
    BtfTypes btf_;
    std::unique_ptr<CtfTypes> archive_;
    std::string directory_; ///< folder to be searched for an archive; empty if it was searched or not set
    std::string archive_problem_;
    ProcessTypes& of_processes_;
    PhaseTimes* steps_ = nullptr;
};

/// Returns which process reads files of traced programs, according to option sandbox and the service's settings.
ReadBy readers_of_files(const RunOptions& options);

class LiveWorld final : public World {
public:
    /// `target_pid` is the process of -c or -p, or 0.
    explicit LiveWorld(int64_t target_pid = 0);
    /// Uses the given view of a kernel. For tests.
    LiveWorld(std::unique_ptr<probes::KernelView> kernel, int64_t target_pid);
    ~LiveWorld() override;

    const machine::Machine& machine() const override { return offline_ ? *offline_->machine : machine::native(); }
    probes::ProbeRegistry& probes() override { return catalogue_; }
    bool has_module(std::string_view name) override;
    TypeSource* types() override;
    TypeSource* running_types() override;
    std::optional<uint32_t> task_offset(std::string_view member) override;
    std::optional<KernelSymbol> symbol(std::string_view module, std::string_view name) override;
    std::string symbol_hint() override;
    std::optional<KernelSymbol> user_symbol(std::string_view module, std::string_view name) override;
    std::vector<int32_t> chips() override;
    std::map<uint32_t, std::string> block_drivers() override;
    const Features& features() override;
    bool can_write_user() override;
    uint32_t readable_cast() override;
    /// Makes readable_cast() return 0 from now on, so that programs read memory only with helpers, for which the
    /// verifier needs less work. Returns false if readable_cast() already returned 0.
    bool forgo_readable_cast();
    const Target& target() const override { return target_; }

    /// Prepares the first program. `processes` are the processes of -c and -p or null, and must outlive this object.
    /// `options` contains, among others, the paths of archives. Fails if the type archive that an option names is
    /// unusable. The error message is complete; the caller adds no prefix.
    Result<void> set_up(const RunOptions& options, const Processes* processes);

    /// Prepares another run: facts that may have changed are read again. Returns false if modules were loaded or
    /// unloaded: types, symbols and probes are then out of date, and a new object is necessary.
    bool refresh();

    /// Frees lookup structures before a long time without compilation. They are rebuilt when needed.
    void trim_memory()
    {
        types_.forget_indexes();
        symbols_->pack();
        untrusted_->end();
    }

    /// Which kinds of facts compiled programs have used, besides those that depend only on the kernel's build.
    struct UsedFacts {
        bool addresses = false; ///< whether programs have used addresses of kernel symbols
        bool chips = false, drivers = false, features = false, readable = false;
    };
    const UsedFacts& asked() const { return asked_; }

    /// Sets the phase timer for lookups of types and probes; null for none.
    void record_phases(PhaseTimes* steps)
    {
        types_.record_phases(steps);
        catalogue_.record_phases(steps);
    }

    /// Returns whether the options `kernel` and `target` select an offline kernel.
    bool is_offline() const { return offline_.has_value(); }

    /// Returns the cache of kernel facts that later runs in this boot can use.
    KernelCache cache() const { return {KernelCache::default_directory(), KernelCache::kernel_of(proc_, modules_)}; }
    /// Returns the providers' view of the kernel.
    probes::KernelView& kernel() { return *kernel_; }
    /// Returns the mount point of proc(5).
    const std::string& proc() const { return proc_; }
    /// Returns the kernel's symbols, which are read on first use.
    std::shared_ptr<KernelSymbols> kernel_symbols() const { return symbols_; }
    /// Returns the sandboxed readers of traced programs' files.
    const std::shared_ptr<UntrustedFiles>& untrusted_files() const { return untrusted_; }

private:
    LiveWorld(int64_t target_pid, const std::shared_ptr<UntrustedFiles>& untrusted);

    std::shared_ptr<UntrustedFiles> untrusted_ = UntrustedFiles::make();
    std::unique_ptr<probes::KernelView> kernel_;
    probes::ProbeRegistry catalogue_;
    Target target_;
    const Processes* processes_ = nullptr;
    std::optional<OfflineKernel> offline_;
    std::optional<Features> features_;
    std::optional<uint32_t> readable_cast_;
    UsedFacts asked_;
    const LoadedObjects* objects();
    std::string read_modules() const;
    bool find_module(const std::string& name) const;
    void find_pid_namespace();
    void use_offline_kernel();

    ProcessTypes process_types_{untrusted_};
    LiveTypes types_;
    std::shared_ptr<KernelSymbols> symbols_ = std::make_shared<KernelSymbols>("/proc");
    std::string proc_ = "/proc", modules_directory_;
    bool wants_all_functions_ = false;
    std::string modules_;                       ///< modules that were loaded when set_up() ran
    std::map<std::string, bool> known_modules_; ///< cached results of has_module(); the key is the module's name
    std::optional<LoadedObjects> objects_;      ///< objects of the target process; empty if not read yet
};

} // namespace dt
