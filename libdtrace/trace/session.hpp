// What is known longer than one run: the machine as far as it was looked at, the processes of -c and -p, and the
// options that runs begin with.
//
//     Session session(options);
//     session.processes().create("make");
//     session.prepare();
//     Trace trace(session, session.options()); // as many as wanted, one after the other, each after a prepare()
//
// Types, symbols, the catalogue of probes and what the kernel was found able to do are costly to find and seldom
// change, so a trace finds what the traces before it found. What belongs to a trace dies with it (trace.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "libdtrace/options/options.hpp"
#include "base/result.hpp"
#include "libdtrace/load/tracer_frames.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/trace/call_time.hpp"
#include "libdtrace/world/symbols.hpp"
#include "libdtrace/world/world.hpp"

namespace dt {

/// The machine as far as it was looked at.
class Machine {
public:
    explicit Machine(std::shared_ptr<LiveWorld> world) : world_(std::move(world)) {}
    /// For a trace beside others: the same world, but names of addresses of its own, which go with the trace.
    static std::shared_ptr<Machine> beside(Machine& other)
    {
        auto made = std::make_shared<Machine>(other.world_);
        made->tracer_frames_ = other.tracer_frames_;
        made->paces_ = other.paces_;
        return made;
    }

    LiveWorld& world() { return *world_; }
    /// After the world's set_up().
    Symbols& symbols()
    {
        if (!symbols_)
            symbols_.emplace(world_->proc(), world_->kernel_symbols(), world_->foreign_files());
        return *symbols_;
    }

    /// Which frames of kernel stacks are the tracer's own: tried once.
    const TracerFrames& tracer_frames()
    {
        if (!*tracer_frames_)
            *tracer_frames_ = count_tracer_frames(symbols());
        return **tracer_frames_;
    }

    /// How fast its CPUs are at the moment.
    Paces& paces() { return *paces_; }

private:
    std::shared_ptr<LiveWorld> world_;
    std::optional<Symbols> symbols_;
    std::shared_ptr<std::optional<TracerFrames>> tracer_frames_ = std::make_shared<std::optional<TracerFrames>>();
    std::shared_ptr<Paces> paces_ = std::make_shared<Paces>();
};

class Session {
public:
    using MakeWorld = std::function<std::unique_ptr<LiveWorld>()>;

    /// `make_world`: for tests, which freeze one.
    explicit Session(
        Options options, MakeWorld make_world = [] { return std::make_unique<LiveWorld>(); });

    /// For a trace beside those of others, without processes of its own: its machine is what `other` knows, which was
    /// prepared, and this needs no prepare(). What modules that come and go change is the other's to find: sessions
    /// that were made before keep the machine as it was.
    Session(Options options, const Session& other);

    /// Those that a trace begins with; nothing changes them.
    const Options& options() const { return options_; }

    /// -c and -p. Fill it before prepare(): $target and pid probes depend on it.
    Processes& processes() { return processes_; }

    /// Before each run. What is known stays known, unless modules were loaded or unloaded since: then the machine is
    /// looked at anew. Fails when the archive of kernel types that ctfpath names cannot be used; the error is complete.
    Result<void> prepare();

    LiveWorld& world() { return machine_->world(); }
    /// A trace keeps the one it began with.
    const std::shared_ptr<Machine>& machine() const { return machine_; }

private:
    const Options options_;
    const MakeWorld make_world_;
    Processes processes_;
    std::shared_ptr<Machine> machine_;
    bool set_up_ = false, is_beside_ = false;
};

/// Sets options from DTRACE_OPT_<NAME> variables. The error names the first that does not fit, as -x does.
/// `environment`: as environ(7).
Result<void> set_options_from_environment(Options& options, const char* const* environment);

} // namespace dt
