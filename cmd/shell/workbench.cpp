#include "cmd/shell/workbench.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cmd/common/messages.hpp"
#include "libdtrace/attach/attach.hpp"
#include "libdtrace/trace/program_set.hpp"

namespace dt::shell {

using cmd::Command;

Workbench::Workbench(const cmd::Arguments& arguments, Options options, Output& output, MakeWorld make_world)
    : arguments_(arguments), options_(std::move(options)), output_(output), make_world_(std::move(make_world))
{
}

Result<Session*> Workbench::session()
{
    if (!session_) {
        auto fresh = std::make_unique<Session>(options_, make_world_);
        if (const Result<void> opened = open_processes(arguments_, *fresh); !opened)
            return opened.error();
        session_ = std::move(fresh);
    }
    if (const Result<void> prepared = session_->prepare(); !prepared)
        return prepared.error();
    return session_.get();
}

/// Returns the options for a trace: those that the user has set, and two that relax errors. A clause may consist only
/// of a pragma, and command-line arguments may be unused.
Options Workbench::options_of_run() const
{
    Options options = options_;
    options.put("empty");
    options.put("argref");
    return options;
}

bool Workbench::add_clauses(Command& command, const std::vector<std::string>& clauses)
{
    for (std::size_t i = 0; i < clauses.size(); ++i) {
        const std::string name = "clause " + std::to_string(i + 1);
        if (!command.trace.add({Source::Kind::Script, name, clauses[i] + "\n"}, SpecKind::Script,
                               macros_for(command, name)))
            return false;
    }
    return true;
}

bool Workbench::compiled(const std::function<void(Command&)>& use)
{
    const Result<Session*> ready = session();
    if (!ready) {
        print_message(arguments_, ready.error().message);
        return false;
    }
    Trace trace(*ready.value(), options_of_run());
    Command command{arguments_, *ready.value(), trace, output_};
    if (!add_clauses(command, clauses_)) {
        print_diagnostics(command);
        return false;
    }
    if (!finish_programs(command))
        return false;
    use(command);
    return true;
}

bool Workbench::try_text(const std::string& text, const std::function<void(const Program&)>& use)
{
    const Result<Session*> ready = session();
    if (!ready)
        return false;
    Trace trace(*ready.value(), options_of_run());
    Command command{arguments_, *ready.value(), trace, output_};
    if (!add_clauses(command, clauses_) ||
        !trace.add({Source::Kind::Script, "", text + "\n"}, SpecKind::Script, macros_for(command, "")))
        return false;
    use(trace.compiler().program());
    return true;
}

void Workbench::keep_names(const Program& program)
{
    for (const Variable& variable : program.variables)
        names_.push_back({variable.name, variable.scope, false});
    for (const Aggregation& aggregation : program.aggregations)
        names_.push_back({aggregation.name, Scope::Global, true});
}

void Workbench::take_names_of(const Program& program)
{
    names_.clear();
    keep_names(program);
}

bool Workbench::take(std::vector<std::string> clauses, std::size_t first, std::size_t count)
{
    clauses_.swap(clauses);
    const std::vector<ProgramName> former = std::exchange(names_, {});
    const bool good = clauses_.empty() || compiled([&](Command& command) {
                          keep_names(command.trace.compiler().program());
                          report(command, first, count);
                      });
    if (!good) {
        clauses_.swap(clauses);
        names_ = former;
    }
    return good;
}

/// Reports how many probes each new clause matches, unless the output is quiet.
void Workbench::report(const Command& command, std::size_t first, std::size_t count) const
{
    if (command.trace.options().print().quiet)
        return;
    for (std::size_t i = first; i < first + count; ++i)
        if (const std::size_t matched = command.trace.matched(static_cast<uint32_t>(i)); matched != 0)
            print_message(arguments_, "clause " + std::to_string(i + 1) + " matched " + std::to_string(matched) +
                                          (matched == 1 ? " probe" : " probes"));
}

bool Workbench::add(const std::vector<std::string>& clauses)
{
    return replace(clauses_.size(), clauses);
}

bool Workbench::replace(std::size_t number, const std::vector<std::string>& clauses)
{
    std::vector<std::string> changed = clauses_;
    const auto at = changed.begin() + static_cast<std::ptrdiff_t>(number);
    const auto behind = number < changed.size() ? changed.erase(at) : at;
    changed.insert(behind, clauses.begin(), clauses.end());
    return take(std::move(changed), number, clauses.size());
}

bool Workbench::remove(std::size_t first, std::size_t count)
{
    std::vector<std::string> changed = clauses_;
    const auto begin = changed.begin() + static_cast<std::ptrdiff_t>(first);
    changed.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    return take(std::move(changed), 0, 0);
}

bool Workbench::set_option(std::string_view text)
{
    const Options former = options_;
    if (const Result<void> set = cmd::apply_settings({{'x', std::string(text)}}, options_); !set) {
        print_message(arguments_, set.error().message);
        return false;
    }
    session_.reset(); // ends the session, because the option may change where files are searched
    if (!take(clauses_, 0, 0)) {
        options_ = former;
        session_.reset();
        return false;
    }
    set_options_.emplace_back(text);
    return true;
}

bool Workbench::matches_any(const Trace& trace) const
{
    for (uint32_t i = 0; i < clauses_.size(); ++i)
        if (trace.matched(i) != 0)
            return true;
    return trace.options().compile().zdefs;
}

void Workbench::let_go_of_processes()
{
    if (!arguments_.processes.empty())
        session_.reset();
}

/// Ends the output of a trace: undoes freopen(), and ends an incomplete line before the shell prints its next message.
void Workbench::end_results()
{
    if (const Result<void> restored = output_.redirect({}); !restored)
        print_message(arguments_, restored.error().message);
    if (!arguments_.output && output_.is_in_line())
        output_.write("\n");
    output_.send();
}

bool Workbench::run()
{
    bool good = false;
    const bool compiles = compiled([&](Command& command) {
        Trace& trace = command.trace;
        if (!matches_any(trace)) {
            print_message(arguments_, "no probes matched");
            return;
        }
        trace.restore(values_);
        EventLoop host;
        Result<int> ended = cmd::kFailure;
        if (!start_trace(command, host, [&](Result<int> status) { ended = std::move(status); }))
            return;
        for (const std::string& anew : trace.programs().report().restarted_globals)
            print_message(arguments_, "previous value not restored: " + anew);
        host.run();
        good = ended.ok();
        const int signal = host.signal();
        is_over_ = signal != 0 && signal != SIGINT;
        if (!good)
            return print_message(arguments_, ended.error().message);
        if (Result<TraceValues> values = trace.values())
            values_ = std::move(values.value());
        good = flush_output(command);
    });
    end_results();
    let_go_of_processes();
    return compiles && good;
}

} // namespace dt::shell
