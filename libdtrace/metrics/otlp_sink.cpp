// Sink of -x otlp=URL: an OpenTelemetry collector. Each snapshot of aggregations is sent as metrics. Records are sent
// as logs as they arrive. Settings from the environment (OTEL_*) are read here too.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/proc_file.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/format/wall_clock.hpp"
#include "libdtrace/kernel/container_state.hpp"
#include "libdtrace/metrics/metric_page.hpp"
#include "libdtrace/metrics/metrics_sink.hpp"
#include "libdtrace/metrics/otlp_message.hpp"
#include "libdtrace/metrics/otlp_sender.hpp"

// Reads OpenTelemetry settings from the environment and from files. These are resource attributes and credentials:
// other users could read credentials that are given on the command line.

namespace dt::output {

/// Parses "name=value,name=value" with URL-escaped values (%2C is a comma), the list format of OpenTelemetry's
/// environment variables.
OtlpResource otlp_pairs(std::string_view list);

/// Returns HTTP header lines "Name: value" from OTEL_EXPORTER_OTLP_HEADERS and from `file` (no file if empty). Fails if
/// the file cannot be read or a line is not a header. Error messages are complete (the caller adds no prefix) and never
/// contain header values.
Result<std::vector<std::string>> otlp_headers(const std::string& file);

/// Returns the attributes of the tracer's host and cgroup, and the attributes in OTEL_RESOURCE_ATTRIBUTES and
/// OTEL_SERVICE_NAME.
OtlpResource otlp_surroundings();

namespace {

// Maximum time to wait for the collector at the end: the first value for a single trace, the second one for a service.
// The second value is short, because the wait delays all scripts of the service.
constexpr std::chrono::milliseconds kMaxAtEnd{10'000}, kMaxInService{500};
// Limits of a page of log records: the page is sent when it has this size, or when its first record has this age.
constexpr std::size_t kPageOfRecords = 256 << 10;
constexpr uint64_t kOldestRecord = kSecond;
constexpr std::size_t kPagesOfRecords = 64; // maximum number of log pages that wait in the queue

/// Returns the resource attributes. Each script of a dtrace service has counters of its own, so for OpenTelemetry it is
/// a separate service instance.
OtlpResource resource_of(const PrintOptions& options, const std::string& script)
{
    OtlpResource resource = otlp_surroundings();
    if (!script.empty())
        resource.emplace_back("service.instance.id", script);
    resource.insert(resource.end(), options.labels.begin(), options.labels.end());
    return resource;
}

class OtlpSink final : public MetricSink {
public:
    explicit OtlpSink(const SinkOptions& with)
        : MetricSink(with), options_(with.options), url_(with.options.otlp),
          resource_(resource_of(with.options, with.output.messages().prefix)), began_(now())
    {
    }

    Result<void> open() override
    {
        if (output_.has_file())
            return Error{"format otlp sends to a collector (-x otlp) and cannot write to the file of -o", EINVAL};
        const auto headers = otlp_headers(options_.otlpheaders);
        if (!headers)
            return headers.error();
        for (auto& [sender, kind] : {std::pair(&metrics_, OtlpSender::Kind{"/v1/metrics", 8, true}),
                                     std::pair(&logs_, OtlpSender::Kind{"/v1/logs", kPagesOfRecords, false})}) {
            auto made = OtlpSender::make(url_, kind, headers.value());
            if (!made)
                return made.error();
            *sender = std::move(made.value());
        }
        return {};
    }

    void begin(const Line& line) override
    {
        record_ = {};
        values_ = 0;
        add_origin(record_, line.cpu, line.probe, line.stmt);
    }

    void end(const Line& line) override
    {
        while (record_.body.ends_with('\n'))
            record_.body.pop_back();
        if (line.printed && !(env_.options.quiet && record_.body.empty()))
            add(line.time, OtlpSeverity::Info, record_);
    }

    void value(const Datum& datum, const uint8_t* data) override
    {
        add_value(datum, data);
        tell(scratch_.view());
    }
    void stack(const Datum& datum, const uint8_t* data) override { value(datum, data); }
    void symbol(const Datum& datum, const uint8_t* data) override { value(datum, data); }

    void formatted(const format::BoundFormat& format, const uint8_t* data) override
    {
        format::Text text;
        format.append(text, env_, data);
        record_.body.append(text.view());
        format.for_each_argument([&](const Datum& datum) { add_value(datum, data); });
    }

    void memory(std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        append_plain_bytes(scratch_, bytes);
        record_.add(next_value(), scratch_.view());
        tell(scratch_.view());
    }

    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        format::append_printed(scratch_, pointer, type, bytes);
        record_.add(next_value(), scratch_.view());
        tell(scratch_.view());
    }

    void packet(const Packet& packet) override { memory(packet.bytes); }

    void error(const ErrorReport& report) override
    {
        OtlpLogRecord record;
        add_origin(record, report.cpu, report.probe, report.stmt);
        if (!report.fault.empty())
            record.add("dtrace.fault", report.fault);
        if (report.repeated != 0)
            record.add("dtrace.count", static_cast<int64_t>(report.repeated));
        record.body = report.text;
        add(report.time, OtlpSeverity::Warning, record);
    }

    void drop(const DropReport& report) override
    {
        OtlpLogRecord record;
        record.add("dtrace.tag", report.kind);
        record.add("dtrace.count", static_cast<int64_t>(report.count));
        if (report.cpu >= 0)
            record.add("dtrace.cpu", report.cpu);
        record.body = report.text;
        add(now_monotonic(), OtlpSeverity::Warning, record);
    }

    bool needs_passes() const override { return true; }
    void end_of_pass(uint64_t now) override
    {
        if (records_.size() != 0 && now - oldest_ >= kOldestRecord)
            send_records();
    }

    void totals(const Totals& totals) override { page().add(totals, began_, now()); }
    void tell(const MetricSeries& series, uint64_t now) override { page().add(series, now); }
    void end_snapshot() override { publish(); }
    void end_of_records() override { send_records(); }
    void leave() override { send_records(); }
    void end_of_aggregations() override
    {
        publish();
        send_records(); // sends the remaining records, because messages may have been added after the last pass
        const auto most = output_.messages().prefix.empty() ? kMaxAtEnd : kMaxInService;
        const auto end = std::chrono::steady_clock::now() + most;
        metrics_->finish(most);
        logs_->finish(std::chrono::duration_cast<std::chrono::milliseconds>(
            std::max(end - std::chrono::steady_clock::now(), std::chrono::steady_clock::duration::zero())));
        note_given_up();
    }

private:
    static uint64_t now() { return static_cast<uint64_t>(now_ns(CLOCK_REALTIME)); }

    static void add_origin(OtlpLogRecord& record, uint32_t cpu, const ProbeText& probe, uint32_t clause)
    {
        record.add("dtrace.probe", probe.name);
        record.add("dtrace.clause", clause);
        record.add("dtrace.cpu", cpu);
    }

    std::string next_value() { return "dtrace.value" + std::to_string(++values_); }

    /// Adds an integer as a number, all other values as text. Unsigned integers above 2^63 - 1 are text too.
    void add_value(const Datum& datum, const uint8_t* data)
    {
        scratch_.clear();
        append_plain(scratch_, env_, datum, data);
        const bool is_integer = (datum.kind == Datum::Kind::Signed || datum.kind == Datum::Kind::Unsigned) &&
                                (datum.size == 1 || datum.size == 2 || datum.size == 4 || datum.size == 8);
        const int64_t number = is_integer ? format::load_integer(datum, data) : 0;
        if (is_integer && (datum.kind == Datum::Kind::Signed || number >= 0))
            record_.add(next_value(), number);
        else
            record_.add(next_value(), scratch_.view());
    }

    /// Appends text to the body of the log record, after a space if needed.
    void tell(std::string_view text)
    {
        if (!record_.body.empty() && record_.body.back() != '\n')
            record_.body += ' ';
        record_.body.append(text);
    }

    void add(uint64_t time, OtlpSeverity severity, const OtlpLogRecord& record)
    {
        if (records_.size() == 0)
            oldest_ = now_monotonic();
        records_.add(clock_.since_epoch(time), severity, record);
        if (records_.bytes() >= kPageOfRecords)
            send_records();
    }

    void send_records()
    {
        if (const uint64_t count = records_.size(); count != 0)
            logs_->send(records_.take(resource_), count);
        note_given_up();
    }

    OtlpPage& page()
    {
        if (!page_)
            page_ = std::make_unique<OtlpPage>();
        return *page_;
    }

    void publish()
    {
        if (!page_)
            return;
        metrics_->send(page_->encoded(resource_));
        page_.reset();
        note_given_up();
    }

    /// Reports dropped entries to the output. The first drop is also reported immediately to the user by a message,
    /// because the end of the run may be months away.
    void note_given_up()
    {
        const OtlpSender::GivenUp pages = metrics_->take_given_up(), records = logs_->take_given_up();
        if (pages.entries + records.entries == 0)
            return;
        const std::string& reason = pages.entries != 0 ? pages.reason : records.reason;
        output_.refuse(pages.entries, records.entries, reason, url_);
        if (pages.entries != 0 && !std::exchange(are_metrics_reported_, true))
            print_message(output_,
                          {"NOT_TAKEN",
                           {{"entries", pages.entries}},
                           "cannot send metrics to " + url_ + " (" + reason +
                               "): the next metrics message repeats these counts; the number of lost messages is "
                               "printed at the end"},
                          options_.errors_json);
        if (records.entries != 0 && !std::exchange(are_records_reported_, true))
            print_message(output_,
                          {"NOT_TAKEN",
                           {{"entries", records.entries}},
                           "cannot send records to " + url_ + " (" + records.reason +
                               "): the number of lost records is printed at the end"},
                          options_.errors_json);
    }

    const PrintOptions& options_;
    const std::string url_;
    const OtlpResource resource_;
    const uint64_t began_;
    std::unique_ptr<OtlpSender> metrics_, logs_;
    std::unique_ptr<OtlpPage> page_; ///< the page of metrics under construction
    OtlpLogs records_;               ///< log records of the next page
    uint64_t oldest_ = 0;            ///< time when the first log record of the next page arrived (CLOCK_MONOTONIC ns)
    OtlpLogRecord record_;           ///< the log record under construction
    unsigned values_ = 0;            ///< number of values in the current record
    format::Text scratch_;
    WallClock clock_;
    bool are_metrics_reported_ = false, are_records_reported_ = false;
};

} // namespace

std::unique_ptr<Sink> make_otlp_sink(const SinkOptions& with)
{
    return std::make_unique<OtlpSink>(with);
}

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

/// Returns whether name and value are valid by RFC 9110: the name is a token, and the value is one line.
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
            return Error{std::string(kVariable) + " contains an invalid HTTP header", EINVAL};
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
            return Error{file + ", line " + std::to_string(number) + ": not an HTTP header of the form NAME: VALUE",
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
