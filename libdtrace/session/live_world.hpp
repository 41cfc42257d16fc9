// LiveWorld: the compiler's view of the running kernel. Facts are read on demand.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libdtrace/options/options.hpp"
#include "dcompiler/world.hpp"
#include "libdtrace/world/boot_cache.hpp"
#include "libdtrace/world/other_kernel.hpp"
#include "libdtrace/world/symbols_kernel.hpp"
#include "libdtrace/process/objects.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/world/types_live.hpp"
#include "probes/catalogue.hpp"

namespace dt {

/// Returns which process reads files of traced programs, according to option confine and the service's settings.
ReadBy readers_of_files(const RunOptions& options);

class LiveWorld final : public World {
public:
    /// `target_pid` is the process of -c or -p, or 0.
    explicit LiveWorld(int64_t target_pid = 0);
    /// Uses the given view of a kernel; for tests.
    LiveWorld(std::unique_ptr<probes::KernelView> kernel, int64_t target_pid);
    ~LiveWorld() override;

    const machine::Machine& machine() const override { return other_ ? *other_->machine : machine::native(); }
    probes::Catalogue& probes() override { return catalogue_; }
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
    /// Sets readable_cast() to 0. Programs that read memory only with helpers need less work from the verifier. Returns
    /// false if it already was 0.
    bool forgo_readable_cast();
    const Target& target() const override { return target_; }

    /// Prepares the first program. `processes` are those of -c and -p (or null) and must outlive this object; the
    /// options contain paths. Fails if the type archive of an option is not usable; the error message is complete.
    Result<void> set_up(const RunOptions& options, const Processes* processes);

    /// Prepares another run and rereads facts that may have changed. Returns false if modules were loaded or unloaded:
    /// types, symbols and probes are then out of date, and a new object is necessary.
    bool refresh();

    /// Frees lookup structures before a long time without compilation. They are rebuilt on demand.
    void settle()
    {
        types_.forget_indexes();
        symbols_->pack();
        foreign_->end();
    }

    /// Kinds of facts that compiled programs have used, in addition to those that depend only on the kernel's build.
    struct Asked {
        bool addresses = false; ///< addresses of kernel symbols
        bool chips = false, drivers = false, features = false, readable = false;
    };
    const Asked& asked() const { return asked_; }

    /// Sets the phase timer for lookups of types and probes, or null.
    void time_steps(Steps* steps)
    {
        types_.time_steps(steps);
        catalogue_.time_steps(steps);
    }

    /// Returns whether the options kernel and target select an offline kernel.
    bool is_elsewhere() const { return other_.has_value(); }

    /// Returns the cache that later runs of this boot share.
    BootCache cache() const { return {BootCache::default_directory(), BootCache::kernel_of(proc_, modules_)}; }
    /// Returns the providers' view of the kernel.
    probes::KernelView& kernel() { return *kernel_; }
    /// Returns the mount point of proc(5).
    const std::string& proc() const { return proc_; }
    /// Returns the kernel's symbols, which are read on first use.
    std::shared_ptr<KernelSymbols> kernel_symbols() const { return symbols_; }
    /// Returns the sandboxed readers of traced programs' files.
    const std::shared_ptr<ForeignFiles>& foreign_files() const { return foreign_; }

private:
    LiveWorld(int64_t target_pid, const std::shared_ptr<ForeignFiles>& foreign);

    std::shared_ptr<ForeignFiles> foreign_ = ForeignFiles::make();
    std::unique_ptr<probes::KernelView> kernel_;
    probes::Catalogue catalogue_;
    Target target_;
    const Processes* processes_ = nullptr;
    std::optional<OtherKernel> other_;
    std::optional<Features> features_;
    std::optional<uint32_t> readable_cast_;
    Asked asked_;
    const ProcessObjects* objects();
    std::string read_modules() const;
    bool find_module(const std::string& name) const;
    void find_pid_namespace();
    void look_elsewhere();

    ProcessTypes process_types_{foreign_};
    LiveTypes types_;
    std::shared_ptr<KernelSymbols> symbols_ = std::make_shared<KernelSymbols>("/proc");
    std::string proc_ = "/proc", modules_directory_;
    bool wants_all_functions_ = false;
    std::string modules_;                       ///< modules loaded at set_up()
    std::map<std::string, bool> asked_modules_; ///< results of has_module() by name
    std::optional<ProcessObjects> objects_;     ///< objects of the target; empty: not read yet
};

} // namespace dt
