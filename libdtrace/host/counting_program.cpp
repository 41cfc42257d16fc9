// Copies predicates from the source text, because the checked syntax tree keeps only the positions of words.
#include "libdtrace/host/counting_program.hpp"

#include <algorithm>
#include <string_view>

#include "dcompiler/probes.hpp"

namespace dt {
namespace {

constexpr const char* kNothing = " { 1; }\n"; // body of a clause that records nothing; an empty body would record a
                                              // firing

/// Range of the source text that an expression covers.
struct Extent {
    std::size_t begin = std::string::npos, end = 0;
};

void extend(Extent& extent, const TExpr& expr, const Source& source)
{
    if (expr.at.source == &source && expr.at.length != 0) {
        extent.begin = std::min<std::size_t>(extent.begin, expr.at.offset);
        extent.end = std::max<std::size_t>(extent.end, expr.at.offset + expr.at.length);
    }
    for (const TExpr* kid : expr.kids)
        if (kid)
            extend(extent, *kid, source);
}

/// Returns whether the expression reads no variables and has no side effects.
bool is_portable(const TExpr& expr)
{
    if (expr.op == TOp::Variable || expr.op == TOp::Assign)
        return false;
    return std::all_of(expr.kids.begin(), expr.kids.end(), [](const TExpr* kid) { return !kid || is_portable(*kid); });
}

bool is_of_tracer(const Statement& statement)
{
    return std::any_of(statement.probes.begin(), statement.probes.end(), [](const Probe* probe) {
        return probe->id == kBeginProbe || probe->id == kEndProbe || probe->id == kErrorProbe;
    });
}

} // namespace

std::string portable_predicate(const Statement& statement)
{
    if (!statement.predicate || !statement.at.source || !is_portable(*statement.predicate))
        return {};
    const std::string_view text = statement.at.source->text;
    Extent extent;
    extend(extent, *statement.predicate, *statement.at.source);
    if (extent.begin == std::string::npos || extent.begin < statement.at.offset || extent.end > text.size())
        return {};
    // Extends the range over parentheses and operators, which have no position, up to the slashes.
    const std::size_t open = text.find_last_not_of(" \t\n(!~-+*&", extent.begin == 0 ? 0 : extent.begin - 1);
    const std::size_t close = text.find_first_not_of(" \t\n)]", extent.end);
    if (open == std::string_view::npos || close == std::string_view::npos || text[open] != '/' || text[close] != '/')
        return {};
    return std::string(text.substr(open + 1, close - open - 1));
}

bool has_other_predicate(const Statement& statement)
{
    return statement.predicate && portable_predicate(statement).empty();
}

std::string counting_program(const std::deque<Statement>& statements)
{
    std::string text;
    for (const Statement& statement : statements) {
        if (is_of_tracer(statement))
            continue;
        const std::string predicate = portable_predicate(statement);
        text += statement.description + (predicate.empty() ? "" : " /" + predicate + "/") + kNothing;
    }
    return text;
}

std::string counting_program(std::span<const Probe* const> probes)
{
    std::string text;
    for (const Probe* probe : probes)
        text += (text.empty() ? "" : ",\n") + probe->full_name();
    return text.empty() ? text : text + kNothing;
}

} // namespace dt
