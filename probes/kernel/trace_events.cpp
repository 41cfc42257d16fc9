// Parses files of tracefs: the lists of events, and the formats of records (Documentation/trace/events.rst).
#include "probes/kernel/trace_events.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace dt::probes {
namespace {

constexpr std::string_view kSpace = " \t";

template <typename Visit> void for_each_line(std::string_view text, Visit visit)
{
    for (std::size_t start = 0, end; start < text.size(); start = end + 1) {
        end = std::min(text.find('\n', start), text.size());
        visit(text.substr(start, end - start));
    }
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kSpace);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

/// Converts the definition of a dynamic event, "p:group/event address …", "r4:group/event …" or "s:group/event …", to
/// group:event, the form in tracefs' available_events.
std::string dynamic_name(std::string_view line)
{
    const std::size_t colon = line.find(':');
    std::string name(colon == std::string_view::npos
                         ? std::string_view()
                         : line.substr(colon + 1, line.find_first_of(kSpace, colon) - colon - 1));
    std::replace(name.begin(), name.end(), '/', ':');
    return name;
}

/// Returns the number after `label` in "field:…; offset:8; size:4; signed:1;".
uint32_t number_of(std::string_view line, std::string_view label)
{
    const std::size_t at = line.find(label);
    uint32_t number = 0;
    if (at != std::string_view::npos)
        std::from_chars(line.data() + at + label.size(), line.data() + line.size(), number);
    return number;
}

bool take_prefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// Parses a declaration such as "pid_t pid", "char comm[16]" or "__data_loc char[] filename".
void declare(TraceField& field, std::string_view declaration)
{
    const bool located = take_prefix(declaration, "__data_loc "), relative = take_prefix(declaration, "__rel_loc ");
    const std::size_t before_name = declaration.find_last_of(" *\t");
    if (before_name == std::string_view::npos)
        return;
    std::string_view type = trimmed(declaration.substr(0, before_name + 1)), name = declaration.substr(before_name + 1);
    const bool is_array = type.find('[') != std::string_view::npos || name.find('[') != std::string_view::npos;
    const bool is_word = field.size == 1 || field.size == 2 || field.size == 4 || field.size == 8;
    field.type = trimmed(type.substr(0, type.find('[')));
    field.name = name.substr(0, name.find('['));
    if (located || relative)
        field.shape = relative ? TraceField::Shape::LocatedRelative : TraceField::Shape::Located;
    else if (is_array || !is_word || field.offset % field.size != 0)
        field.shape = TraceField::Shape::Bytes;
}

} // namespace

std::vector<TraceEvent> read_trace_events(std::string_view available, std::string_view dynamic)
{
    static constexpr std::string_view kOthers[] = {"syscalls", "kprobes", "uprobes"};
    std::set<std::string, std::less<>> defined;
    for_each_line(dynamic, [&](std::string_view line) { defined.insert(dynamic_name(line)); });
    std::vector<TraceEvent> events;
    for_each_line(available, [&](std::string_view line) {
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || defined.contains(line))
            return;
        const std::string_view group = line.substr(0, colon);
        if (std::find(std::begin(kOthers), std::end(kOthers), group) == std::end(kOthers))
            events.push_back({std::string(group), std::string(line.substr(colon + 1))});
    });
    return events;
}

std::vector<TraceField> read_trace_format(std::string_view format)
{
    static constexpr std::string_view kField = "field:";
    std::vector<TraceField> fields;
    for_each_line(format, [&](std::string_view line) {
        const std::size_t start = line.find(kField), end = line.find(';');
        if (start == std::string_view::npos || end == std::string_view::npos || end < start)
            return;
        TraceField field;
        field.offset = number_of(line, "offset:");
        field.size = number_of(line, "size:");
        field.is_signed = number_of(line, "signed:") != 0;
        declare(field, line.substr(start + kField.size(), end - start - kField.size()));
        if (!field.name.starts_with("common_") && !field.name.empty())
            fields.push_back(std::move(field));
    });
    return fields;
}

bool may_be_trace_event(const ProbePattern& pattern)
{
    const auto is_identifier = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return glob_match(pattern.function, "") &&
           (!is_literal(pattern.name) || std::all_of(pattern.name.begin(), pattern.name.end(), is_identifier));
}

void for_each_trace_event(KernelView& kernel, const ProbePattern& pattern,
                          const std::function<void(const TraceEvent&, uint32_t)>& visit)
{
    for (const TraceEvent& event : kernel.trace_events())
        if (glob_match(pattern.module, event.group) && glob_match(pattern.name, event.name))
            if (const auto number = kernel.trace_event_number(event); number && *number < kTraceEventNumbers)
                visit(event, *number);
}

} // namespace dt::probes
