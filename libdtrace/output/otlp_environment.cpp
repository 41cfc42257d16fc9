#include "libdtrace/output/otlp_environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/proc_file.hpp"
#include "libdtrace/world/cgroup_path.hpp"

namespace dt::output {
namespace {

std::string_view of_environment(const char* name)
{
    const char* const value = secure_getenv(name);
    return value ? std::string_view(value) : std::string_view();
}

std::string_view without_blanks(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

std::string without_percents(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape =
            text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
        plain += is_escape ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
        i += is_escape ? 2 : 0;
    }
    return plain;
}

/// Returns whether both are valid by RFC 9110: the name is a token, and the value is one line.
bool is_header(std::string_view name, std::string_view value)
{
    static constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
    const auto is_token = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kOthers.find(c) != std::string_view::npos;
    };
    const auto is_control = [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; };
    return !name.empty() && std::ranges::all_of(name, is_token) && !value.empty() &&
           std::ranges::none_of(value, is_control);
}

/// Returns the path of the tracer's own cgroup.
CgroupPath own_place()
{
    const std::string text = read_proc_file("/proc/self/cgroup");
    constexpr std::string_view kUnified = "0::";
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.starts_with(kUnified))
            return read_cgroup_path(line.substr(kUnified.size()));
    }
    return {};
}

void set_attribute(OtlpResource& resource, const std::string& name, const std::string& value)
{
    const auto same = std::ranges::find(resource, name, &OtlpResource::value_type::first);
    if (same != resource.end())
        same->second = value;
    else if (!value.empty())
        resource.emplace_back(name, value);
}

} // namespace

OtlpResource otlp_pairs(std::string_view list)
{
    OtlpResource pairs;
    while (!list.empty()) {
        const std::string_view one = list.substr(0, list.find(','));
        list.remove_prefix(std::min(one.size() + 1, list.size()));
        const std::size_t is = one.find('=');
        if (is != std::string_view::npos)
            pairs.emplace_back(without_blanks(one.substr(0, is)), without_percents(without_blanks(one.substr(is + 1))));
    }
    return pairs;
}

Result<std::vector<std::string>> otlp_headers(const std::string& file)
{
    constexpr const char* kVariable = "OTEL_EXPORTER_OTLP_HEADERS";
    std::vector<std::string> headers;
    for (const auto& [name, value] : otlp_pairs(of_environment(kVariable))) {
        if (!is_header(name, value))
            return Error{std::string(kVariable) + " has what is no header of HTTP", EINVAL};
        headers.push_back(name + ": " + value);
    }
    if (file.empty())
        return headers;
    std::ifstream lines(file);
    if (!lines)
        return Error{"cannot read headers from " + file + ": " + std::strerror(errno), errno};
    unsigned number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string_view text = without_blanks(line);
        if (text.empty() || text.starts_with('#'))
            continue;
        const std::size_t colon = std::min(text.find(':'), text.size());
        const std::string_view name = text.substr(0, colon),
                               value = without_blanks(text.substr(std::min(colon + 1, text.size())));
        if (!is_header(name, value))
            return Error{file + ", line " + std::to_string(number) + ": no header of HTTP, which is NAME: VALUE",
                         EINVAL};
        headers.push_back(std::string(name).append(": ").append(value));
    }
    return headers;
}

OtlpResource otlp_surroundings()
{
    OtlpResource resource{{"service.name", "dtrace"}};
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) == 0)
        resource.emplace_back("host.name", host.data());
    const CgroupPath place = own_place();
    set_attribute(resource, "container.id", place.container_id.empty() ? place.machine : place.container_id);
    set_attribute(resource, "k8s.pod.uid", place.pod_uid);
    set_attribute(resource, "systemd.unit", place.unit);
    for (const auto& [name, value] : otlp_pairs(of_environment("OTEL_RESOURCE_ATTRIBUTES")))
        set_attribute(resource, name, value);
    if (const std::string_view name = of_environment("OTEL_SERVICE_NAME"); !name.empty())
        set_attribute(resource, "service.name", std::string(name));
    return resource;
}

} // namespace dt::output
