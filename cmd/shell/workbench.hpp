// The program that the user enters in the shell, and the state that persists between traces: clauses, options, scalar
// globals and aggregations.
//
// Before a change is accepted, it is compiled with the rest of the program, so the program can always run. Several
// traces use the same session as long as machine and options stay the same. With -c, each trace starts the command
// again and needs a new session.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/common/modes.hpp"

namespace dt::shell {

/// Name and scope of a variable or aggregation.
struct ProgramName {
    std::string name;
    Scope scope = Scope::Global;
    bool is_aggregation = false;
};

class Workbench {
public:
    using MakeWorld = Session::MakeWorld;

    /// All constructor arguments must outlive the object. Tests pass `make_world` for a fixed machine description.
    Workbench(
        const cmd::Arguments& arguments, Options options, Output& output,
        MakeWorld make_world = [] { return std::make_unique<LiveWorld>(); });

    /// Returns the session for the next trace, and creates a new one if needed. The error message can be printed
    /// unchanged.
    Result<Session*> session();

    const std::vector<std::string>& clauses() const { return clauses_; }
    const Options& options() const { return options_; }

    /// The following functions change the program and compile it. If there is an error, they print it, undo the change,
    /// and return false.
    bool add(const std::vector<std::string>& clauses);
    /// `number` is the index of the clause to replace, from 0
    bool replace(std::size_t number, const std::vector<std::string>& clauses);
    bool remove(std::size_t first, std::size_t count);
    bool set_option(std::string_view text); ///< `text` has the form NAME or NAME=VALUE

    /// Returns the options set in the shell, as "NAME" or "NAME=VALUE".
    const std::vector<std::string>& set_options() const { return set_options_; }

    /// Compiles the program and calls `use` with it. Returns false after printing an error.
    bool compiled(const std::function<void(cmd::Command&)>& use);
    /// Traces until the run ends. Returns false after printing an error.
    bool run();
    /// Returns whether a signal other than ^C has ended a run, so that the shell must end too.
    bool is_over() const { return is_over_; }
    /// Ends the session, and with it the commands of -c, if -c or -p was given. Called after a trace or a ^C. The next
    /// trace starts the commands again and attaches to the processes of -p again.
    void let_go_of_processes();

    const TraceValues& values() const { return values_; }
    /// Discards all values of variables and aggregations, so that the next trace starts without them.
    void forget_values() { values_ = {}; }

    /// Returns the names of variables and aggregations in the program that was compiled last.
    const std::vector<ProgramName>& names() const { return names_; }
    /// Replaces the names for completion by the names in a program that was compiled elsewhere.
    void take_names_of(const Program& program);

    /// Compiles the program followed by `text` without printing anything, and calls `use` with the result. Returns
    /// false if it has errors.
    bool try_text(const std::string& text, const std::function<void(const Program&)>& use);

private:
    Options options_of_run() const;
    bool add_clauses(cmd::Command& command, const std::vector<std::string>& clauses);
    /// Compiles the new list of clauses and accepts it. Reports how many probes the new clauses match: these are
    /// `count` clauses from index `first` on.
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
