// The program that is being written, and what stays from one run of it to the next: its clauses, the options, scalar
// globals and aggregations.
//
// Every change is compiled with all the rest before it is taken, so that what is there can always be run. A session
// serves as many runs as the machine and the options it began with; a command of -c is started anew for each run, and
// so is a session for it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/modes.hpp"

namespace dt::shell {

/// A variable or aggregation of the program, by its name and where it belongs.
struct ProgramName {
    std::string name;
    Scope scope = Scope::Global;
    bool is_aggregation = false;
};

class Workbench {
public:
    using MakeWorld = Session::MakeWorld;

    /// All given must outlive it. `make_world`: for tests, which freeze one.
    Workbench(
        const cmd::Arguments& arguments, Options options, Output& output,
        MakeWorld make_world = [] { return std::make_unique<LiveWorld>(); });

    /// The session for what comes next, made anew where that is necessary. The error is complete.
    Result<Session*> session();

    const std::vector<std::string>& clauses() const { return clauses_; }
    const Options& options() const { return options_; }

    /// Each of these compiles the program as it would be. False: there was an error, it is printed, and nothing has
    /// changed.
    bool add(const std::vector<std::string>& clauses);
    bool replace(std::size_t number, const std::vector<std::string>& clauses); ///< `number`: from 0
    bool remove(std::size_t first, std::size_t count);
    bool set_option(std::string_view text); ///< NAME or NAME=VALUE

    /// As #pragma lines and options of the command for a script: what was set here and on the command line.
    const std::vector<std::string>& set_options() const { return set_options_; }

    /// Compiles the program for `use`. False: an error, printed.
    bool compiled(const std::function<void(cmd::Command&)>& use);
    /// Traces until the run ends. False: an error, printed.
    bool run();
    /// A signal that is no ^C has ended a run: the shell is to end too.
    bool is_over() const { return is_over_; }
    /// After a run, or a ^C, which goes to commands as well, held or not: those of -c are started and those of -p taken
    /// up anew for what comes next.
    void let_go_of_processes();

    const TraceValues& values() const { return values_; }
    /// The next run begins with nothing.
    void forget_values() { values_ = {}; }

    /// Of the program as it was compiled last.
    const std::vector<ProgramName>& names() const { return names_; }
    /// Of a program that somebody else has compiled.
    void take_names_of(const Program& program);

    /// What a text behind the program's clauses is when it is compiled; nothing is printed. False: it has errors.
    bool try_text(const std::string& text, const std::function<void(const Program&)>& use);

private:
    Options options_of_run() const;
    bool add_clauses(cmd::Command& command, const std::vector<std::string>& clauses);
    /// The program as it would be; of its clauses, `count` from `first` on are new, and told of.
    bool take(std::vector<std::string> clauses, std::size_t first, std::size_t count);
    void report(const cmd::Command& command, std::size_t first, std::size_t count) const;
    void end_results();
    bool matches_any(const Trace& trace) const;
    void keep_names(const Program& program);

    const cmd::Arguments& arguments_;
    Options options_;
    Output& output_;
    const MakeWorld make_world_;
    std::unique_ptr<Session> session_;
    std::vector<std::string> clauses_;
    std::vector<std::string> set_options_;
    std::vector<ProgramName> names_;
    TraceValues values_;
    bool is_over_ = false;
};

} // namespace dt::shell
