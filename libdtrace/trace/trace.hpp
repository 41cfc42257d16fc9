// One trace, from program texts to exit status. The trace has no loop, catches no signals and does not change its
// process. So several traces can exist at the same time. The caller (loop/event_loop.hpp) runs its phases:
//
//     Trace trace(session, options);
//     trace.add({Source::Kind::CommandLine, "BEGIN", "BEGIN { exit(0); }"}, SpecKind::Name, macros);
//     trace.compile();       // makes an Object; nothing is in the kernel yet
//     trace.load();          // the verifier has accepted it; nothing is attached
//     trace.attach(output);  // attached and inactive
//     trace.activate();      // BEGIN has run, probes fire
//     while (!trace.is_over())
//         trace.pass();      // as often as it is due
//     trace.detach();        // no probe fires anymore, and END has run
//     trace.finish();        // all output is printed
//
// The order of the phases is essential. Programs are attached while the trace is inactive. BEGIN ends before another
// probe may record; then all probes become active together. At the end they stop together, and END runs alone. All
// kernel objects belong to descriptors of this process, so they disappear when the process ends for any reason, unless
// the trace is pinned (-x pin).
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

// Values of scalar global variables and of aggregations. If requested, one trace passes them to the next.

namespace dt {

struct TraceValues {
    struct Global {
        std::string type; ///< type of the variable as printed in messages
        std::vector<uint8_t> bytes;
    };
    std::map<std::string, Global> globals;
    /// aggregations; the key is the aggregation's name without @
    std::map<std::string, consume::AggregationValues> aggregations;
};

/// Saves the scalar global variables of a loaded program.
void save_globals(const Schema& schema, const LoadedObject& loaded, TraceValues& values);

/// Restores the scalar global variables of a loaded program from variables with equal names of a previous run.
/// Variables whose type or size has changed start from zero and are listed in `restarted_globals`.
void restore_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& former,
                     std::vector<std::string>& restarted_globals);

/// Updates the global variables in `loaded` whose values are still those in `first`: copies their values from `now`.
void renew_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& first, const TraceValues& now);

class Output;
class ProgramSet; // forward declaration; program_set.hpp defines the class
class RunResults; // forward declaration; consumer.hpp defines the class

class Trace {
public:
    /// Creates a trace. Must be called after session.prepare(). The session must outlive the trace. Only one trace of a
    /// session may be attached at a time, because the traces share the session's processes.
    Trace(Session& session, Options options);
    /// Detaches all remaining probes and releases the kernel objects.
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    /// Sets the object that records how long each phase takes; null for none. It must outlive the trace, because the
    /// end of the trace may be recorded too.
    void record_phases(PhaseTimes* steps);

    /// Returns the current options: the given ones, with the changes by pragmas of the added programs. setopt() changes
    /// only the consumer's copy of the options.
    const Options& options() const;

    /// Parses and checks one program. The first call also compiles the D libraries that the options name. The trace
    /// stores the source text. Returns false on errors, which are in compiler().diagnostics().
    bool add(Source source, SpecKind kind, const Macros& macros);

    /// Returns the programs that were added, in order; Statement::program is an index into them.
    const std::deque<Source>& sources() const;
    Compiler& compiler();

    /// Returns the sum, over the clauses of a program, of the number of probes that the clause matches.
    std::size_t matched(uint32_t program) const;

    /// Compiles the added programs into the object. On failure the reasons are in compiler().diagnostics(), or else in
    /// the error.
    Result<void> compile();

    /// Uses a program that was compiled for a compatible machine; call it instead of add() and compile(). If the kernel
    /// refuses the program, the source text `typed` is compiled. The error message is complete; the caller adds no
    /// prefix.
    Result<void> take(std::unique_ptr<PackedProgram> packed, std::optional<TypedProgram> typed = {});

    bool is_precompiled() const;

    /// Returns the program: its statements and the probes that match them. A precompiled program contains only the data
    /// that pack() stored.
    const Program& program() const;

    /// Returns the object. Must be called after compile().
    const Object& object() const;

    /// Returns the parts of the maximum memory of the trace (memory_bound.hpp). Must be called after compile(). With
    /// option maxmem, the sum is within the option's limit once the object is loaded.
    std::vector<output::MemoryPart> memory() const;

    /// Frees data that is needed only for compiling and -S. Long-running processes call it after load() to save memory.
    void release_ir();
    /// Frees the compiled program, which cannot be saved or loaded afterwards. Long-running processes call it after
    /// activate() to save memory.
    void forget_program();

    /// Restores scalar global variables and aggregations by name from an earlier trace's values. Must be called before
    /// attach(). Variables and aggregations whose type has changed start from zero, and the report lists them.
    void restore(TraceValues values);

