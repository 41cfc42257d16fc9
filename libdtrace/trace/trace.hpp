// One trace, from program texts to exit status. It has no loop, catches no signals and changes nothing of its process,
// so any number of traces are there at once; whoever runs it (host/host.hpp) calls its phases:
//
//     Trace trace(session, options);
//     trace.add({Source::Kind::CommandLine, "BEGIN", "BEGIN { exit(0); }"}, SpecKind::Name, macros);
//     trace.compile();       // an Object: nothing of it is in the kernel yet
//     trace.load();          // the verifier has accepted it; nothing is attached
//     trace.attach(output);  // attached and inactive
//     trace.activate();      // BEGIN has run, probes fire
//     while (!trace.is_over())
//         trace.pass();      // as often as it is due
//     trace.detach();        // nothing fires any more, and END has run
//     trace.finish();        // all is printed
//
// Order matters more than anything here. Programs are attached while the trace is inactive. BEGIN runs to its end
// before another probe may record; only then all probes become active together. At the end they stop together, and END
// runs when nothing else can. Every kernel object hangs on a descriptor of this process, so that any death cleans up,
// unless the trace is to outlive it (-x pin).
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dcompiler/compiler.hpp"
#include "dcompiler/object/functions.hpp"
#include "dcompiler/object/packed.hpp"
#include "libdtrace/output/costs.hpp"
#include "libdtrace/output/firings.hpp"
#include "libdtrace/output/ledger.hpp"
#include "libdtrace/output/memory.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/trace/attach_progress.hpp"
#include "libdtrace/trace/session.hpp"
#include "libdtrace/trace/values.hpp"

namespace dt {

class Output;
struct StartReport; // attaching.hpp
namespace output {
class Follower;   // follower.hpp
class MetricPage; // metric_page.hpp
} // namespace output

struct TraceLedger {
    std::vector<output::LedgerRow> causes; ///< every one, in the order of the table of -x ledger
    std::vector<output::Firings> clauses, probes;
};

class Trace {
public:
    /// After session.prepare(); the session must outlive the trace. Of the traces of a session only one may be attached
    /// at a time: they share its processes.
    Trace(Session& session, Options options);
    /// Detaches and releases whatever is still there.
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    /// Tells these what each step takes; null: nobody asks. They must outlive the trace, which may end with one more.
    void time_steps(Steps* steps);

    /// Those in force: as given, and what pragmas of the programs so far set. What setopt() sets is the consumer's.
    const Options& options() const;

    /// Parses and checks one program, and before the first one the D libraries that the options name; the trace keeps
    /// its text. False: the reasons are in compiler().diagnostics().
    bool add(Source source, SpecKind kind, const Macros& macros);

    /// The programs added so far, in order; Statement::program is an index into this.
    const std::deque<Source>& sources() const;
    Compiler& compiler();

    /// Probes matched by a program's clauses, each clause counted on its own.
    std::size_t matched(uint32_t program) const;

    /// Makes the object. After a failure compiler().diagnostics() has the reasons, or else the error does.
    Result<void> compile();

    /// In place of add() and compile(): what was compiled elsewhere, for a machine like this one; `typed` is compiled
    /// after all when the kernel refuses that. The error is complete.
    Result<void> take(std::unique_ptr<PackedProgram> packed, std::optional<TypedProgram> typed = {});

    bool was_taken() const;

    /// What runs: its statements and what they match. Of one that was taken no more than its pack() kept.
    const Program& program() const;

    /// After compile().
    const Object& object() const;

    /// After compile(): the most memory that the trace can take, in parts (memory_bound.hpp). With maxmem, once it is
    /// loaded, that is no more than the option says.
    std::vector<output::MemoryPart> memory() const;

    /// After load(), for who stays long: gives up what only compiling and -S need.
    void forget_module();
    /// After activate(), likewise: gives up the program as it was compiled. What only saving and loading it again need
    /// is gone.
    void forget_program();

    /// Before attach(): scalar globals and aggregations begin with what a former trace left of those of the same name.
    /// What is of another type begins anew, and is told in the report.
    void begin_with(TraceValues values);

    /// Before load(): this one takes the place of a trace that is active, of another session, and that may have a
    /// successor (OptionSet::allow_successor()). It begins with that one's globals. activate() switches from the one to
    /// the other so that each firing is seen by one of them, and the former is to be detached then. It must outlive
    /// activate(), and goes on if that, or anything before, fails.
    void take_place_of(Trace& former);
    /// After activate() in another's place, before the first pass: what that one left, as begin_with(). What begins
    /// anew is returned.
    std::vector<std::string> go_on_from(TraceValues values);

    /// Before attach(), for -x cost: ns that a firing takes outside of its program (host/prices.hpp).
    void know_prices(std::map<HookKind, output::OutsidePrice> prices);

