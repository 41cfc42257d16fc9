// Answers the requests to a service: lists, shows and changes scripts, writes their state and cost as JSON, and serves
// metrics (dtrace-service(7), REQUESTS, METRICS).
#include "cmd/service/service.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/json.hpp"
#include "base/time.hpp"
#include "cmd/service/script_instance.hpp"
#include "dcompiler/interface/render.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/load/pins.hpp"
#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/results/cost_report.hpp"
#include "libdtrace/sinks/jsonl_sink.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::service {

/// Returns the state of a script as a JSON object.
std::string health_json(const Health& health);

/// Returns the state of a pin (a trace that outlives its tracer) as a JSON object. `script` is the script of this
/// service to which the pin belongs; empty if there is none.
std::string pin_json(const PinState& pin, const std::string& script);

/// Returns a JSON object with the cost of a trace so far, by probe and by clause, and its memory limits. The object
/// also contains both as text for people.
std::string script_cost_json(const std::string& name, const Trace& trace);

namespace {

Reply refusal(unsigned status, std::string_view message)
{
    return {status, "{\"error\":" + json_string(message) + "}\n"};
}

Reply refusal(const Error& error)
{
    return refusal(error.code == ENOENT   ? status::kNotFound
                   : error.code == EEXIST ? status::kConflict
                   : error.code == EINVAL ? status::kConflict
                                          : status::kUnprocessable,
                   error.message);
}

/// Splits a path such as "/v1/scripts/NAME/cost".
std::vector<std::string> parts_of(std::string_view path)
{
    std::vector<std::string> parts;
    while (!path.empty()) {
        path.remove_prefix(path.front() == '/' ? 1 : 0);
        const std::string_view part = path.substr(0, path.find('/'));
        if (!part.empty())
            parts.emplace_back(part);
        path.remove_prefix(part.size());
    }
    return parts;
}

std::string value_of(const Request& request, const char* name)
{
    const auto found = request.query.find(name);
    return found == request.query.end() ? "" : found->second;
}

Reply list(Service& service)
{
    std::string body = "{\"scripts\":[";
    for (const auto& member : service.instances())
        body += (body.ends_with('[') ? "" : ",") + health_json(member->health());
    body += "],\"pins\":[";
    for (const PinState& pin : Pins::all()) {
        const auto owner = std::find_if(service.instances().begin(), service.instances().end(),
                                        [&](const auto& each) { return each->pin() == pin.name; });
        const std::string script = owner == service.instances().end() ? "" : (*owner)->name();
        body += (body.ends_with('[') ? "" : ",") + pin_json(pin, script);
    }
    return {status::kOk, body + "]}\n"};
}

/// Returns the output format with that name; the text format if the name is empty. Binary formats are not available,
/// because responses are text.
const OutputFormat* find_format(const std::string& name)
{
    for (const FormatRow& each : kOutputFormats)
        if ((each.flags & kFormatBinary) == 0 && (each.name == name || name.empty()))
            return &each.format;
    return nullptr;
}

std::string known_formats()
{
    std::string names;
    for (const FormatRow& each : kOutputFormats)
        if ((each.flags & kFormatBinary) == 0)
            names.append(names.empty() ? "format must be one of " : ", ").append(each.name);
    return names;
}

std::string not_tracing(const ScriptInstance& member)
{
    return "script " + member.name() + " is not tracing; its state is " + std::string(name_of_state(member.state()));
}

Reply show(ScriptInstance& member, const Request& request)
{
    const OutputFormat* const format = find_format(value_of(request, "format"));
    if (!format)
        return refusal(status::kBadRequest, known_formats());
    if (!member.trace())
        return refusal(status::kConflict, not_tracing(member));
    Result<MemoryFile> file = MemoryFile::make("aggregations");
    if (!file)
        return refusal(status::kUnprocessable, file.error().message);
    Result<void> printed;
    {
        Output to(file.value().fd());
        printed = member.trace()->results().print_aggregations(to, *format);
        if (const Result<void> flushed = to.flush(); !flushed)
            printed = flushed;
    }
    const Result<std::vector<uint8_t>> bytes = file.value().read();
    if (!printed || !bytes)
        return refusal(status::kUnprocessable, (printed ? bytes.error() : printed.error()).message);
    const std::string_view text(reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size());
    return {status::kOk, "{\"name\":" + json_string(member.name()) + ",\"aggregations\":" + json_string(text) + "}\n"};
}

/// Prints the present aggregations of one script, as SIGUSR1 does for all scripts.
Reply print(ScriptInstance& member)
{
    if (!member.trace())
        return refusal(status::kConflict, not_tracing(member));
    member.trace()->results().show_so_far();
    return {status::kOk, health_json(member.health()) + "\n"};
}

Reply follow(ScriptInstance& member, const Request& request)
{
    const OutputFormat* const format = find_format(value_of(request, "format"));
    if (!format)
        return refusal(status::kBadRequest, "format must be text, jsonl or csv");
    if (!member.trace())
        return refusal(status::kConflict, not_tracing(member));
    auto follower = std::make_shared<output::Follower>(*format);
    if (const Result<void> added = member.trace()->results().add_follower(follower); !added)
        return refusal(status::kBadRequest, added.error().message);
    return {status::kOk, {}, std::move(follower)};
}

Reply cost_of_script(ScriptInstance& member)
{
    if (!member.trace())
        return refusal(status::kConflict, not_tracing(member));
    return {status::kOk, script_cost_json(member.name(), *member.trace())};
}

Reply attach(Service& service, const Request& request)
{
    const std::string path = value_of(request, "path");
    std::string name = value_of(request, "name");
    if (name.empty())
        name = name_of_script(path);
    if (path.empty() == request.body.empty())
        return refusal(status::kBadRequest, "a script is needed, either in the body or as a file that path= names");
    if (!path.empty() && path.front() != '/')
        return refusal(status::kBadRequest, "path= must be an absolute path");
    if (!is_name(name))
        return refusal(
            status::kBadRequest,
            "name= may have at most 128 letters, digits and ._-+@ and may not start with a point; this one is '" +
                name + "'");
    if (const Result<void> attached = service.attach({name, path, request.body}); !attached)
        return refusal(attached.error());
    return {status::kCreated, health_json(service.find(name)->health()) + "\n"};
}

Reply detach(Service& service, const std::string& name)
{
    if (const Result<void> detached = service.detach(name); !detached)
        return refusal(detached.error());
    return {status::kOk, health_json(service.find(name)->health()) + "\n"};
}

Reply reload(Service& service)
{
    const Result<std::vector<Service::Change>> changes = service.reload();
    if (!changes)
        return refusal(status::kUnprocessable, changes.error().message);
    std::string body = "{\"changes\":[";
    for (const Service::Change& change : changes.value())
        body += std::string(body.ends_with('[') ? "" : ",") + "{\"name\":" + json_string(change.name) +
                ",\"change\":" + json_string(change.what) + ",\"text\":" + json_string(change.text) +
                ",\"without_ms\":" + std::to_string(change.without_ms) + "}";
    return {status::kOk, body + "]}\n"};
}

/// Handles a request that names one script.
Reply answer_of_script(Service& service, const Request& request, const std::vector<std::string>& parts)
{
    ScriptInstance* const member = service.find(parts[2]);
    if (!member)
        return refusal(status::kNotFound, "there is no script with the name " + parts[2]);
    const std::string what = parts.size() > 3 ? parts[3] : "";
    if (what.empty() && request.method == "DELETE")
        return detach(service, parts[2]);
    if (what == "print" && request.method == "POST")
        return print(*member);
    if (request.method != "GET")
        return refusal(status::kNotAllowed, "use GET to query a script, POST to print it and DELETE to detach it");
    if (what.empty())
        return {status::kOk, health_json(member->health()) + "\n"};
    if (what == "aggregations")
        return show(*member, request);
    if (what == "cost")
        return cost_of_script(*member);
    if (what == "records")
        return follow(*member, request);
    return refusal(status::kNotFound,
                   "use the resources aggregations, records or cost of a script; there is no '" + what + "'");
}

} // namespace

