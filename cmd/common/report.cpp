// Formats listing rows, stability blocks, and the tables of -x timing.
#include "cmd/common/report.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <set>

namespace dt::cmd {
namespace {

constexpr Attributes kMax{Stability::Standard, Stability::Standard, DependencyClass::Common};

std::string_view stability_name(Stability stability)
{
    static constexpr std::string_view kNames[] = {"Internal", "Private",  "Obsolete", "External",
                                                  "Unstable", "Evolving", "Stable",   "Standard"};
    return kNames[static_cast<std::size_t>(stability)];
}

std::string_view class_name(DependencyClass dependency)
{
    static constexpr std::string_view kNames[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};
    return kNames[static_cast<std::size_t>(dependency)];
}

Attributes minimum(const Attributes& a, const Attributes& b)
{
    return {std::min(a.name, b.name), std::min(a.data, b.data), std::min(a.dependency, b.dependency)};
}

std::string block(std::string_view title, const Attributes& attributes)
{
    std::string text = "\t" + std::string(title) + "\n";
    text += "\t\tIdentifier Names: " + std::string(stability_name(attributes.name)) + "\n";
    text += "\t\tData Semantics:   " + std::string(stability_name(attributes.data)) + "\n";
    text += "\t\tDependency Class: " + std::string(class_name(attributes.dependency)) + "\n";
    return text;
}

/// Returns the stability attributes of a probe's name: the attributes of its provider, lowered to the attributes of
/// each component (module, function, name) that the probe has.
Attributes probe_attributes(const Probe& probe)
{
    Attributes result = probe.attributes->provider;
    if (!probe.module.empty())
        result = minimum(result, probe.attributes->module);
    if (!probe.function.empty())
        result = minimum(result, probe.attributes->function);
    if (!probe.name.empty())
        result = minimum(result, probe.attributes->name);
    return result;
}

/// Removes const, which D types lack: "const char *" is listed as "char *".
std::string without_const(std::string_view type)
{
    std::string text(type);
    static constexpr std::string_view kConst = "const ";
    for (auto at = text.find(kConst); at != std::string::npos; at = text.find(kConst))
        text.erase(at, kConst.size());
    return text;
}

std::string argument_types(const std::vector<ProbeArgument>& arguments, TypeTable& types)
{
    std::string text = "\tArgument Types\n";
    if (arguments.empty())
        text += "\t\tNone\n";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const ProbeArgument& argument = arguments[i];
        const Type* made = argument.type ? argument.type(types) : nullptr;
        const std::string native = made ? to_string(made) : argument.native;
        std::string type = without_const(argument.translated.empty() ? native : argument.translated);
        if (!argument.name.empty())
            type += (type.ends_with('*') ? "" : " ") + argument.name;
        text += "\t\targs[" + std::to_string(i) + "]: " + (type.empty() ? "(unknown)" : type) +
                (argument.refusal.empty() ? "" : " (" + argument.refusal + ")") + "\n";
    }
    return text;
}

std::string information(const Attributes& name, const Attributes& args, const std::vector<ProbeArgument>& arguments,
                        TypeTable& types)
{
    return "\n" + block("Probe Description Attributes", name) + "\n" + block("Argument Attributes", args) + "\n" +
           argument_types(arguments, types) + "\n";
}

std::string row(const char* format, const char* id, const Probe& probe)
{
    char text[512];
    std::snprintf(text, sizeof text, format, id, probe.provider.c_str(), probe.module.c_str(), probe.function.c_str());
    return text + probe.name + "\n";
}

} // namespace

std::string list_heading()
{
    Probe titles;
    titles.provider = "PROVIDER";
    titles.module = "MODULE";
    titles.function = "FUNCTION";
    titles.name = "NAME";
    return row("%5s %10s %17s %33s ", "ID", titles);
}

std::string list_row(const Probe& probe)
{
    return row("%5s %10s %17s %33s ", std::to_string(probe.id).c_str(), probe);
}

