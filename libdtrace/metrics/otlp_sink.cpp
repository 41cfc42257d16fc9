// Sink of -x otlp=URL: an OpenTelemetry collector. Aggregations are sent as metrics with each snapshot, records as logs
// as they arrive.
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/format/hexdump.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/output/metric_sink.hpp"
#include "libdtrace/output/metric_totals.hpp"
#include "libdtrace/output/otlp_environment.hpp"
#include "libdtrace/output/otlp_logs.hpp"
#include "libdtrace/output/otlp_page.hpp"
#include "libdtrace/output/otlp_sender.hpp"
#include "libdtrace/output/plain_text.hpp"
#include "libdtrace/output/wall_clock.hpp"

namespace dt::output {
namespace {

// Limits of the final wait for the collector. It is short in a service, where all scripts wait.
constexpr std::chrono::milliseconds kMostAtEnd{10'000}, kMostInService{500};
// Limits of a page of log records: it is sent at this size, or when its first record is this old.
constexpr std::size_t kPageOfRecords = 256 << 10;
constexpr uint64_t kOldestRecord = kSecond;
constexpr std::size_t kPagesOfRecords = 64; // queue limit of log pages

/// Returns the resource attributes. Each script of a service has its own counters, so it is a service instance of its
/// own.
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
          resource_(resource_of(with.options, with.output.speaker())), began_(now())
    {
    }

    Result<void> open() override
    {
        if (output_.has_file())
            return Error{"format otlp sends to a collector (-x otlp), and -o names a file", EINVAL};
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
        add(static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)), OtlpSeverity::Warning, record);
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
        send_records(); // sends notes that came after the last record
        const auto most = output_.speaker().empty() ? kMostAtEnd : kMostInService;
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

    /// Appends to the body of the record, after a space if needed.
    void tell(std::string_view text)
    {
        if (!record_.body.empty() && record_.body.back() != '\n')
            record_.body += ' ';
        record_.body.append(text);
    }

    void add(uint64_t time, OtlpSeverity severity, const OtlpLogRecord& record)
    {
        if (records_.size() == 0)
            oldest_ = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
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

    /// Reports dropped entries. The first drop is reported at once, because the end of the run may be months away.
    void note_given_up()
    {
        const OtlpSender::GivenUp pages = metrics_->take_given_up(), records = logs_->take_given_up();
        if (pages.entries + records.entries == 0)
            return;
        const std::string& reason = pages.entries != 0 ? pages.reason : records.reason;
        output_.refuse(pages.entries, records.entries, reason, url_);
        if (pages.entries != 0 && !std::exchange(are_metrics_told_, true))
            say(output_,
                {"NOT_TAKEN",
                 {{"entries", pages.entries}},
                 "metrics do not get to " + url_ + " (" + reason +
                     "): the next page has what they counted, and how many were lost is told at the end"},
                options_.errors_json);
        if (records.entries != 0 && !std::exchange(are_records_told_, true))
            say(output_,
                {"NOT_TAKEN",
                 {{"entries", records.entries}},
                 "records do not get to " + url_ + " (" + records.reason + "): how many were lost is told at the end"},
                options_.errors_json);
    }

    const PrintOptions& options_;
    const std::string url_;
    const OtlpResource resource_;
    const uint64_t began_;
    std::unique_ptr<OtlpSender> metrics_, logs_;
    std::unique_ptr<OtlpPage> page_; ///< the page under construction
    OtlpLogs records_;               ///< log records of the next page
    uint64_t oldest_ = 0;            ///< when the first of them arrived (CLOCK_MONOTONIC ns)
    OtlpLogRecord record_;           ///< current record
    unsigned values_ = 0;            ///< values in the current record
    format::Text scratch_;
    WallClock clock_;
    bool are_metrics_told_ = false, are_records_told_ = false;
};

} // namespace

std::unique_ptr<Sink> make_otlp_sink(const SinkOptions& with)
{
    return std::make_unique<OtlpSink>(with);
}

} // namespace dt::output
