#include "cmd/service/api.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory_file.hpp"
#include "cmd/service/health_json.hpp"
#include "cmd/service/rights.hpp"
#include "dcompiler/render_json.hpp"

namespace dt::service {
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

/// Splits a path such as "/v1/scripts/NAME/bill".
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
    for (const auto& member : service.members())
        body += (body.ends_with('[') ? "" : ",") + health_json(member->health());
    body += "],\"pins\":[";
    for (const PinState& pin : Pins::all()) {
        const auto owner = std::find_if(service.members().begin(), service.members().end(),
                                        [&](const auto& each) { return each->pin() == pin.name; });
        const std::string script = owner == service.members().end() ? "" : (*owner)->name();
        body += (body.ends_with('[') ? "" : ",") + pin_json(pin, script);
    }
    return {status::kOk, body + "]}\n"};
}

/// Returns the format with that name, or text if it is empty. Binary formats are not available, because responses are
/// text.
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
            names.append(names.empty() ? "format is one of " : ", ").append(each.name);
    return names;
}

std::string not_tracing(const Member& member)
{
    return "script " + member.name() + " does not trace: it is " + std::string(word_of(member.state()));
}

Reply show(Member& member, const Request& request)
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
        printed = member.trace()->print_aggregations(to, *format);
        if (const Result<void> flushed = to.flush(); !flushed)
            printed = flushed;
    }
    const Result<std::vector<uint8_t>> bytes = file.value().read();
    if (!printed || !bytes)
        return refusal(status::kUnprocessable, (printed ? bytes.error() : printed.error()).message);
    const std::string_view text(reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size());
    return {status::kOk, "{\"name\":" + json_string(member.name()) + ",\"aggregations\":" + json_string(text) + "}\n"};
}

/// Prints the results so far, like SIGUSR1, for one script.
Reply print(Member& member)
{
    if (!member.trace())
        return refusal(status::kConflict, not_tracing(member));
    member.trace()->show_so_far();
    return {status::kOk, health_json(member.health()) + "\n"};
}

Reply follow(Member& member, const Request& request)
{
    const OutputFormat* const format = find_format(value_of(request, "format"));
    if (!format)
        return refusal(status::kBadRequest, "format is text, jsonl or csv");
    if (!member.trace())
        return refusal(status::kConflict, not_tracing(member));
    auto follower = std::make_shared<output::Follower>(*format);
    if (const Result<void> added = member.trace()->add_follower(follower); !added)
        return refusal(status::kBadRequest, added.error().message);
    return {status::kOk, {}, std::move(follower)};
}

Reply bill(Member& member)
{
    if (!member.trace())
        return refusal(status::kConflict, not_tracing(member));
    return {status::kOk, bill_json(member.name(), *member.trace())};
}

Reply attach(Service& service, const Request& request)
{
    const std::string path = value_of(request, "path");
    std::string name = value_of(request, "name");
    if (name.empty())
        name = name_of_script(path);
    if (path.empty() == request.body.empty())
        return refusal(status::kBadRequest, "either the body is a script, or path= names one");
    if (!path.empty() && path.front() != '/')
        return refusal(status::kBadRequest, "path= is one from the root: the service has a directory of its own");
    if (!is_name(name))
        return refusal(status::kBadRequest,
                       "name= is at most 128 letters, digits and ._-+@, without a point in front, and this is '" +
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

/// Handles a request for one script.
Reply answer_of_script(Service& service, const Request& request, const std::vector<std::string>& parts)
{
    Member* const member = service.find(parts[2]);
    if (!member)
        return refusal(status::kNotFound, "no script of the name " + parts[2]);
    const std::string what = parts.size() > 3 ? parts[3] : "";
    if (what.empty() && request.method == "DELETE")
        return detach(service, parts[2]);
    if (what == "print" && request.method == "POST")
        return print(*member);
    if (request.method != "GET")
        return refusal(status::kNotAllowed, "a script can be asked for by GET, printed by POST and ended by DELETE");
    if (what.empty())
        return {status::kOk, health_json(member->health()) + "\n"};
    if (what == "aggregations")
        return show(*member, request);
    if (what == "bill")
        return bill(*member);
    if (what == "records")
        return follow(*member, request);
    return refusal(status::kNotFound, "a script has aggregations, records and a bill, and no '" + what + "'");
}

} // namespace

Reply answer(Service& service, const Request& request)
{
    if (const std::string why = why_refused(request); !why.empty())
        return refusal(status::kForbidden, why);
    const std::vector<std::string> parts = parts_of(request.path);
    if (parts.empty() || parts[0] != "v1")
        return refusal(status::kNotFound, "paths begin with a version, and /v1 is the only one");
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
        return refusal(status::kNotAllowed, "it is GET and POST /v1/scripts, and POST /v1/reload");
    return refusal(status::kNotFound, "there are /v1/scripts and /v1/reload");
}

} // namespace dt::service
