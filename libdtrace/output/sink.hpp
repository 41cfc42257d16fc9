// Interface of output formats: text, JSON lines, flame graphs and others.
//
// The decoder knows the contents and the order of samples; a sink only formats them. So a new output format is one
// class and one row in the format table, and actions are independent of the format.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "libdtrace/format/printf.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/probe_text.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/results/annotation.hpp"
#include "libdtrace/results/cost_report.hpp"
#include "libdtrace/results/drop_report.hpp"
#include "libdtrace/results/estimate_report.hpp"

namespace dt::output {

/// Thread that caused a firing, if it is recorded (StatementSchema::thread_offset).
struct FiringThread {
    uint32_t pid = 0, tid = 0; ///< 0: the idle task of a CPU
    std::string_view name;
};

/// Header of the data that one firing recorded for one statement; the values follow.
struct Line {
    uint64_t time = 0; ///< CLOCK_MONOTONIC ns
    uint32_t cpu = 0, stmt = 0;
    const ProbeText& probe;
    bool printed = true; ///< false for clauses that only commit or discard a speculation
    FiringThread thread = {};
};

/// A captured packet (dtrace-actions(7), pcap).
struct Packet {
    uint64_t time = 0; ///< ns since boot
    uint32_t protocol = 0;
    std::span<const uint8_t> bytes;
};

/// A run-time error. `text` is the complete message without the program's name; it is also written to stderr.
struct ErrorReport {
    uint64_t time = 0;
    uint32_t cpu = 0, stmt = 0;
    const ProbeText& probe;
    std::string_view text;
    std::string_view fault; ///< fault name, such as "divide-by-zero"; empty: an error of the consumer itself
    uint32_t code = 0;
    uint64_t value = 0; ///< address, size or index that caused the fault
    int64_t pc = -1;
    uint64_t repeated = 0; ///< if not 0: not a new error, but the number of further errors like this one
};

/// Drops of one kind since the last report. `cpu` is -1 if the kind is not counted per CPU.
struct DropReport {
    std::string_view kind; ///< name for programs, such as "DTRACEDROP_PRINCIPAL"
    uint64_t count = 0;
    int64_t cpu = -1;
    std::string_view text;
};

class Sink {
public:
    using Tables = std::span<const Aggregation* const>;

    virtual ~Sink() = default;

    /// Prepares the output. It is the first call, after the target is open.
    virtual Result<void> open() { return {}; }

    /// Begin and end one sample. The calls for its values come in between, in recorded order.
    virtual void begin(const Line& line) = 0;
    virtual void end(const Line& line) = 0;

    virtual void value(const Datum& datum, const uint8_t* data) = 0; ///< trace()
    virtual void stack(const Datum& datum, const uint8_t* data) = 0;
    virtual void symbol(const Datum& datum, const uint8_t* data) = 0;                   ///< sym() and similar
    virtual void formatted(const format::BoundFormat& format, const uint8_t* data) = 0; ///< printf()
    virtual void memory(std::span<const uint8_t> bytes) = 0;                            ///< tracemem()
    /// Outputs print(): the object that `pointer` points to, or, without a pointer, a value.
    virtual void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) = 0;
    virtual void packet(const Packet& packet) = 0;

    /// Output printa(), without a format and with a format bound to each table's keys.
    virtual void aggregations(Tables tables) = 0;
    virtual void aggregations(Tables tables, std::span<const format::BoundFormat> formats) = 0;
    /// Outputs one aggregation of a snapshot, or at the end of the run one that no printa() has shown.
    virtual void unprinted(const Aggregation& table) = 0;

    /// Begin and end a snapshot. The aggregations in between are as of `time` (CLOCK_MONOTONIC ns) and will be output
    /// again.
    virtual void begin_snapshot(uint64_t) {}
    virtual void end_snapshot() {}

    /// Reports the totals so far, before the aggregations of a snapshot and before those at the end.
    virtual void totals(const Totals&) {}
    /// Returns whether aggregations that printa() has shown are output again at the end.
    virtual bool shows_all() const { return false; }

