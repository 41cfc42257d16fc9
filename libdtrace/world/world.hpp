// The live World: what the compiler sees of the running kernel. Everything is looked at when it is first asked for.
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

/// Who reads files of traced programs (option confine). A service has set it.
ReadBy readers_of_files(const RunOptions& options);

class LiveWorld final : public World {
public:
    /// `target_pid`: of -c/-p, 0 if none.
    explicit LiveWorld(int64_t target_pid = 0);
    /// With another kernel's view: for tests.
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
    /// From now on readable_cast() is 0: programs that read by helpers alone are less for the verifier to follow. False
    /// when it was 0 before.
    bool forgo_readable_cast();
    const Target& target() const override { return target_; }

    /// Before the first program: the processes of -c and -p (null: none), which must outlive this, and the options that
    /// say where things are. Fails when the archive of types that an option names cannot be used; the error is
    /// complete.
    Result<void> set_up(const RunOptions& options, const Processes* processes);

    /// Before a further run: what may have changed since is looked at anew. False when that is more than can be done:
    /// modules were loaded or unloaded, so that types, symbols and probes are others than those known.
    bool refresh();

    /// For who compiles nothing more for long: what was made to look things up fast is given up, and made again for who
    /// asks.
    void settle()
    {
        types_.forget_indexes();
        symbols_->pack();
        foreign_->end();
    }

    /// What was asked for, and so may be in code that was compiled for this machine, beside what depends on the
    /// kernel's build alone.
    struct Asked {
        bool addresses = false; ///< of the kernel's symbols
        bool chips = false, drivers = false, features = false, readable = false;
    };
    const Asked& asked() const { return asked_; }

    /// Tells these what looking for types and probes takes; null: nobody asks.
    void time_steps(Steps* steps)
    {
        types_.time_steps(steps);
        catalogue_.time_steps(steps);
    }

    /// Whether it is one that does not run here: options kernel and target.
    bool is_elsewhere() const { return other_.has_value(); }

    /// What runs keep for later runs of this boot.
    BootCache cache() const { return {BootCache::default_directory(), BootCache::kernel_of(proc_, modules_)}; }
    /// As providers see it.
    probes::KernelView& kernel() { return *kernel_; }
    /// Where proc(5) is mounted.
    const std::string& proc() const { return proc_; }
    /// The kernel's symbols, read when the first is asked for.
    std::shared_ptr<KernelSymbols> kernel_symbols() const { return symbols_; }
    /// Has the files of traced programs read.
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
    std::string modules_;                       ///< that were loaded when this was set up
    std::map<std::string, bool> asked_modules_; ///< whether there is one of that name
    std::optional<ProcessObjects> objects_;     ///< of the target; empty: not yet looked at
};

} // namespace dt