Reply answer(Service& service, const Request& request)
{
    if (const std::string why = why_refused(request); !why.empty())
        return refusal(status::kForbidden, why);
    const std::vector<std::string> parts = parts_of(request.path);
    if (parts.empty() || parts[0] != "v1")
        return refusal(status::kNotFound, "a path must start with /v1, the only version of this interface");
    const std::string what = parts.size() > 1 ? parts[1] : "";
    constexpr std::size_t kLongest = 4;
    if (what == "scripts" && parts.size() > 2 && parts.size() <= kLongest)
        return answer_of_script(service, request, parts);
    if (what == "scripts" && parts.size() == 2 && request.method == "GET")
        return list(service);
    if (what == "scripts" && parts.size() == 2 && request.method == "POST")
        return attach(service, request);
    if (what == "reload" && parts.size() == 2 && request.method == "POST")
        return reload(service);
    if (what == "scripts" || what == "reload")
        return refusal(status::kNotAllowed, "use GET and POST for /v1/scripts, and POST for /v1/reload");
    return refusal(status::kNotFound, "unknown path: use /v1/scripts or /v1/reload");
}

namespace {

using format::Text;
using output::Exposition;

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

void firings(Text& out, const output::HitCounts& firings)
{
    append_json_name(out, "firings");
    out.append('{');
    member(out, "fired", firings.fired);
    member(out, "filtered", firings.filtered);
    member(out, "recorded", firings.recorded);
    member(out, "lost", firings.lost);
    member(out, "sampled_out", firings.sampled_out);
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
    member(out, "state", name_of_state(health.state));
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
        for (const output::DropRow& row : health.losses)
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
        member(out, "adopted", pin.adopted);
        member(out, "lease_seconds", in_seconds(pin.lease));
    }
    if (pin.stopped && !pin.is_held)
        member(out, "stopped_seconds", in_seconds(*pin.stopped));
    out.append('}');
    return std::string(out.view());
}

