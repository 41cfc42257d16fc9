// Data that live longer than one trace: the known facts about the machine, the processes of -c and -p, and the initial
// options.
//
//     Session session(options);
//     session.processes().create("make");
//     session.prepare();
//     Trace trace(session, session.options()); // any number of traces, in sequence, each after a prepare()
//
// Types, symbols, the catalogue of probes and the kernel's features are costly to determine and rarely change. So later
// traces reuse them. Data of a single trace end with it (trace.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/result.hpp"
#include "libdtrace/cost/cpu_speed.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/session/live_world.hpp"
#include "libdtrace/symbols/symbols.hpp"

// Number of frames in a kernel stack that belong to the tracer itself.

namespace dt {

struct TracerFrames {
    /// number of frames before the function with the tracepoint, in a stack taken in a raw tracepoint
    uint64_t tracepoint = 0;
    /// number of frames before the system call, in a stack taken by a program that this process runs itself
    uint64_t test_run = 0;
};

/// Returns the number of innermost frames that belong to the BPF program and the kernel code that runs it. The number
/// depends on the kernel's build, so one program is run each way to find it; 0 if that fails. Costs about 1 ms and a
/// read of the kernel's symbols.
TracerFrames count_tracer_frames(Symbols& symbols);

/// The facts about the machine that were determined so far.
class SystemContext {
public:
    explicit SystemContext(std::shared_ptr<LiveWorld> world) : world_(std::move(world)) {}
    /// Returns a machine for a concurrent trace. It shares the World, but has its own names of addresses, which end
    /// with the trace.
    static std::shared_ptr<SystemContext> shared_with(SystemContext& other)
    {
        auto made = std::make_shared<SystemContext>(other.world_);
        made->tracer_frames_ = other.tracer_frames_;
        made->cpu_speeds_ = other.cpu_speeds_;
        return made;
    }

    LiveWorld& world() { return *world_; }
    /// Returns the symbols; call it after the World's set_up().
    Symbols& symbols()
    {
        if (!symbols_)
            symbols_.emplace(world_->proc(), world_->kernel_symbols(), world_->untrusted_files());
        return *symbols_;
    }

    /// Returns how many frames of kernel stacks are the tracer's own; measured once.
    const TracerFrames& tracer_frames()
    {
        if (!*tracer_frames_)
            *tracer_frames_ = count_tracer_frames(symbols());
        return **tracer_frames_;
    }

    /// Returns the cache of the CPUs' current speeds.
    CpuSpeeds& cpu_speeds() { return *cpu_speeds_; }

private:
    std::shared_ptr<LiveWorld> world_;
    std::optional<Symbols> symbols_;
    std::shared_ptr<std::optional<TracerFrames>> tracer_frames_ = std::make_shared<std::optional<TracerFrames>>();
    std::shared_ptr<CpuSpeeds> cpu_speeds_ = std::make_shared<CpuSpeeds>();
};

class Session {
public:
    using MakeWorld = std::function<std::unique_ptr<LiveWorld>()>;

    /// `make_world` lets tests supply a World with fixed data.
    explicit Session(
        Options options, MakeWorld make_world = [] { return std::make_unique<LiveWorld>(); });

    /// Creates a session for a concurrent trace without processes of its own. It shares the machine of `other`, which
    /// is prepared, and needs no prepare(). Only `other` notices changes of kernel modules; existing sessions keep the
    /// machine in its former state.
    Session(Options options, const Session& other);

    /// Returns the initial options of a trace; they never change.
    const Options& options() const { return options_; }

    /// Returns the processes of -c and -p. Add them before prepare(), because $target and pid probes depend on them.
    Processes& processes() { return processes_; }

    /// Prepares for a trace; must be called before each one. Known facts are kept unless kernel modules were loaded or
    /// unloaded; then the machine is examined again. Fails if the archive of kernel types that ctfpath names is
    /// unusable. The error is a complete message.
    Result<void> prepare();

    LiveWorld& world() { return system_context_->world(); }
    /// Returns the facts about the machine. A trace shares them, so it keeps the facts that it started with.
    const std::shared_ptr<SystemContext>& system_context() const { return system_context_; }

private:
    const Options options_;
    const MakeWorld make_world_;
    Processes processes_;
    std::shared_ptr<SystemContext> system_context_;
    bool set_up_ = false, shares_context_ = false;
};

/// Sets options from the variables DTRACE_OPT_<NAME>. The error names the first invalid one, as for -x. `environment`
/// has the form of environ(7).
Result<void> set_options_from_environment(Options& options, const char* const* environment);

} // namespace dt
