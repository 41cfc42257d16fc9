// Data that live longer than one trace: the facts about the machine that were determined, the processes of -c and -p,
// and the initial options.
//
//     Session session(options);
//     session.processes().create("make");
//     session.prepare();
//     Trace trace(session, session.options()); // any number of traces, in sequence, each after a prepare()
//
// Types, symbols, the catalogue of probes and the kernel's features are costly to determine and rarely change. So later
// traces reuse them. Data of a single trace are in class Trace (trace.hpp).
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

// Numbers of stack frames that belong to the tracer itself, at the top of a recorded kernel stack, for two ways to run
// a program.

namespace dt {

struct TracerFrames {
    /// Number of frames before the function that contains the tracepoint, in a stack that a raw tracepoint program has
    /// recorded.
    uint64_t tracepoint = 0;
    /// Number of frames before the system call, in a stack that a program recorded under bpf(BPF_PROG_TEST_RUN).
    uint64_t test_run = 0;
};

/// Returns the number of innermost frames that belong to the BPF program and to the kernel code that runs it. The
/// number depends on the kernel's build, so it is measured: a program records stacks at a tracepoint and under
/// BPF_PROG_TEST_RUN. Returns 0 if that fails. Takes about 1 ms and reads the kernel's symbols.
TracerFrames count_tracer_frames(Symbols& symbols);

/// Facts about the machine that have been determined so far.
class SystemContext {
public:
    explicit SystemContext(std::shared_ptr<LiveWorld> world) : world_(std::move(world)) {}
    /// Returns facts for a trace that runs at the same time as others. They include the World of `other`, but a
    /// separate cache of address names, which is freed when the trace ends.
    static std::shared_ptr<SystemContext> shared_with(SystemContext& other)
    {
        auto made = std::make_shared<SystemContext>(other.world_);
        made->tracer_frames_ = other.tracer_frames_;
        made->cpu_speeds_ = other.cpu_speeds_;
        return made;
    }

    LiveWorld& world() { return *world_; }
    /// Returns the symbols. Must not be called before the World's set_up().
    Symbols& symbols()
    {
        if (!symbols_)
            symbols_.emplace(world_->proc(), world_->kernel_symbols(), world_->untrusted_files());
        return *symbols_;
    }

    /// Returns how many frames of kernel stacks belong to the tracer. The number is measured only once.
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

    /// Creates a session without processes of its own, for a trace that runs at the same time as others. It uses the
    /// facts about the machine that `other` has determined in prepare(), and needs no prepare() itself. Only `other`
    /// notices changes of kernel modules; existing sessions keep the facts that they started with.
    Session(Options options, const Session& other);

    /// Returns the initial options of a trace; they never change.
    const Options& options() const { return options_; }

    /// Returns the processes of -c and -p. Processes must be added before prepare(), because $target and pid probes
    /// depend on them.
    Processes& processes() { return processes_; }

    /// Prepares for a trace; must be called before each trace. If kernel modules were loaded or unloaded, determines
    /// all facts about the machine again. Otherwise the facts that were determined before stay valid. Fails if the
    /// archive of kernel types that ctfpath names is unusable. The error message is complete; the caller adds no
    /// prefix.
    Result<void> prepare();

    LiveWorld& world() { return system_context_->world(); }
    /// Returns the facts about the machine. A trace keeps the object that it started with, so the facts that a trace
    /// uses do not change while it runs.
    const std::shared_ptr<SystemContext>& system_context() const { return system_context_; }

private:
    const Options options_;
    const MakeWorld make_world_;
    Processes processes_;
    std::shared_ptr<SystemContext> system_context_;
    bool set_up_ = false, shares_context_ = false;
};

/// Sets options from the variables DTRACE_OPT_<NAME>. The error names the first invalid variable and has the same form
/// as an error about -x. `environment` has the form of environ(7).
Result<void> set_options_from_environment(Options& options, const char* const* environment);

} // namespace dt