    /// Reports lost records, before the next record of the same CPU.
    virtual void gap(const LostInterval&) {}

    /// Report messages that are also written to stderr.
    virtual void error(const ErrorReport&) {}
    virtual void drop(const DropReport&) {}
    virtual void note(const Note&) {}
    /// Reports that setopt() has set an option. Called between begin() and end().
    virtual void option_set(std::string_view /*name*/, std::string_view /*value*/) {}
    virtual void firings(std::span<const HitCounts> /*clauses*/, std::span<const HitCounts> /*probes*/) {}
    virtual void ledger(std::span<const DropRow>) {} ///< the rows to show
    virtual void costs(const CostReport&) {}
    virtual void annotation(const Annotation&) {}

    /// Output the expected cost and the memory limit of a run, instead of the run (--estimate).
    virtual void estimate(const Estimate&) {}
    virtual void memory_bound(std::span<const MemoryPart>) {}
    /// Outputs the time that detaching all probes took, after the estimates.
    virtual void detached(double /*seconds*/) {}

    /// Marks the end of a pass at `now` (CLOCK_MONOTONIC ns), so that batched output can be sent.
    virtual void end_of_pass(uint64_t /*now*/) {}
    /// Returns whether end_of_pass() must be called even while no records arrive.
    virtual bool needs_passes() const { return false; }
    /// Reports the first interrupt, after which the terminal shows ^C.
    virtual void interrupted() {}
    /// Called after the last record, before unprinted().
    virtual void end_of_records() {}
    /// Called after the last unprinted() and before losses are reported. Pending network output must be sent or dropped
    /// here.
    virtual void end_of_aggregations() {}
    /// Writes everything held back, because another tracer takes over the trace.
    virtual void leave() {}
    /// Called last.
    virtual void finish() {}
};

/// Environment of a sink; all referenced objects must outlive it.
struct SinkOptions {
    const PrintOptions& options;
    Output& output;
    const format::Environment& env;
    bool reproducible = false; ///< omit data that varies from run to run
    uint64_t program = 0;      ///< Schema::program_digest
};

/// Returns the sink for the option `format`.
std::unique_ptr<Sink> make_sink(const SinkOptions& with);

/// Factory for the sink of a program that embeds the library.
using SinkMaker = std::function<std::unique_ptr<Sink>(const SinkOptions& with)>;

/// Base of sinks that output each value of a record as one field, and mark the aggregations of a snapshot by its time.
class FieldSink : public Sink {
public:
    void stack(const Datum& datum, const uint8_t* data) override { value(datum, data); }
    void symbol(const Datum& datum, const uint8_t* data) override { value(datum, data); }
    void packet(const Packet& packet) override { memory(packet.bytes); }
    void unprinted(const Aggregation& table) override
    {
        const Aggregation* const one = &table;
        aggregations(Tables(&one, 1));
    }
    void begin_snapshot(uint64_t time) override { snapshot_ = time; }
    void end_snapshot() override { snapshot_.reset(); }

protected:
    std::optional<uint64_t> snapshot_; ///< time of the snapshot that unprinted() writes
};

// Base of sinks that output only unprinted aggregations. They ignore records and printa().

class TableSink : public Sink {
public:
    void begin(const Line&) override {}
    void end(const Line&) override {}
    void value(const Datum&, const uint8_t*) override {}
    void stack(const Datum&, const uint8_t*) override {}
    void symbol(const Datum&, const uint8_t*) override {}
    void formatted(const format::BoundFormat&, const uint8_t*) override {}
    void memory(std::span<const uint8_t>) override {}
    void object(std::optional<uint64_t>, const Type*, std::span<const uint8_t>) override {}
    void packet(const Packet&) override {}
    void aggregations(Tables) override {}
    void aggregations(Tables, std::span<const format::BoundFormat>) override {}
};

} // namespace dt::output
