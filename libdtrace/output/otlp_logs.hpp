// Records as OpenTelemetry logs: the encoded contents of an ExportLogsServiceRequest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libdtrace/output/otlp_message.hpp"

namespace dt::output {

/// Severity numbers of logs.proto.
enum class OtlpSeverity : uint8_t { Info = 9, Warning = 13 };

/// A log record under construction.
class OtlpLogRecord {
public:
    void add(std::string_view name, std::string_view text);
    void add(std::string_view name, int64_t number);
    /// If empty, the record has attributes but no body.
    std::string body;

private:
    friend class OtlpLogs;
    std::string attributes_; ///< encoded attribute fields
};

class OtlpLogs {
public:
    /// Adds a record; `time` is ns of CLOCK_REALTIME.
    void add(uint64_t time, OtlpSeverity severity, const OtlpLogRecord& record);

    uint64_t size() const { return records_; }
    std::size_t bytes() const { return items_.size(); }
    /// Returns all records as a request, and removes them.
    std::string take(const OtlpResource& resource);

private:
    std::string items_;
    uint64_t records_ = 0;
};

} // namespace dt::output