    /// Before attach(): what is recorded goes to a sink of this, in place of that of option format.
    void show_in(output::SinkMaker make_sink);

    /// Before attach(): who is told what attaching costs.
    void tell_attaching(AttachListener listener);

    /// Before load(), for who stays long: libbpf works in a child of this process. There is no final_code() then.
    /// `waiting` is called once a second while it works.
    void load_beside(std::function<void()> waiting);
    /// After compile(): puts maps and programs into the kernel, planned anew where it will have none of some kind. The
    /// error is complete ("could not enable tracing: …") and leaves nothing in the kernel.
    Result<void> load();

    /// After load(): attaches, and opens what reads and prints. `output` must outlive the trace. The error is as that
    /// of load().
    Result<void> attach(Output& output);

    /// After attach(): runs BEGIN, makes every other probe active and lets the processes go. The error is as that of
    /// load().
    Result<void> activate();

    /// After attach(): what did not go as planned.
    const StartReport& start_report() const;

    /// Between attach() and detach(): each program as the kernel was given it, in the order of the object's plans.
    std::vector<ObjectFunction> final_code() const;

    /// After load(): how many instructions of each program the verifier followed, in that order.
    std::vector<std::pair<std::string, uint64_t>> verified_programs() const;

    /// With -x bpflog, after load(): what the verifier said.
    const std::string& verifier_log() const;

    /// After attach(): what was lost so far, by cause, and with -x firings how the firings ended of each probe that
    /// fired, the one that fired most first. Between two passes; a loss that the last pass did not see is not in it
    /// yet.
    TraceLedger ledger() const;

    /// With -x cost, after attach(): what tracing has cost so far.
    output::CostReport costs() const;

    // From activate() to detach().

    /// exit() was called, the processes are gone, or with bufpolicy=fill a buffer is full.
    bool is_over();
    /// Reads and prints what has come, and follows what processes and the kernel did since. An error is fatal.
    Result<void> pass();
    /// The next pass prints what bufpolicy=ring keeps, the aggregations as they are then, and the tables of -x ledger
    /// and cost.
    void show_so_far();
    /// Prints every aggregation as it is now to another output, in any format; all stays as it is.
    Result<void> print_aggregations(Output& to, OutputFormat format);
    /// The same, each as unprinted() of a sink, in the order in which the program names them.
    Result<void> show_aggregations(output::Sink& sink);
    /// Between two passes: as clear() of each aggregation.
    Result<void> clear_aggregations();
    /// Between two passes: the aggregations as they are, as metrics, and what was lost. `common`: labels of all
    /// samples. Only with option metrics, or a format of metrics.
    Result<void> append_metrics(output::MetricPage& page, std::string_view common);
    /// What is recorded from now on is handed to another reader as well, until it leaves or the trace is finished.
    Result<void> add_follower(std::shared_ptr<output::Follower> follower);
    /// What is printed from now on goes to the file that has the name of the output's now (Output::reopen()).
    void reopen_output();
    /// Until the next pass, if nothing asks for one before.
    std::chrono::milliseconds until_due() const;
    /// How much earlier a pass may come where something else has woken the loop.
    std::chrono::milliseconds early() const;
    /// Readable when a pass has something to do.
    std::vector<int> descriptors() const;
    /// Something that no descriptor tells asks for a pass. Cheap.
    bool has_news();
    /// Until somebody has to ask has_news() and to keep_time(), at most.
    std::chrono::milliseconds look_every() const;
    /// Clocks of the kernel that are late are set right.
    void keep_time();
    /// These CPUs are online now.
    Result<void> follow_cpus(const std::vector<int>& online);
    /// With -x pin, in place of detach() and finish(): what has come is printed, and the tracer lets go. Programs go on
    /// in the kernel for their lease, and who takes them up has all that they count; END does not run. An error is one
    /// of the output.
    Result<void> leave();
    bool is_left() const;
    /// A person ends it: what follows must not stand on the terminal's ^C line.
    void interrupted();

    /// After activate(): detaches what fires, for a while, or attaches it again.
    Result<void> set_attached(bool attached);
    /// After activate(), where costs are watched and no maxcost is kept: for who measures what firings take. From now
    /// on all are counted and many timed, or none; no windows any more.
    void time_firings(bool timed);
    /// After activate(): what fires from now on does nothing, and is not counted; it stays attached.
    void stop_firings();
    /// After attach(): no probe fires any more, and none that did is still running. Any thread may call it.
    void switch_off();

    /// Switches off, reads what is left, and runs END, whose failure finish() tells.
    Result<void> detach();
    /// After detach(): prints the rest. The exit status is that of exit(n), else 0, and then 1 when not all of the
    /// output could be written. An EPIPE in the error's `code` means that the reader of the output has gone.
    Result<int> finish();

    /// After finish(): what the next trace may begin with, and what this one was given and does not mention.
    Result<TraceValues> values();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
