// Interface of output formats: text, JSON lines, flame graphs and others.
//
// The decoder knows the contents and the order of samples; a sink only formats them. So a new output format is one
// class and one line in the table of formats, and actions are independent of the format.
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

/// Thread in which a probe fired, if the program records the thread (StatementSchema::thread_offset).
struct FiringThread {
    uint32_t pid = 0, tid = 0; ///< process id and thread id; 0 for the idle task of a CPU
    std::string_view name;
};

/// Header of a record. A record contains the data that one firing recorded for one statement. The values of the record
/// are passed in separate calls.
struct Line {
    uint64_t time = 0; ///< time of the firing (CLOCK_MONOTONIC ns)
    uint32_t cpu = 0, stmt = 0;
    const ProbeText& probe;
    /// whether the record has output; false if the clause only commits or discards a speculation
    bool printed = true;
    FiringThread thread = {};
};

/// A captured packet (dtrace-actions(7), pcap).
struct Packet {
    uint64_t time = 0; ///< time of the packet in ns since boot
    uint32_t protocol = 0;
    std::span<const uint8_t> bytes;
};

/// A run-time error. `text` is the whole message without the program's name; it is also written to stderr.
struct ErrorReport {
    uint64_t time = 0;
    uint32_t cpu = 0, stmt = 0;
    const ProbeText& probe;
    std::string_view text;
    std::string_view fault; ///< name of the fault, such as "divide-by-zero"; empty for an error of the consumer itself
    uint32_t code = 0;
    uint64_t value = 0; ///< value that caused the fault: an address, a size or an index
    int64_t pc = -1;
    /// 0 for a new error. In a report about repetitions, the number of further occurrences of this error.
    uint64_t repeated = 0;
};

/// Number of drops of one kind since the last report. `cpu` is -1 if drops of this kind are not counted per CPU.
struct DropReport {
    std::string_view kind; ///< name of the kind of drop for other programs, such as "DTRACEDROP_PRINCIPAL"
    uint64_t count = 0;
    int64_t cpu = -1;
    std::string_view text;
};

class Sink {
public:
    using Tables = std::span<const Aggregation* const>;

    virtual ~Sink() = default;

    /// Prepares the output. Must be called before all other functions, when the target is open.
    virtual Result<void> open() { return {}; }

    /// Begin and end one sample. The sample's values are passed between the two calls, in recorded order.
    virtual void begin(const Line& line) = 0;
    virtual void end(const Line& line) = 0;

    virtual void value(const Datum& datum, const uint8_t* data) = 0; ///< outputs a value that trace() has recorded
    virtual void stack(const Datum& datum, const uint8_t* data) = 0;
    /// Outputs a value that sym() or a similar action has recorded.
    virtual void symbol(const Datum& datum, const uint8_t* data) = 0;
    /// outputs the data of printf()
    virtual void formatted(const format::BoundFormat& format, const uint8_t* data) = 0;
    /// outputs the bytes of tracemem()
    virtual void memory(std::span<const uint8_t> bytes) = 0;
    /// Outputs the data of a print(): the object at the address `pointer`, or a plain value if `pointer` is empty.
    virtual void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) = 0;
    virtual void packet(const Packet& packet) = 0;

    /// Output the aggregations of a printa(): without a format, or with a format that is bound to each table's keys.
    virtual void aggregations(Tables tables) = 0;
    virtual void aggregations(Tables tables, std::span<const format::BoundFormat> formats) = 0;
    /// Outputs one aggregation of a snapshot. At the end of the run, outputs one aggregation that printa() has not
    /// printed.
    virtual void unprinted(const Aggregation& table) = 0;

    /// Begin and end a snapshot. The aggregations that are output between the two calls have the values of the time
    /// `time` (CLOCK_MONOTONIC ns). Later snapshots output the same aggregations with newer values.
    virtual void begin_snapshot(uint64_t) {}
    virtual void end_snapshot() {}

    /// Reports the losses so far, and how many firings a recorded one represents on average (-x maxcost). Called before
    /// the aggregations of a snapshot, and before the aggregations at the end.
    virtual void totals(const Totals&) {}
    /// Returns whether all aggregations are output at the end of the run, even those that printa() has printed.
    virtual bool shows_all() const { return false; }

    /// Reports lost records. Called before the next record of the same CPU.
    virtual void gap(const LostInterval&) {}

    /// Report messages that are also written to stderr.
    virtual void error(const ErrorReport&) {}
    virtual void drop(const DropReport&) {}
    virtual void note(const Note&) {}
    /// Reports that setopt() has set an option. Called between begin() and end() of the sample in which setopt() was
    /// recorded.
    virtual void option_set(std::string_view /*name*/, std::string_view /*value*/) {}
    virtual void firings(std::span<const HitCounts> /*clauses*/, std::span<const HitCounts> /*probes*/) {}
    virtual void losses(std::span<const DropRow>) {} ///< reports the rows of the drop table (-x drops)
    virtual void costs(const CostReport&) {}
    virtual void annotation(const Annotation&) {}

    /// Output the expected cost and the maximum memory of a run that is only estimated and not started (--estimate).
    virtual void estimate(const Estimate&) {}
    virtual void memory_bound(std::span<const MemoryPart>) {}
    /// Outputs the time that detaching all probes took. Called after the estimates.
    virtual void detached(double /*seconds*/) {}

    /// Marks the end of a pass of the consumer at `now` (CLOCK_MONOTONIC ns), so that batched output can be sent.
    virtual void end_of_pass(uint64_t /*now*/) {}
    /// Returns whether end_of_pass() must also be called while no records arrive.
    virtual bool needs_passes() const { return false; }
    /// Reports the first interrupt (SIGINT). The terminal has then printed ^C.
    virtual void interrupted() {}
    /// Marks the end of the records. Called after the last record, before unprinted().
    virtual void end_of_records() {}
    /// Called after the last unprinted() and before losses are reported. Pending network output must be sent or dropped
    /// here.
    virtual void end_of_aggregations() {}
    /// Writes everything that the sink has buffered, because another tracer takes over the trace.
    virtual void leave() {}
    /// Completes the output. Called at the end of the run, after all other functions.
    virtual void finish() {}
};

/// The objects and settings that a sink needs. All referenced objects must outlive the sink.
struct SinkOptions {
    const PrintOptions& options;
    Output& output;
    const format::Environment& env;
    bool reproducible = false; ///< whether to omit data that varies from run to run
    uint64_t program = 0;      ///< digest of the program (Schema::program_digest)
};

/// Returns the sink for the option `format`.
std::unique_ptr<Sink> make_sink(const SinkOptions& with);

/// Creates the sink of a program that embeds the library.
using SinkMaker = std::function<std::unique_ptr<Sink>(const SinkOptions& with)>;

/// Base of sinks that output each value of a record as one field, and the time of a snapshot with each aggregation.
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
    std::optional<uint64_t> snapshot_; ///< time of the snapshot whose aggregations unprinted() writes
};

// Base of sinks that output only aggregations, which they receive through unprinted(). Such sinks ignore records and
// printa().

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
