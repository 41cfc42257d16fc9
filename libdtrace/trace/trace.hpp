// One tracing run, from program texts to exit status. The public phases: add, compile, load, start, consume.
//
//     Trace trace(session, options);
//     trace.add({Source::Kind::CommandLine, "BEGIN", "BEGIN { exit(0); }"}, SpecKind::Name, macros);
//     trace.compile();      // an Object: nothing of it is in the kernel yet
//     trace.load();         // the verifier has accepted it; nothing is attached
//     trace.start(output);  // attached, BEGIN has run, probes fire
//     trace.consume();      // until exit(), a signal, or the end of the processes; END has run, everything is detached
//
// Everything that is the run's own (program and types, options, maps, buffers, sinks) goes with it; the next begins with what the session knows.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/compiler.hpp"
#include "dcompiler/object/functions.hpp"
#include "libdtrace/trace/attach_progress.hpp"
#include "libdtrace/trace/session.hpp"
#include "libdtrace/trace/values.hpp"

namespace dt {

class Output;
class Signals;

/// What did not go as planned when a run was started.
struct StartReport {
    std::vector<std::string> fallbacks; ///< mechanisms that the kernel refused, and why; others serve the probes
    struct Refused {
        const Probe* probe = nullptr;
        std::string reason;
    };
    std::vector<Refused> refused;        ///< probes that a pattern covers and the kernel would not have
    std::vector<std::string> begun_anew; ///< globals and aggregations that could not go on from a former run's, and why
};

class Trace {
public:
    /// After session.prepare(); the session must outlive the run. Of the runs of a session only one may be started at a time.
    Trace(Session& session, Options options);
    /// Detaches and releases whatever is still there.
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    /// Tells these what each step takes; null: nobody asks. They must outlive the run, which may end with one more.
    void time_steps(Steps* steps);

    /// Those in force: as given, and what pragmas of the programs so far set. What setopt() sets is the consumer's.
    const Options& options() const;

    /// Parses and checks one program, and before the first one the D libraries that the options name; the run keeps its text. False: the reasons are in
    /// compiler().diagnostics().
    bool add(Source source, SpecKind kind, const Macros& macros);

    /// The programs added so far, in order; Statement::program is an index into this.
    const std::deque<Source>& sources() const;
    Compiler& compiler();

    /// Probes matched by a program's clauses, each clause counted on its own.
    std::size_t matched(uint32_t program) const;

    /// Makes the object. After a failure compiler().diagnostics() has the reasons, or else the error does.
    Result<void> compile();

    /// After compile().
    const Object& object() const;

    /// Before start(): scalar globals and aggregations begin with what a former run left of those of the same name. What is of another type begins
    /// anew, and is told in the report.
    void begin_with(TraceValues values);

    /// After compile(): puts maps and programs into the kernel, planned anew where it will have none of some kind. The error is complete ("could not
    /// enable tracing: …") and leaves nothing in the kernel.
    Result<void> load();

    /// After load(): attaches, opens the consumer, runs BEGIN, makes every other probe active and lets the processes go. `output` must outlive
    /// the run. The error is as that of load().
    Result<void> start(Output& output);

    /// Before start(): who is told what attaching costs.
    void tell_attaching(AttachListener listener);

    /// Before start(), which else catches signals itself: they are noted already and outlive the run.
    void watch_signals(Signals& signals);

    /// After start().
    const StartReport& start_report() const;

    /// Between start() and the end of consume(): each program as the kernel was given it, in the order of the object's plans.
    std::vector<ObjectFunction> final_code() const;

    /// After start(): how many instructions of each program the verifier followed, in that order.
    std::vector<std::pair<std::string, uint64_t>> verified_programs() const;

    /// With -x bpflog, after start(): what the verifier said.
    const std::string& verifier_log() const;

    /// Consumes until the run ends, then stops: no probe fires, END runs, everything is detached, the rest is printed. The exit status is that
    /// of exit(n), else 0. Errors: "processing aborted: …"; EPIPE in `code` means that the reader of the output has gone.
    Result<int> consume();

    /// After consume(): the signal that ended the run; 0: something else did.
    int ended_by_signal() const;

    /// After consume(): what the next run may begin with, and what this one was given and does not mention.
    Result<TraceValues> values();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
