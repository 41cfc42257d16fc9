#include "cmd/service/health_json.hpp"

#include <cstdio>
#include <ctime>
#include <vector>

#include "base/json.hpp"
#include "base/time.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/output/costs.hpp"
#include "libdtrace/output/jsonl_sink.hpp"
#include "libdtrace/output/memory.hpp"

namespace dt::service {
namespace {

using format::Text;

void member(Text& out, std::string_view name, std::string_view text)
{
    append_json_name(out, name);
    append_json_string(out, text);
}

void member(Text& out, std::string_view name, uint64_t number)
{
    append_json_name(out, name);
    out.append(std::to_string(number));
}

void member(Text& out, std::string_view name, double number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    append_json_name(out, name);
    out.append(std::string_view(text));
}

/// Returns the time in the format of RFC 3339.
std::string wall_time(int64_t seconds)
{
    const std::time_t time = seconds;
    std::tm parts{};
    gmtime_r(&time, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

void costs(Text& out, std::string_view name, const std::vector<output::Cost>& list)
{
    append_json_name(out, name);
    out.append('[');
    for (const output::Cost& each : list) {
        out.append(std::string_view(out.view().back() == '[' ? "{" : ",{"));
        member(out, "name", each.name);
        member(out, "fired", each.fired);
        member(out, "mean_ns", each.program.mean);
        member(out, "p99_ns", each.program.p99);
        if (each.outside)
            member(out, "outside_ns", each.outside->ns);
        member(out, "total_ns", each.total());
        out.append('}');
    }
    out.append(']');
}

void firings(Text& out, const output::Firings& firings)
{
    append_json_name(out, "firings");
    out.append('{');
    member(out, "fired", firings.fired);
    member(out, "filtered", firings.filtered);
    member(out, "recorded", firings.recorded);
    member(out, "lost", firings.lost);
    member(out, "passed_by", firings.passed_by);
    out.append('}');
}

void memory(Text& out, const std::vector<output::MemoryPart>& parts)
{
    append_json_name(out, "memory");
    out.append('[');
    for (const output::MemoryPart& part : parts) {
        out.append(std::string_view(out.view().back() == '[' ? "{" : ",{"));
        member(out, "name", part.name);
        member(out, "where", part.in_kernel ? "kernel" : "tracer");
        member(out, "most", part.most);
        member(out, "bound", part.bound);
        out.append('}');
    }
    out.append(']');
}

} // namespace

std::string health_json(const Health& health)
{
    Text out;
    out.append('{');
    member(out, "name", health.name);
    member(out, "state", word_of(health.state));
    member(out, "since", wall_time(health.since));
    if (!health.path.empty())
        member(out, "path", health.path);
    if (!health.output.empty())
        member(out, "output", health.output);
    if (!health.pin.empty())
        member(out, "pin", health.pin);
    output::append_labels(out, health.labels);
    if (health.state == State::Ended)
        member(out, "exit_status", static_cast<uint64_t>(health.exit_status));
    if (health.state == State::Tracing) {
        member(out, "probes", health.probes);
        member(out, "fired", health.fired);
        member(out, "firings_per_second", health.firings_a_second);
        member(out, "cost", health.cost);
        member(out, "memory", health.memory);
        member(out, "memory_bound", health.memory_bound);
        append_json_name(out, "lost");
        out.append('{');
        for (const output::LedgerRow& row : health.losses)
            member(out, row.cause, row.count);
        out.append('}');
    }
    if (health.firings)
        firings(out, *health.firings);
    if (!health.error.empty())
        member(out, "error", health.error);
    out.append('}');
    return std::string(out.view());
}

std::string pin_json(const PinState& pin, const std::string& script)
{
    constexpr auto in_seconds = [](uint64_t ns) { return static_cast<double>(ns) / static_cast<double>(kSecond); };
    Text out;
    out.append('{');
    member(out, "name", pin.name);
    member(out, "state", pin.is_held ? "held" : pin.is_complete ? "left" : "unfinished");
    if (pin.is_complete)
        member(out, "since", wall_time(static_cast<int64_t>(pin.began)));
    if (!script.empty())
        member(out, "script", script);
    if (pin.owner != 0) {
        member(out, "owner", pin.owner);
        member(out, "taken_up", pin.taken_up);
        member(out, "lease_s", in_seconds(pin.lease));
    }
    if (pin.stopped && !pin.is_held)
        member(out, "stopped_s", in_seconds(*pin.stopped));
    out.append('}');
    return std::string(out.view());
}

std::string bill_json(const std::string& name, const Trace& trace)
{
    const output::CostReport report = trace.costs();
    const std::vector<output::MemoryPart> parts = trace.memory();
    Text out;
    out.append('{');
    member(out, "name", name);
    member(out, "elapsed_ns", report.elapsed);
    member(out, "cpus", static_cast<uint64_t>(report.cpus));
    costs(out, "probes", report.probes);
    costs(out, "others", report.others);
    costs(out, "clauses", report.clauses);
    memory(out, parts);
    member(out, "text", output::cost_table(report) + output::memory_table(parts));
    out.append(std::string_view("}\n"));
    return std::string(out.view());
}

} // namespace dt::service