std::string probe_information(const Probe& probe, const ProbeSignature& signature, TypeTable& types)
{
    const std::string note = signature.note ? signature.note() : signature.untyped;
    return information(probe_attributes(probe), probe.attributes->args, signature.arguments, types) +
           (note.empty() ? "" : "\t" + note + "\n\n");
}

std::string argument_types(const ProbeSignature& signature, TypeTable& types)
{
    return argument_types(signature.arguments, types);
}

std::string stability_report(const Program& program, uint32_t index, std::string_view subject)
{
    Attributes description = kMax, statement = kMax;
    for (const Statement& candidate : program.statements)
        if (candidate.program == index) {
            description = minimum(description, candidate.description_attributes);
            statement = minimum(statement, candidate.attributes);
        }
    return "\nStability attributes for " + std::string(subject) + ":\n\n" +
           block("Minimum Probe Description Attributes", description) + "\n" +
           block("Minimum Statement Attributes", statement);
}

std::string description_report(const Program& program, uint32_t index, ProbeSource& source)
{
    std::string text;
    std::set<std::string_view> seen;
    for (const Statement& statement : program.statements) {
        if (statement.program != index || !seen.insert(statement.description).second)
            continue;
        text += "\n" + statement.description + "\n";
        if (!statement.arguments_known)
            continue; // reports no argument types, because the clause's probes have different arguments
        const Probe& first = *statement.probes.front();
        text += information(statement.description_attributes, first.attributes->args, source.signature(first).arguments,
                            *program.types);
    }
    return text;
}

std::string_view spec_of(std::string_view text)
{
    return text.substr(0, text.find_first_of("{/;"));
}

namespace {

double milliseconds(std::chrono::nanoseconds time)
{
    return std::chrono::duration<double, std::milli>(time).count();
}

[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...)
{
    char row[256];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(row, sizeof row, format, arguments);
    va_end(arguments);
    text += row;
}

} // namespace

std::string timing_table(std::string_view title, const std::vector<PhaseTimes::Step>& steps)
{
    std::chrono::nanoseconds all{}, passed{};
    for (const PhaseTimes::Step& step : steps)
        all += step.is_part ? std::chrono::nanoseconds{} : step.took;
    const double whole = std::max(milliseconds(all), 1e-6);
    std::string text;
    append(text, "\n%.*s: %.1f ms\n  ended at      took  share\n", static_cast<int>(title.size()), title.data(),
           milliseconds(all));
    for (std::size_t i = 0; i < steps.size();) {
        // index of the phase to which entry `i` belongs; the parts of a phase precede the entry of the phase itself
        std::size_t owner = i;
        while (owner < steps.size() && steps[owner].is_part)
            ++owner;
        if (owner == steps.size())
            break;
        const double took = milliseconds(steps[owner].took);
        passed += steps[owner].took;
        append(text, "%7.1f ms %7.1f ms %5.1f%%  %s\n", milliseconds(passed), took, 100 * took / whole,
               steps[owner].name.c_str());
        for (; i < owner; ++i) {
            const double part = milliseconds(steps[i].took);
            append(text, "%10s %7.1f ms %5.1f%%    of which %s\n", "", part, 100 * part / whole, steps[i].name.c_str());
        }
        i = owner + 1;
    }
    return text;
}

std::string verified_table(const std::vector<std::pair<std::string, uint64_t>>& programs)
{
    std::string text = "\nverified instructions\n";
    for (const auto& [name, count] : programs)
        append(text, "%21llu  %s\n", static_cast<unsigned long long>(count), name.c_str());
    return text;
}

void Timing::print(std::string_view title)
{
    has_begun_ = true;
    if (steps_)
        std::fputs(timing_table(title, steps_->take()).c_str(), stderr);
}

void Timing::print_end()
{
    if (!has_begun_ || !steps_ || steps_->empty())
        return;
    steps_->done("exit");
    print("from the end to the prompt");
}

} // namespace dt::cmd
