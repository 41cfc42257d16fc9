// Records as logs of OpenTelemetry: what is to be one ExportLogsServiceRequest, as a protocol buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libdtrace/output/otlp_message.hpp"

namespace dt::output {

/// As logs.proto numbers them.
enum class OtlpSeverity : uint8_t { Info = 9, Warning = 13 };

/// A record while it is written.
class OtlpLogRecord {
public:
    void add(std::string_view name, std::string_view text);
    void add(std::string_view name, int64_t number);
    /// Without it the record has no body, but attributes.
    std::string body;

private:
    friend class OtlpLogs;
    std::string attributes_; ///< fields of the record
};

class OtlpLogs {
public:
    /// `time`: ns by CLOCK_REALTIME.
    void add(uint64_t time, OtlpSeverity severity, const OtlpLogRecord& record);

    uint64_t size() const { return records_; }
    std::size_t bytes() const { return items_.size(); }
    /// All of it; then it is empty.
    std::string take(const OtlpResource& resource);

private:
    std::string items_;
    uint64_t records_ = 0;
};

} // namespace dt::output
