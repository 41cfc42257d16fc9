// One trace, from program texts to exit status. It has no loop, catches no signals and does not change its process. So
// several traces can exist at once. The caller (loop/event_loop.hpp) runs its phases:
//
//     Trace trace(session, options);
//     trace.add({Source::Kind::CommandLine, "BEGIN", "BEGIN { exit(0); }"}, SpecKind::Name, macros);
//     trace.compile();       // makes an Object; nothing is in the kernel yet
//     trace.load();          // the verifier has accepted it; nothing is attached
//     trace.attach(output);  // attached and inactive
//     trace.activate();      // BEGIN has run, probes fire
//     while (!trace.is_over())
//         trace.pass();      // as often as it is due
//     trace.detach();        // no probe fires any more, and END has run
//     trace.finish();        // all output is printed
//
// The order is essential. Programs are attached while the trace is inactive. BEGIN ends before another probe may
// record; then all probes become active together. At the end they stop together, and END runs alone. Every kernel
// object belongs to a descriptor of this process, so it disappears however the process ends, unless the trace is pinned
// (-x pin).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dcompiler/driver/compiler.hpp"
#include "dcompiler/object/packed.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/aggregations/restored_aggregations.hpp"
#include "libdtrace/attach/attach.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/cost_report.hpp"
#include "libdtrace/session/session.hpp"

// Values of scalar globals and aggregations that one trace passes to the next, if requested.

namespace dt {

struct TraceValues {
    struct Global {
        std::string type; ///< type of the variable, as in messages
        std::vector<uint8_t> bytes;
    };
    std::map<std::string, Global> globals;
    std::map<std::string, consume::AggregationValues> aggregations; ///< aggregations by name, without @
};

/// Saves the scalar globals of a loaded program.
void save_globals(const Schema& schema, const LoadedObject& loaded, TraceValues& values);

/// Restores the scalar globals of a loaded program by name from a previous run. Globals of another type or size start
/// from zero, and are listed in `restarted_globals`.
void restore_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& former,
                     std::vector<std::string>& restarted_globals);

/// Updates the globals that still have the value restored from `first` to their value in `now`.
void renew_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& first, const TraceValues& now);

class Output;
class ProgramSet; // defined in program_set.hpp
class RunResults; // defined in consumer.hpp

class Trace {
public:
    /// Creates a trace; call it after session.prepare(). The session must outlive the trace. Only one trace of a
    /// session may be attached at a time, because they share its processes.
    Trace(Session& session, Options options);
    /// Detaches all remaining probes and releases the kernel objects.
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    /// Sets the recorder of phase times, or null. It must outlive the trace, whose end may be one more phase.
    void record_phases(PhaseTimes* steps);

    /// Returns the options in force: the given ones, changed by pragmas of the programs added so far. setopt() changes
    /// only the consumer's copy.
    const Options& options() const;

    /// Parses and checks one program, and before the first one the D libraries that the options name. The trace keeps
    /// the text. Returns false on errors, which are in compiler().diagnostics().
    bool add(Source source, SpecKind kind, const Macros& macros);

    /// Returns the programs added so far, in order; Statement::program is an index into them.
    const std::deque<Source>& sources() const;
    Compiler& compiler();

    /// Returns the number of probes that a program's clauses match, summed over the clauses.
    std::size_t matched(uint32_t program) const;

    /// Makes the object. On failure the reasons are in compiler().diagnostics(), or else in the error.
    Result<void> compile();

    /// Adopts a program compiled elsewhere for a compatible machine, in place of add() and compile(). If the kernel
    /// refuses it, `typed` is compiled instead. The error is a complete message.
    Result<void> take(std::unique_ptr<PackedProgram> packed, std::optional<TypedProgram> typed = {});

    bool is_precompiled() const;

    /// Returns the program: its statements and the probes they match. A precompiled program has only the data that its
    /// pack() kept.
    const Program& program() const;

    /// Returns the object, after compile().
    const Object& object() const;

    /// Returns the parts of the maximum memory of the trace, after compile() (memory_bound.hpp). With maxmem the sum is
    /// within the option's limit once the object is loaded.
    std::vector<output::MemoryPart> memory() const;

    /// Frees data needed only for compiling and -S, after load(), in long-running processes.
    void release_ir();
    /// Frees the compiled program, after activate(), in long-running processes. It cannot be saved or loaded again
    /// afterwards.
    void forget_program();

