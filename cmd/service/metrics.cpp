#include "cmd/service/metrics.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "libdtrace/output/metric_page.hpp"
#include "libdtrace/output/metric_totals.hpp"

namespace dt::service {
namespace {

using output::Exposition;

/// Returns the quality value, 0 to 1, of a media type with these parameters in an Accept header (RFC 9110), or a
/// negative number if it is not listed.
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
        return plain(status::kNotFound, "there is /metrics");
    if (request.method != "GET")
        return plain(status::kNotAllowed, "it is GET /metrics");
    const auto page = std::make_shared<output::MetricPage>(preferred(request.accept));
    for (const auto& member : service.members()) {
        if (!member->trace())
            continue;
        const std::string labels = output::common_labels(member->trace()->options().print(), member->name());
        if (const Result<void> told = member->trace()->append_metrics(*page, labels); !told)
            return plain(status::kUnprocessable, "script " + member->name() + ": " + told.error().message);
    }
    return {status::kOk, {}, nullptr, std::string(output::content_type(page->exposition())), page};
}

} // namespace dt::service
