// Encodes messages of logs.proto; the constants are its field numbers.
#include "libdtrace/output/otlp_logs.hpp"

#include <protozero/pbf_writer.hpp>
#include <utility>

namespace dt::output {
namespace {

using LogWriter = protozero::pbf_writer;

namespace log_field {
constexpr uint32_t kTime = 1, kSeverity = 2, kSeverityText = 3, kBody = 5, kAttributes = 6;
}

} // namespace

void OtlpLogRecord::add(std::string_view name, std::string_view text)
{
    LogWriter to(attributes_);
    add_otlp_attribute(to, log_field::kAttributes, name, text);
}

void OtlpLogRecord::add(std::string_view name, int64_t number)
{
    LogWriter to(attributes_);
    add_otlp_attribute(to, log_field::kAttributes, name, number);
}

void OtlpLogs::add(uint64_t time, OtlpSeverity severity, const OtlpLogRecord& record)
{
    std::string message;
    LogWriter log(message);
    log.add_fixed64(log_field::kTime, time);
    log.add_enum(log_field::kSeverity, static_cast<int32_t>(severity));
    log.add_string(log_field::kSeverityText, severity == OtlpSeverity::Info ? "INFO" : "WARN");
    if (!record.body.empty())
        add_otlp_text(log, log_field::kBody, record.body);
    message.append(record.attributes_);
    LogWriter(items_).add_message(kOtlpItems, message);
    ++records_;
}

std::string OtlpLogs::take(const OtlpResource& resource)
{
    records_ = 0;
    return otlp_request(resource, std::exchange(items_, {}));
}

} // namespace dt::output
