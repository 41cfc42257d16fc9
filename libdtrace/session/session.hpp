// One tracing run, from program texts to exit status. The public phases: add, compile, start, run.
//
//     Options options;
//     Session session(options);
//     session.add({Source::Kind::CommandLine, "BEGIN", "BEGIN { exit(0); }"}, SpecKind::Name, macros);
//     session.compile();            // an Object: nothing of it is in the kernel yet
//     session.start(output, symbols); // loaded, attached, BEGIN has run, probes fire
//     session.run();                // until exit(), a signal, or the end of the processes; END has run, everything is detached
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "dcompiler/compiler.hpp"
#include "dcompiler/object/functions.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/world/world.hpp"

namespace dt {

class Output;
class Symbols;

/// What did not go as planned when probes were attached.
struct AttachReport {
    std::vector<std::string> fallbacks; ///< mechanisms that the kernel refused, and why; others serve the probes
    struct Refused {
        const Probe* probe = nullptr;
        std::string reason;
    };
    std::vector<Refused> refused; ///< probes that a pattern covers and the kernel would not have
};

class Session {
public:
    /// `options` must outlive the session; pragmas and setopt() change it.
    explicit Session(Options& options);
    /// Detaches and releases whatever is still there.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    LiveWorld& world();

    /// -c and -p. Fill it before the first add(): $target and pid probes depend on it.
    Processes& processes();

    /// After the processes are known and before the first add(). Fails when the archive of kernel types that ctfpath names cannot be used; the
    /// error is complete.
    Result<void> prepare();

    /// Parses and checks one program, and before the first one the D libraries that the options name; the session keeps its text. False: the reasons are in compiler().diagnostics().
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

    /// Loads, attaches, opens the consumer, runs BEGIN, makes every other probe active and lets the processes go. Both arguments must outlive
    /// the session. The error is complete ("could not enable tracing: …", or the missing capability) and leaves nothing in the kernel.
    Result<void> start(Output& output, Symbols& symbols);

    /// After start().
    const AttachReport& attach_report() const;

    /// Between start() and the end of run(): each program as the kernel was given it, in the order of the object's plans.
    std::vector<ObjectFunction> final_code() const;

    /// With -x bpflog, after start(): what the verifier said.
    const std::string& verifier_log() const;

    /// Consumes until the run ends, then stops: no probe fires, END runs, everything is detached, the rest is printed. The exit status is that
    /// of exit(n), else 0. Errors: "processing aborted: …"; EPIPE in `code` means that the reader of the output has gone.
    Result<int> run();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Sets options from DTRACE_OPT_<NAME> variables; what does not fit is ignored silently (output reference 2.10). `environment`: as environ(7).
void set_options_from_environment(Options& options, const char* const* environment);

} // namespace dt
