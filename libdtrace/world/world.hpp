// The live World: what the compiler sees of the running kernel. Everything is looked at when it is first asked for.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "dcompiler/options.hpp"
#include "dcompiler/world.hpp"
#include "libdtrace/world/symbols_kernel.hpp"
#include "libdtrace/process/objects.hpp"
#include "libdtrace/world/types_live.hpp"
#include "probes/provider.hpp"

namespace dt {

class LiveWorld final : public World, private probes::ProbeSink {
public:
    /// `target_pid`: of -c/-p, 0 if none.
    explicit LiveWorld(int64_t target_pid = 0);
    /// With other providers than this build's: for tests.
    LiveWorld(std::vector<std::unique_ptr<probes::Provider>> providers, int64_t target_pid);
    ~LiveWorld() override;

    Result<void> find_probes(const ProbePattern& pattern, std::vector<const Probe*>& found) override;
    const Probe* probe(uint32_t id) override;
    bool has_provider(std::string_view name) override;
    bool has_module(std::string_view name) override;
    TypeSource* types() override;
    TypeSource* running_types() override;
    std::optional<uint32_t> task_offset(std::string_view member) override;
    std::optional<KernelSymbol> symbol(std::string_view module, std::string_view name) override;
    std::string symbol_hint() override;
    std::optional<KernelSymbol> user_symbol(std::string_view module, std::string_view name) override;
    std::vector<int32_t> chips() override;
    const Features& features() override;
    const Target& target() const override { return target_; }

    /// Before the first program: the -c or -p process (0: none) and the options that say where things are. Fails when the archive of types that an
    /// option names cannot be used; the error is complete.
    Result<void> set_up(const Options& options, int64_t target_pid);

    /// The kernel's symbols, read when the first is asked for.
    std::shared_ptr<KernelSymbols> kernel_symbols() const { return symbols_; }

private:
    struct Answer {
        std::size_t known = 0; ///< probes there were when it was given
        std::vector<const Probe*> probes;
    };

    const Probe* add(Probe probe, std::optional<uint32_t> place) override;
    void populate(probes::Provider& provider, const ProbePattern& pattern, Result<void>& problem);

    std::vector<std::unique_ptr<probes::Provider>> providers_;
    std::deque<Probe> probes_; ///< never shrinks, so addresses are stable
    std::unordered_map<std::string, const Probe*> by_name_;
    std::unordered_map<uint32_t, const Probe*> by_id_;
    uint32_t first_id_ = 1;          ///< of the provider that is being asked
    uint32_t next_on_demand_ = 1;    ///< ids beyond every provider's range
    std::unordered_map<std::string, Answer> answers_;
    bool populated_ = false; ///< every customary probe was added
    Target target_;
    std::optional<Features> features_;
    const ProcessObjects* objects();

    LiveTypes types_;
    std::shared_ptr<KernelSymbols> symbols_ = std::make_shared<KernelSymbols>("/proc");
    std::string proc_ = "/proc", modules_directory_;
    std::optional<ProcessObjects> objects_; ///< of the target; empty: not yet looked at
};

} // namespace dt
