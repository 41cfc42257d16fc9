#include "cmd/lsp/document.hpp"

#include <algorithm>

#include <unistd.h>

#include "cmd/common/report.hpp"
#include "cmd/shell/help.hpp"

namespace dt::lsp {

namespace {

bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Returns the longest run of characters around the offset for which `fits` returns true.
template <typename Fits> std::string_view run_around(std::string_view text, std::size_t offset, Fits fits)
{
    std::size_t begin = std::min(offset, text.size()), end = begin;
    while (begin > 0 && fits(text[begin - 1]))
        --begin;
    while (end < text.size() && fits(text[end]))
        ++end;
    return text.substr(begin, end - begin);
}

/// Returns the name with the preceding @, self-> or this->, if present.
std::string with_scope(std::string_view text, std::string_view name)
{
    const std::string_view before = text.substr(0, static_cast<std::size_t>(name.data() - text.data()));
    for (const std::string_view scope : {"@", "self->", "this->"})
        if (before.ends_with(scope))
            return std::string(scope) + std::string(name);
    return std::string(name);
}

Finding finding_of(const Diagnostic& diagnostic, const Source* document, bool is_error)
{
    Finding finding{0, 0, is_error, diagnostic.tag, diagnostic.message};
    if (!diagnostic.hint.empty())
        finding.message += "\n" + diagnostic.hint;
    if (diagnostic.at.source == document) {
        finding.begin = diagnostic.at.offset;
        finding.end = finding.begin + std::max<std::size_t>(diagnostic.at.length, 1);
    }
    return finding;
}

std::string keys_of(const std::vector<std::string>& keys)
{
    std::string text;
    for (const std::string& key : keys)
        text += (text.empty() ? "[" : ", ") + key;
    return text.empty() ? text : text + "]";
}

/// Returns the probes that a description matches, and the arguments of the first probe, as text.
std::string probes_of(shell::Workbench& workbench, std::string_view description)
{
    const Result<Session*> session = workbench.session();
    if (!session || description.empty())
        return "";
    const Result<ProbePattern> pattern = shell::parse_pattern(*session.value(), description);
    std::vector<const Probe*> probes;
    if (!pattern || !session.value()->world().probes().find(pattern.value(), probes) || probes.empty())
        return "";
    const CompileOptions& options = workbench.options().compile();
    TypeTable types(options.strsize, options.data_model);
    std::string text = probes.size() == 1
                           ? probes[0]->full_name() + "\n"
                           : std::to_string(probes.size()) + " probes; the first: " + probes[0]->full_name() + "\n";
    return text + cmd::argument_types(session.value()->world().probes().signature(*probes[0]), types);
}

} // namespace

void Document::replace_text(std::string text)
{
    text_ = std::move(text);
    is_changed_ = true;
}

void Document::keep_types(const Program& program)
{
    types_.clear();
    for (const Variable& variable : program.variables) {
        const std::string scope = variable.scope == Scope::Self   ? "self->"
                                  : variable.scope == Scope::This ? "this->"
                                                                  : "";
        std::vector<std::string> keys;
        for (const Type* const key : variable.keys)
            keys.push_back(to_string(key));
        types_[scope + variable.name] = to_string(variable.type) + " " + scope + variable.name + keys_of(keys);
    }
    for (const Aggregation& aggregation : program.aggregations) {
        std::vector<std::string> keys;
        for (const AggKey& key : aggregation.keys)
            keys.push_back(to_string(key.type));
        types_["@" + aggregation.name] =
            "@" + aggregation.name + keys_of(keys) +
            (aggregation.function ? " = " + std::string(aggregation.function->name) + "()" : "");
    }
}

std::vector<Finding> Document::check(shell::Workbench& workbench)
{
    is_changed_ = false;
    const Result<Session*> session = workbench.session();
    if (!session)
        return {{0, 0, true, "", session.error().message}};
    Options options = workbench.options();
    // The command line that will run the script may set options, and is unknown here. So the most permissive values are
    // assumed.
    for (const char* const lenient : {"argref", "defaultargs", "destructive", "empty"})
        options.put(lenient);
    Macros macros;
    macros.script = path_;
    macros.target = session.value()->processes().first_pid();
    Trace trace(*session.value(), std::move(options));
    const bool is_right = trace.add({Source::Kind::Script, path_, text_}, SpecKind::Script, macros);
    Result<void> compiled;
    if (is_right) {
        keep_types(trace.compiler().program());
        workbench.take_names_of(trace.compiler().program());
        compiled = trace.compile();
    }
    std::vector<Finding> findings;
    const Diagnostics& diagnostics = trace.compiler().diagnostics();
    const Source* const source = trace.sources().empty() ? nullptr : &trace.sources().back();
    for (const Diagnostic& error : diagnostics.list())
        findings.push_back(finding_of(error, source, true));
    if (findings.empty() && !compiled)
        findings.push_back({0, 0, true, "", compiled.error().message});
    for (const Diagnostic& warning : diagnostics.warnings())
        findings.push_back(finding_of(warning, source, false));
    return findings;
}

std::string Document::meaning(shell::Workbench& workbench, std::size_t offset) const
{
    const std::string_view text = text_;
    const auto of_description = [](char c) {
        return is_of_name(c) || std::string_view(":*?-$.+@").find(c) != std::string_view::npos;
    };
    if (const std::string_view description = run_around(text, offset, of_description);
        description.find(':') != std::string_view::npos)
        if (const std::string probes = probes_of(workbench, description); !probes.empty())
            return probes;
    const std::string_view name = run_around(text, offset, is_of_name);
    if (name.empty())
        return probes_of(workbench, run_around(text, offset, of_description));
    if (const auto known = types_.find(with_scope(text, name)); known != types_.end())
        return known->second;
    const std::string help = shell::name_help(name);
    return help.empty() ? probes_of(workbench, run_around(text, offset, of_description)) : help;
}

} // namespace dt::lsp
