#include "test/verify/load_attempts.hpp"

#include <algorithm>
#include <cerrno>
#include <set>

#include "libdtrace/session/program_file.hpp"

namespace dt::verify {
namespace {

constexpr std::size_t kStatements = 24; ///< number of statements in a clause

std::string clause_of(const std::string& probe, const std::vector<std::string>& statements,
                      std::vector<std::size_t>* ends = nullptr)
{
    std::string text = probe + " {";
    for (const std::string& statement : statements) {
        text += " " + statement;
        if (ends)
            ends->push_back(text.size());
    }
    return text + " }";
}

/// Returns whether the error only means that a valid program is too large: for one clause, one sample or the verifier.
bool is_about_size(const Error& error)
{
    return error.code == ENOSPC || error.code == E2BIG || error.code == ENOBUFS || error.code == ENOMEM;
}

} // namespace

uint64_t Verdicts::statements() const
{
    uint64_t sum = loaded + compiled + internal.size();
    for (const auto& [tag, count] : refused)
        sum += count;
    return sum;
}

void Verdicts::add(const Verdicts& other)
{
    loaded += other.loaded;
    compiled += other.compiled;
    for (const auto& [tag, count] : other.refused)
        refused[tag] += count;
    for (const auto& [message, count] : other.messages)
        messages[message] += count;
    internal.insert(internal.end(), other.internal.begin(), other.internal.end());
}

void LoadAttempts::attempt(const std::string& probe, std::vector<std::string> statements, Verdicts& verdicts)
{
    for (std::size_t i = 0; i < statements.size(); i += kStatements) {
        const auto begin = statements.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = begin + static_cast<std::ptrdiff_t>(std::min(kStatements, statements.size() - i));
        attempt_part(probe, {begin, end}, verdicts);
    }
}

void LoadAttempts::halve(const std::string& probe, const std::vector<std::string>& statements, Verdicts& verdicts)
{
    const auto middle = statements.begin() + static_cast<std::ptrdiff_t>(statements.size() / 2);
    attempt_part(probe, {statements.begin(), middle}, verdicts);
    attempt_part(probe, {middle, statements.end()}, verdicts);
}

/// Counts the statements with compile errors and tries the others. Returns false if no statement has an error.
bool LoadAttempts::take_refused(Trace& trace, const std::string& probe, const std::vector<std::string>& statements,
                                Verdicts& verdicts)
{
    std::vector<std::size_t> ends;
    clause_of(probe, statements, &ends);
    std::set<std::size_t> wrong;
    for (const Diagnostic& diagnostic : trace.compiler().diagnostics().list()) {
        const auto at =
            static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), diagnostic.at.offset) - ends.begin());
        if (!diagnostic.at.source || diagnostic.at.source != &trace.sources().back() || at == ends.size() ||
            diagnostic.at.offset <= probe.size() + 1)
            continue;
        if (!wrong.insert(at).second)
            continue;
        if (diagnostic.tag.empty()) {
            verdicts.internal.push_back(clause_of(probe, {statements[at]}) + ": " + diagnostic.message);
            continue;
        }
        ++verdicts.refused[diagnostic.tag];
        ++verdicts.messages[diagnostic.tag + " " + diagnostic.message];
    }
    if (wrong.empty())
        return false;
    std::vector<std::string> right;
    for (std::size_t i = 0; i < statements.size(); ++i)
        if (!wrong.contains(i))
            right.push_back(statements[i]);
    attempt_part(probe, right, verdicts);
    return true;
}

void LoadAttempts::attempt_part(const std::string& probe, const std::vector<std::string>& statements,
                                Verdicts& verdicts)
{
    if (statements.empty())
        return;
    const std::string text = clause_of(probe, statements);
    Trace trace(session_, session_.options());
    const bool added = trace.add({Source::Kind::CommandLine, text, text}, SpecKind::Name,
                                 macros_of_process(session_.processes().first_pid()));
    Result<void> result = added ? trace.compile() : Result<void>(Error{"does not compile"});
    if (!result && trace.compiler().diagnostics().has_errors()) {
        if (take_refused(trace, probe, statements, verdicts))
            return;
        if (statements.size() > 1)
            return halve(probe, statements, verdicts);
        const Diagnostic& first = trace.compiler().diagnostics().list().front();
        ++verdicts.refused[first.tag];
        ++verdicts.messages[first.tag + " " + first.message];
        if (first.tag.empty())
            verdicts.internal.push_back(text + ": " + first.message);
        return;
    }
    const bool is_compiled = result.ok();
    if (is_compiled)
        result = trace.load();
    if (result) {
        verdicts.loaded += statements.size();
        return;
    }
    const Error& error = result.error();
    if (is_compiled && (error.code == EPERM || error.code == ENOTSUP || error.code == EOPNOTSUPP)) {
        verdicts.compiled += statements.size();
        ++verdicts.messages["compiled only: " + error.message];
        return;
    }
    if (statements.size() > 1)
        return halve(probe, statements, verdicts);
    if (is_about_size(error)) {
        ++verdicts.refused["size"];
        ++verdicts.messages["size " + error.message];
        return;
    }
    verdicts.internal.push_back(text + ": " + error.message);
}

} // namespace dt::verify
