// -l: lists the available probes, or those that each clause matches.
#include <unistd.h>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "cmd/report.hpp"
#include "dcompiler/render.hpp"
#include "dcompiler/sema/description_hints.hpp"

namespace dt::cmd {
namespace {

void list(Command& command, const Probe& probe)
{
    const std::string row = list_row(probe);
    command.output.write(isatty(STDOUT_FILENO) ? printable(row) : row); // names may come from untrusted files
    if (command.arguments.verbose)
        command.output.write(probe_information(probe, command.session.world().probes().signature(probe),
                                               *command.trace.compiler().program().types));
    command.output.drain();
}

/// Counts listed probes that this kernel cannot attach, and reports them in an interactive or verbose run.
class Unattachable {
public:
    void see(Command& command, const Probe& probe)
    {
        const std::string_view why = command.session.world().probes().why_unattachable(probe);
        count_ += !why.empty();
        why_ = why.empty() ? why_ : why;
    }
    void tell(const Command& command) const
    {
        if (count_ != 0 && (command.arguments.verbose || isatty(STDERR_FILENO)))
            say(command.arguments, std::to_string(count_) + " of these cannot be traced here: " + std::string(why_));
    }

private:
    std::size_t count_ = 0;
    std::string_view why_;
};

/// Returns the pattern of a description, or nothing if it is a probe's number.
std::optional<ProbePattern> pattern_of(const Statement& statement)
{
    std::string parts[4];
    std::size_t part = 0;
    for (const char c : statement.description)
        if (c != ':')
            parts[part] += c;
        else if (++part == std::size(parts))
            return std::nullopt;
    return ProbePattern{parts[0], parts[1], parts[2], parts[3]};
}

/// Returns a hint on a line of its own, or an empty string. With -v the reason is reported for each missing probe
/// instead.
std::string meant_instead(Command& command, const Statement& statement)
{
    const auto pattern = pattern_of(statement);
    probes::Catalogue& catalogue = command.session.world().probes();
    const std::string hint = pattern ? sema::meant_description(*pattern, command.session.world()) : "";
    const bool is_told = command.arguments.verbose && hint == catalogue.why_absent(*pattern);
    return hint.empty() || is_told ? "" : "\n\t" + hint;
}

/// With -v, reports why a description's probes are missing.
void explain_absent(Command& command, const Statement& statement)
{
    const auto pattern = pattern_of(statement);
    if (!pattern)
        return;
    command.session.world().probes().explain_absent(*pattern, [&](const std::string& what, std::string_view reason) {
        say(command.arguments, "no probe for " + what + ": " + std::string(reason));
    });
}

} // namespace

int list_mode(Command& command)
{
    if (command.arguments.programs.empty() && !command.arguments.operands.empty())
        return no_program(command);
    if (!add_programs(command))
        return kFailure;
    command.output.write(list_heading());
    Unattachable unattachable;
    if (command.arguments.programs.empty()) {
        std::vector<const Probe*> probes;
        if (const Result<void> found = command.session.world().probes().find({}, probes); !found)
            say(command.arguments, found.error().message);
        for (const Error& problem : command.session.world().probes().problems())
            say(command.arguments, problem.message);
        for (const Probe* probe : probes) {
            list(command, *probe);
            unattachable.see(command, *probe);
        }
        unattachable.tell(command);
        return flush_output(command) ? kSuccess : kFailure;
    }
    bool any = false;
    for (const Statement& statement : command.trace.compiler().program().statements) {
        if (statement.probes.empty())
            say(command.arguments, "failed to match " + statement.description + ": No probe matches description" +
                                       meant_instead(command, statement));
        any |= !statement.probes.empty();
        for (const Probe* probe : statement.probes) {
            if (probe->provider.ends_with('*')) // such a provider stands for processes that do not exist yet
                continue;
            list(command, *probe);
            unattachable.see(command, *probe);
        }
        if (command.arguments.verbose)
            explain_absent(command, statement);
    }
    unattachable.tell(command);
    return flush_output(command) && any ? kSuccess : kFailure;
}

} // namespace dt::cmd