    /// Prepares a handover from an active trace of another session, which must allow it (OptionSet::allow_successor()).
    /// Must be called before load(). This trace starts with the values of the global variables of `former`. activate()
    /// switches over so that exactly one of the two traces sees each firing; `former` must be detached afterwards.
    /// `former` must outlive activate(), and its tracing continues if this trace fails before or during that call.
    void replace(Trace& former);
    /// Restores the aggregations of the replaced trace, as restore() does. Must be called between activate() and the
    /// first pass(). Returns the aggregations that could not be restored.
    std::vector<std::string> continue_from(TraceValues values);

    /// Sets the hook overhead for -x cost: the ns that a firing takes outside its program (estimate/hook_costs.hpp).
    /// Must be called before attach().
    void set_hook_overheads(std::map<HookKind, output::HookOverhead> overheads);

    /// Replaces the sink that option format selects. Must be called before attach().
    void show_in(output::SinkMaker make_sink);

    /// Sets the receiver of messages about the time that attaching takes. Must be called before attach().
    void set_attach_listener(AttachListener listener);

    /// Makes a child process run libbpf, which saves memory in long-running processes. Must be called before load().
    /// final_code() is then not available. `waiting` is called once a second while this process waits.
    void load_in_child(std::function<void()> waiting);
    /// Loads maps and programs into the kernel. Must be called after compile(). If the kernel refuses a kind of
    /// program, the probes are planned again without that kind. The error message begins with "could not enable
    /// tracing: ". On failure nothing remains in the kernel.
    Result<void> load();

    /// Attaches the programs, and opens buffers and output. Must be called after load(). `output` must outlive the
    /// trace. Error messages have the same form as in load().
    Result<void> attach(Output& output);

    /// Runs BEGIN, activates all other probes and resumes the processes that were held. Must be called after attach().
    /// Error messages have the same form as in load().
    Result<void> activate();

    /// Returns the programs in the kernel: their code, the verifier's log, and what differs between the plan and the
    /// started trace. Must be called after load().
    const ProgramSet& programs() const;
    /// Returns the results so far. Must be called after attach(). The results refer to data of the trace.
    RunResults results() const;

    // Functions that may be called from activate() to detach():

    /// Returns whether the trace must end: exit() was called, all processes have ended, or a buffer of bufpolicy=fill
    /// is full.
    bool is_over();
    /// Reads and prints new records, and handles changes of processes and of the kernel. After an error the trace must
    /// end.
    Result<void> pass();
    /// Returns the time until the next pass() is due. Events may require an earlier pass().
    std::chrono::milliseconds until_due() const;
    /// Returns by how much the next pass() may run earlier than until_due() says, if the event loop is awake for
    /// another reason.
    std::chrono::milliseconds early() const;
    /// Returns descriptors that become readable when pass() has work to do.
    std::vector<int> descriptors() const;
    /// Returns whether an event that has no descriptor requires a pass(). The function is cheap, so it may be called
    /// often.
    bool has_news();
    /// Returns the maximum time until has_news() and repeat_late_ticks() must be called again.
    std::chrono::milliseconds poll_interval() const;
    /// Makes timer probes fire for ticks that the kernel has skipped. Must be called about ten times a second.
    void repeat_late_ticks();
    /// Adjusts buffers and attachments to the CPUs that are online now.
    Result<void> follow_cpus(const std::vector<int>& online);
    /// Ends the tracer of a pinned trace (-x pin), in place of detach() and finish(). Prints the records so far. The
    /// programs continue in the kernel until their lease ends (-x pintimeout), and the next tracer gets everything that
    /// they have counted. END does not run. An error means that output could not be written.
    Result<void> leave();
    bool is_left() const;
    /// Detaches all probes temporarily, or attaches them again. Must be called after activate().
    Result<void> set_attached(bool attached);
    /// For measurements. From now on, counts all firings and times a part of them; if `timed` is false, does neither.
    /// The trace uses no sampling windows (-x maxcost) anymore. Must be called after activate(); requires option cost,
    /// and no maxcost.
    void time_firings(bool timed);
    /// Makes later firings return immediately without being counted. The probes stay attached. Must be called after
    /// activate().
    void stop_firings();
    /// Stops all probes, and waits until no firing is still running. Any thread may call it after attach().
    void switch_off();

    /// Stops all probes, reads the remaining records, and runs END. finish() reports a failure of END.
    Result<void> detach();
    /// Prints the remaining output. Must be called after detach(). Returns the status of exit(n), else 0, or 1 if some
    /// output could not be written. If the error's `code` is EPIPE, the reader of the output has closed it.
    Result<int> finish();

    /// Returns the values that the next trace can restore: this trace's own values, and restored values that belong to
    /// no variable or aggregation of this program. Must be called after finish().
    Result<TraceValues> values();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