    /// Restores scalar globals and aggregations by name from the values of an earlier trace. Call it before attach().
    /// Values of another type start from zero, and the report lists them.
    void restore(TraceValues values);

    /// Prepares a handover from an active trace of another session, which must allow it (OptionSet::allow_successor()).
    /// Call it before load(). This trace starts with the globals of `former`. activate() switches over so that exactly
    /// one of the traces sees each firing; `former` must be detached afterwards. It must outlive activate(), and
    /// continues if this trace fails before or during that call.
    void replace(Trace& former);
    /// Restores the aggregations of the replaced trace, as restore() does. Call it after activate() and before the
    /// first pass. Returns the aggregations that could not be restored.
    std::vector<std::string> continue_from(TraceValues values);

    /// Sets the hook overhead for -x cost: ns that a firing takes outside its program (estimate/hook_costs.hpp). Call
    /// it before attach().
    void set_hook_overheads(std::map<HookKind, output::HookOverhead> overheads);

    /// Replaces the sink that option format selects. Call it before attach().
    void show_in(output::SinkMaker make_sink);

    /// Sets the receiver of messages about the time that attaching takes. Call it before attach().
    void set_attach_listener(AttachListener listener);

    /// Makes a child process run libbpf, in long-running processes. Call it before load(). final_code() is then not
    /// available. `waiting` is called once a second meanwhile.
    void load_in_child(std::function<void()> waiting);
    /// Loads maps and programs into the kernel, after compile(). If the kernel refuses a kind of program, the probes
    /// are planned again without it. The error is complete ("could not enable tracing: …"), and nothing stays in the
    /// kernel.
    Result<void> load();

    /// Attaches the programs, and opens buffers and output, after load(). `output` must outlive the trace. Errors have
    /// the form of load()'s.
    Result<void> attach(Output& output);

    /// Runs BEGIN, activates all other probes and resumes the held processes, after attach(). Errors have the form of
    /// load()'s.
    Result<void> activate();

    /// Returns the programs in the kernel, after load(): their code, the verifier's log, deviations from the plan.
    const ProgramSet& programs() const;
    /// Returns the results so far, after attach(). They must not be used after the trace.
    RunResults results() const;

    // The following members may be called from activate() to detach().

    /// Returns whether the trace must end: exit() was called, all processes have ended, or a buffer of bufpolicy=fill
    /// is full.
    bool is_over();
    /// Reads and prints new records, and follows changes of processes and of the kernel. An error is fatal.
    Result<void> pass();
    /// Returns the time until the next pass is due, unless an event requires one earlier.
    std::chrono::milliseconds until_due() const;
    /// Returns by how much the next pass may come early if the event loop is awake anyway.
    std::chrono::milliseconds early() const;
    /// Returns descriptors that are readable when a pass has work to do.
    std::vector<int> descriptors() const;
    /// Returns whether a pass is needed because of an event without a descriptor. Cheap.
    bool has_news();
    /// Returns the maximum time until has_news() and repeat_late_ticks() must be called again.
    std::chrono::milliseconds poll_interval() const;
    /// Repeats late ticks of the kernel's timers.
    void repeat_late_ticks();
    /// Adapts buffers and attachments to the CPUs that are online now.
    Result<void> follow_cpus(const std::vector<int>& online);
    /// Leaves a pinned trace (-x pin), in place of detach() and finish(). Prints the records so far. The programs
    /// continue in the kernel for their lease, and the next tracer gets everything they count. END does not run. An
    /// error concerns the output.
    Result<void> leave();
    bool is_left() const;
    /// Detaches all probes temporarily, or attaches them again, after activate().
    Result<void> set_attached(bool attached);
    /// Counts and often times all firings, or none, after activate(). Ends the use of sampling windows. For
    /// measurements; requires cost counting, and no maxcost.
    void time_firings(bool timed);
    /// Makes later firings return immediately without being counted, after activate(). The probes stay attached.
    void stop_firings();
    /// Stops all probes, and waits until no firing is still running, after attach(). Any thread may call it.
    void switch_off();

    /// Switches off, reads the remaining records, and runs END. finish() reports a failure of END.
    Result<void> detach();
    /// Prints the remaining output, after detach(). Returns the status of exit(n), else 0, or 1 if some output could
    /// not be written. An EPIPE in the error's `code` means that the reader of the output has closed it.
    Result<int> finish();

    /// Returns, after finish(), the values that the next trace can restore: this trace's own, and restored ones that
    /// its program does not mention.
    Result<TraceValues> values();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