std::string script_cost_json(const std::string& name, const Trace& trace)
{
    const output::CostReport report = trace.results().costs();
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

std::string why_refused(const Request& request)
{
    const bool only_reads = request.method == "GET" || request.method == "HEAD";
    const bool may_change = request.peer.user == 0 || request.peer.user == geteuid();
    if (only_reads || may_change)
        return {};
    return "user " + std::to_string(request.peer.user) + " may only query scripts: only root may change them";
}

namespace {

/// Returns the quality value, 0 to 1, that an Accept header (RFC 9110) gives to media type `type` with `parameters`.
/// Returns a negative number if the type is not listed.
double wish_for(std::string_view accept, std::string_view type, std::initializer_list<std::string_view> parameters = {})
{
    double most = -1;
    while (!accept.empty()) {
        const std::string_view one = accept.substr(0, accept.find(','));
        accept.remove_prefix(std::min(one.size() + 1, accept.size()));
        const std::size_t begin = std::min(one.find_first_not_of(' '), one.size());
        const bool has_all = std::ranges::all_of(
            parameters, [one](std::string_view each) { return one.find(each) != std::string_view::npos; });
        if (!one.substr(begin).starts_with(type) || !has_all)
            continue;
        const std::size_t q = one.find("q=");
        most = std::max(most, q == std::string_view::npos ? 1.0 : std::atof(std::string(one.substr(q + 2)).c_str()));
    }
    return most;
}

Exposition preferred(const std::string& accept)
{
    const double open = wish_for(accept, "application/openmetrics-text"), plain_text = wish_for(accept, "text/plain");
    const double messages = wish_for(accept, "application/vnd.google.protobuf",
                                     {"proto=io.prometheus.client.MetricFamily", "encoding=delimited"});
    if (messages > 0 && messages >= std::max(open, plain_text))
        return Exposition::Messages;
    return open > 0 && open >= plain_text ? Exposition::OpenMetrics : Exposition::Prometheus;
}

Reply plain(unsigned status, const std::string& text)
{
    return {status, text + "\n", nullptr, "text/plain; charset=utf-8"};
}

} // namespace

Reply answer_metrics(Service& service, const Request& request)
{
    if (request.path != "/metrics")
        return plain(status::kNotFound, "unknown path: use /metrics");
    if (request.method != "GET")
        return plain(status::kNotAllowed, "use GET for /metrics");
    const auto page = std::make_shared<output::MetricPage>(preferred(request.accept));
    for (const auto& member : service.instances()) {
        if (!member->trace())
            continue;
        const std::string labels = output::common_labels(member->trace()->options().print(), member->name());
        if (const Result<void> appended = member->trace()->results().append_metrics(*page, labels); !appended)
            return plain(status::kUnprocessable, "script " + member->name() + ": " + appended.error().message);
    }
    return {status::kOk, {}, nullptr, std::string(output::content_type(page->exposition())), page};
}

} // namespace dt::service
