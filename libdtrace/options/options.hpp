// Every option of -x, #pragma D option, DTRACE_OPT_* and setopt(): the options of the compiler, of a run, and of the
// printed output.
//
// Each option is a line of a .def file. The line defines a member of the struct that belongs to the file, the values
// that the option accepts, and the sources from which it may be set. A function takes only the struct whose options it
// reads (RunOptions, PrintOptions); class Options contains all options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dcompiler/interface/options.hpp"

namespace dt {

/// Effect of -x aggevery on the aggregations after it has printed them: keep the values, set the values to 0, or remove
/// the keys.
enum class AfterShown : uint8_t { Keep, Clear, Trunc };
/// Names and values of -x labels, in the given order.
using Labels = std::vector<std::pair<std::string, std::string>>;
enum class BufferPolicy : uint8_t { Switch, Fill, Ring };
enum class OutputFormat : uint8_t {
#define DT_OUTPUT_FORMAT(enumerator, name, flags) enumerator,
#include "libdtrace/options/output_formats.def"
#undef DT_OUTPUT_FORMAT
};
/// Properties of an output format. AtEnd: it is written only at the end of the trace. Binary: it is not text. ToSocket,
/// ToFolder: -o names a socket or a folder. OfThreads: its records contain the thread of the firing.
enum FormatFlag : unsigned {
    kFormatAtEnd = 1,
    kFormatBinary = 2,
    kFormatToSocket = 4,
    kFormatToFolder = 8,
    kFormatOfThreads = 16
};
struct FormatRow {
    OutputFormat format;
    std::string_view name;
    unsigned flags;
};
inline constexpr FormatRow kOutputFormats[] = {
#define DT_OUTPUT_FORMAT(enumerator, name, flags) {OutputFormat::enumerator, #name, flags},
#include "libdtrace/options/output_formats.def"
#undef DT_OUTPUT_FORMAT
};
constexpr const FormatRow& row_of(OutputFormat format)
{
    return kOutputFormats[static_cast<std::size_t>(format)];
}

/// Options that the session, the loader and the consumer read.
struct RunOptions {
#define DT_OPTION(name, type, initial, syntax, kind, user, bounds, text) type name = initial;
#define DT_FIELD(name, type, initial) type name = initial;
#include "libdtrace/options/run_options.def"

    bool operator==(const RunOptions&) const = default;
};

/// Options that formats, sinks and messages read.
struct PrintOptions {
#define DT_OPTION(name, type, initial, syntax, kind, user, bounds, text) type name = initial;
#define DT_FIELD(name, type, initial) type name = initial;
#include "libdtrace/options/print_options.def"

    bool operator==(const PrintOptions&) const = default;
};

class Options final : public OptionSet {
public:
    const RunOptions& run() const { return run_; }
    const PrintOptions& print() const { return print_; }

    Result<void> set(std::string_view name, OptionText value, OptionSource source) override;

    /// Returns the description of an option, or null if it does not exist.
    static const OptionHead* find(std::string_view name);
    /// Returns a hint about a name or value that set() refused: the accepted values of the option, or a similar name.
    /// Returns an empty string if there is no hint.
    static std::string meant(std::string_view name);
    /// Returns the names of all options, sorted.
    static std::vector<std::string_view> names();

private:
    RunOptions run_;
    PrintOptions print_;
};

/// Returns whether aggregations are exported as metrics.
inline bool exports_metrics(const RunOptions& run, const PrintOptions& print)
{
    return !run.metrics.empty() || print.format == OutputFormat::Openmetrics ||
           print.format == OutputFormat::Prometheus || print.format == OutputFormat::Otlp;
}

} // namespace dt
