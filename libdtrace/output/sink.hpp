// Where what was recorded goes: text for people, JSON lines for programs, stacks for flame graphs.
//
// The decoder knows what a sample holds and in which order things happen; a sink knows only how each thing looks. So a
// new output format is one class and its row in sink.cpp, and no action asks which format is in force.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "libdtrace/output/aggregation.hpp"
#include "libdtrace/output/annotation.hpp"
#include "libdtrace/output/costs.hpp"
#include "libdtrace/output/estimate.hpp"
#include "libdtrace/output/probe_text.hpp"
#include "libdtrace/format/printf.hpp"
#include "libdtrace/output/firings.hpp"
#include "libdtrace/output/ledger.hpp"
#include "libdtrace/output/memory.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/totals.hpp"

namespace dt::output {

/// Whose firing it was, where that is recorded (StatementSchema::thread_offset).
struct FiringThread {
    uint32_t pid = 0, tid = 0; ///< 0: the idle task of a CPU
    std::string_view name;
};

/// What one firing recorded for one statement; its values follow.
struct Line {
    uint64_t time = 0; ///< CLOCK_MONOTONIC ns
    uint32_t cpu = 0, stmt = 0;
    const ProbeText& probe;
    bool printed = true; ///< false for clauses that only commit or discard
    FiringThread thread = {};
};

/// A captured packet (dtrace-actions(7), pcap).
struct Packet {
    uint64_t time = 0; ///< ns since boot
    uint32_t protocol = 0;
    std::span<const uint8_t> bytes;
};

/// A run-time error. `text` is the whole message without the program's name, as it goes to stderr as well.
struct ErrorReport {
    uint64_t time = 0;
    uint32_t cpu = 0, stmt = 0;
    const ProbeText& probe;
    std::string_view text;
    std::string_view fault; ///< "divide-by-zero"; empty: the consumer's own error
    uint32_t code = 0;
    uint64_t value = 0; ///< address, size or index
    int64_t pc = -1;
    uint64_t repeated = 0; ///< not 0: it is no error, but says that there were so many more like this one
};

/// Losses of one kind since the last report; cpu is -1 where the kind is not counted by CPU.
struct DropReport {
    std::string_view kind; ///< "DTRACEDROP_PRINCIPAL"
    uint64_t count = 0;
    int64_t cpu = -1;
    std::string_view text;
};

class Sink {
public:
    using Tables = std::span<const Aggregation* const>;

    virtual ~Sink() = default;

    /// Before all others: where it writes to is there.
    virtual Result<void> open() { return {}; }

    /// One sample: its records come between these two, in the order written.
    virtual void begin(const Line& line) = 0;
    virtual void end(const Line& line) = 0;

    virtual void value(const Datum& datum, const uint8_t* data) = 0; ///< trace()
    virtual void stack(const Datum& datum, const uint8_t* data) = 0;
    virtual void symbol(const Datum& datum, const uint8_t* data) = 0;                   ///< sym() and its like
    virtual void formatted(const format::BoundFormat& format, const uint8_t* data) = 0; ///< printf()
    virtual void memory(std::span<const uint8_t> bytes) = 0;                            ///< tracemem()
    /// print() of what `pointer` points to, or, without one, of a value.
    virtual void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) = 0;
    virtual void packet(const Packet& packet) = 0;

    /// printa(), without and with a format bound to each table's keys.
    virtual void aggregations(Tables tables) = 0;
    virtual void aggregations(Tables tables, std::span<const format::BoundFormat> formats) = 0;
    /// One aggregation, which no printa() shows: at the end of the run those that none has shown.
    virtual void unprinted(const Aggregation& table) = 0;

    /// What unprinted() shows between these two is as of that time (CLOCK_MONOTONIC ns), and will be shown again.
    virtual void begin_snapshot(uint64_t) {}
    virtual void end_snapshot() {}

    /// In front of the aggregations of a snapshot, and of those at the end: as they are then.
    virtual void totals(const Totals&) {}
    /// Whether what a printa() has shown is to come again at the end.
    virtual bool shows_all() const { return false; }

    /// In front of the next record of its CPU.
    virtual void gap(const Gap&) {}

    /// These are on stderr as well.
    virtual void error(const ErrorReport&) {}
    virtual void drop(const DropReport&) {}
    virtual void note(const Note&) {}
    /// setopt() has set an option, between begin() and end().
    virtual void option_set(std::string_view /*name*/, std::string_view /*value*/) {}
    virtual void firings(std::span<const Firings> /*clauses*/, std::span<const Firings> /*probes*/) {}
    virtual void ledger(std::span<const LedgerRow>) {} ///< the rows that are to be shown
    virtual void costs(const CostReport&) {}
    virtual void annotation(const Annotation&) {}

    /// What a run would cost, and the most memory that it could take: in place of the run (--estimate).
    virtual void estimate(const Estimate&) {}
    virtual void memory_bound(std::span<const MemoryPart>) {}
    /// Behind these: detaching all probes that there are takes so long.
    virtual void detached(double /*seconds*/) {}

    /// What there was is told, at `now` (CLOCK_MONOTONIC ns): what waits for company may go.
    virtual void end_of_pass(uint64_t /*now*/) {}
    /// Whether end_of_pass() has to be called while nothing comes, too.
    virtual bool needs_passes() const { return false; }
    /// The first interrupt came: the terminal shows ^C.
    virtual void interrupted() {}
    /// After the last record, before unprinted().
    virtual void end_of_records() {}
    /// After the last unprinted(), before what was lost is told: what is sent somewhere is there, or lost.
    virtual void end_of_aggregations() {}
    /// Another tracer goes on: what was held back is written.
    virtual void leave() {}
    /// Nothing follows.
    virtual void finish() {}
};

/// What a sink writes with; all must outlive it.
struct SinkOptions {
    const PrintOptions& options;
    Output& output;
    const format::Environment& env;
    bool reproducible = false; ///< without what differs from run to run
    uint64_t program = 0;      ///< Schema::text_digest
};

/// The sink of the option `format`.
std::unique_ptr<Sink> make_sink(const SinkOptions& with);

/// Of who shows what a trace records in a way of its own: a program that has the library.
using SinkMaker = std::function<std::unique_ptr<Sink>(const SinkOptions& with)>;

} // namespace dt::output
