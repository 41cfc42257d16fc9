// -x otlp=URL: the aggregations as metrics, to a collector of OpenTelemetry each time that they are shown.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>

#include "libdtrace/output/metric_sink.hpp"
#include "libdtrace/output/metric_totals.hpp"
#include "libdtrace/output/otlp_page.hpp"
#include "libdtrace/output/otlp_sender.hpp"

namespace dt::output {
namespace {

// How long the end waits for the collector; in a service the other scripts wait as well.
constexpr std::chrono::milliseconds kMostAtEnd{10'000}, kMostInService{500};

/// What all metrics are of. A script of a service has its own counters, so it is an instance of its own.
OtlpPage::Resource resource_of(const PrintOptions& options, const std::string& script)
{
    OtlpPage::Resource resource{{"service.name", "dtrace"}};
    if (!script.empty())
        resource.emplace_back("service.instance.id", script);
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) == 0)
        resource.emplace_back("host.name", host.data());
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
        auto sender = OtlpSender::make(url_);
        if (!sender)
            return sender.error();
        sender_ = std::move(sender.value());
        return {};
    }

    void totals(const Totals& totals) override { page().add(totals, began_, now()); }
    void tell(const MetricSeries& series, uint64_t now) override { page().add(series, now); }
    void end_snapshot() override { publish(); }
    void end_of_aggregations() override
    {
        publish();
        sender_->finish(output_.speaker().empty() ? kMostAtEnd : kMostInService);
        note_given_up();
    }

private:
    static uint64_t now() { return static_cast<uint64_t>(now_ns(CLOCK_REALTIME)); }

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
        sender_->send(page_->encoded(resource_));
        page_.reset();
        note_given_up();
    }

    /// In a run of months the end is far: the first time it is said at once.
    void note_given_up()
    {
        const OtlpSender::GivenUp given_up = sender_->take_given_up();
        if (given_up.pages == 0)
            return;
        output_.refuse(given_up.pages, given_up.reason, url_);
        if (std::exchange(is_told_, true))
            return;
        say(output_,
            {"NOT_TAKEN",
             {{"entries", given_up.pages}},
             "metrics do not get to " + url_ + " (" + given_up.reason +
                 "): the next page has what they counted, and how many were lost is told at the end"},
            options_.errors_json);
    }

    const PrintOptions& options_;
    const std::string url_;
    const OtlpPage::Resource resource_;
    const uint64_t began_;
    std::unique_ptr<OtlpSender> sender_;
    std::unique_ptr<OtlpPage> page_; ///< that is being made
    bool is_told_ = false;
};

} // namespace

std::unique_ptr<Sink> make_otlp_sink(const SinkOptions& with)
{
    return std::make_unique<OtlpSink>(with);
}

} // namespace dt::output
