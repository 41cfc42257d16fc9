// One script of a service: its session, trace and output, and how it is doing.
//
//     Member member(around, script);
//     if (member.prepare(nullptr)) // compiled, and in the kernel
//         member.begin({});        // attached; the host runs it from now on
//     member.stop();               // END has run, all is printed
//
// Whatever goes wrong with it is its state and its last error, and nobody else's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/arguments.hpp"
#include "cmd/service/scripts.hpp"
#include "libdtrace/host/host.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/session.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::service {

enum class State : uint8_t { Starting, Tracing, Failed, Ended, Detached };

/// "tracing"
std::string_view word_of(State state);

class CompilerProcess; // compiling.hpp

/// What a script begins with in a service of these options.
Options options_of_scripts(const Options& given);

/// What all members stand in; it outlives them.
struct Surroundings {
    const cmd::Arguments& arguments; ///< without operands
    const Options& options;
    Session& ground; ///< what is known of the machine
    Host& host;
    CompilerProcess& compiler;
    std::function<void()> lives;   ///< called while something takes its time
    std::function<void()> grows;   ///< called before one takes memory
    std::function<void()> changed; ///< called when one has ended by itself
};

/// How a member is doing.
struct Health {
    std::string name, path;
    State state = State::Starting;
    int64_t since = 0; ///< of the state: seconds by the clock of the wall
    std::string error; ///< the last, whole; empty: there was none
    int exit_status = 0;
    std::string output; ///< empty: the service's
    std::string pin;    ///< empty: it has none
    Labels labels;
    // While it traces.
    uint64_t probes = 0, fired = 0;
    double firings_a_second = 0, cost = 0;  ///< cost: ns of a CPU for each ns
    uint64_t memory = 0, memory_bound = 0;  ///< bytes, in the kernel
    std::vector<output::LedgerRow> losses;  ///< those that there were
    std::optional<output::Firings> firings; ///< with -x firings: of all probes, also when it has ended
};

class Member {
public:
    Member(const Surroundings& around, Script script);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    /// Compiles and loads. False: it has failed; the reason is error(), and on standard error. `former`: whose place it
    /// takes when it begins, so that nothing is missed between them; null: nobody's.
    bool prepare(Member* former);
    /// After prepare(): attaches and runs, beginning with what another trace left. False as above.
    bool begin(TraceValues values);
    /// Runs END and prints the rest; nothing where it does not trace. `into`: the state it is in then.
    void stop(State into = State::Detached);
    /// After begin() in another's place: ends that one, and goes on from what it leaves.
    void succeed(Member& former);
    /// After stop(): what a trace that takes its place may begin with.
    TraceValues values();
    /// After stop(), and values(): what it has in the kernel and in memory.
    void release();

    const Script& script() const { return script_; }
    const std::string& name() const { return script_.name; }
    State state() const { return state_; }
    const std::string& error() const { return error_; }
    /// A text that was to take its place, and why it did not.
    void note_refused(std::string text, std::string error)
    {
        refused_ = std::move(text);
        error_ = std::move(error);
    }
    /// Its own, or the one that was refused last.
    bool is_of_text(const std::string& text) const { return text == script_.text || text == refused_; }
    /// Whether what is pinned under that name may be its, when it is started again. Of one that could not be compiled
    /// that is so when its text has the name, wherever.
    bool claims(const std::string& pin) const;
    /// Whether it traces and has a name that another one of it cannot have at the same time (-x pin).
    bool is_pinned() const { return state_ == State::Tracing && !pin_.value_or("").empty(); }
    /// That name; empty: it has none, or does not trace.
    std::string pin() const { return is_pinned() ? *pin_ : ""; }
    /// Null where it does not trace.
    Trace* trace() { return state_ == State::Tracing ? trace_.get() : nullptr; }

    Health health();
    /// The most memory that it may take, in the kernel and of the service's own; 0 where it does not trace.
    uint64_t memory_bound() const;

private:
    bool fail(std::string error);
    bool load(Member* former);
    bool attach(TraceValues values);
    void enter(State state);
    void ended(Result<int> status);
    bool open_output();
    bool compile();
    void forget_compiler_if_refused();
    void count_firings(const output::CostReport& costs);
    void sum_firings();
    void say(std::string_view text);

    const Surroundings& around_;
    const Script script_;
    State state_ = State::Starting, state_after_ = State::Ended;
    int64_t since_ = 0;
    std::string error_;
    std::optional<std::string> refused_;
    int exit_status_ = 0;
    std::unique_ptr<Session> session_;
    std::string output_path_;
    Labels labels_;
    std::optional<std::string> pin_; ///< once it was compiled; empty: it has none
    int descriptor_ = -1;            ///< its own of the service's standard output: freopen() leads it elsewhere
    std::unique_ptr<Output> output_;
    std::unique_ptr<Trace> trace_; ///< ends before what it prints to
    std::chrono::steady_clock::time_point counted_{};
    uint64_t fired_ = 0;      ///< when the rate was asked for
    uint64_t most_fired_ = 0; ///< that was told
    double rate_ = 0;
    std::optional<output::Firings> firings_;
};

} // namespace dt::service
