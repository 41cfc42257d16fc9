// Counts of all losses since the start of a trace, by drop reason and CPU, with their times.
//
// The code that detects a loss adds it to DropStats once. Drop messages report new losses during the run; DropStats
// contains the sums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/results/drop_report.hpp"

namespace dt::consume {

/// Drop reasons, as defined in drop_reasons.def.
enum class DropReason : uint8_t {
#define DT_CAUSE(enumerator, name, kind, counted, one, several, text) enumerator,
#include "libdtrace/losses/drop_reasons.def"
#undef DT_CAUSE
};

/// Returns the reason's name in machine-readable output, for example "buffer".
std::string_view name_of(DropReason cause);

/// Time range of a loss in CLOCK_MONOTONIC ns: from one read of a counter to the next, or a single moment.
struct LossTime {
    uint64_t from = 0, to = 0;
};

class DropStats {
public:
    /// Adds losses; a negative `cpu` means that the CPU is unknown.
    void add(DropReason cause, uint64_t count, int64_t cpu, LossTime when);

    /// Adds the losses that the notes UNWOUND and COVERED contain; ignores all other notes.
    void add(const output::Note& note, LossTime when);

    /// Records that this kernel cannot count losses for a reason. Earlier counts remain valid.
    void cannot_count(DropReason cause) { entries_[index(cause)].countable = false; }

    /// Adds an estimated number of losses for a reason that the kernel does not count. It is not known on which CPUs
    /// they happened.
    void estimate(DropReason cause, uint64_t count, LossTime when)
    {
        entries_[index(cause)].estimated = true;
        add(cause, count, -1, when);
    }

    uint64_t count_of(DropReason cause, uint32_t cpu) const;
    const std::map<uint32_t, uint64_t>& by_cpu(DropReason cause) const { return entries_[index(cause)].by_cpu; }

    /// Returns one row per drop reason, in the order of drop_reasons.def.
    std::vector<output::DropRow> rows() const;

private:
    struct Entry {
        uint64_t count = 0, first = 0, last = 0;
        std::map<uint32_t, uint64_t> by_cpu;
        bool countable = true, estimated = false;
    };
    static constexpr std::size_t kDropReasons = 0
#define DT_CAUSE(enumerator, name, kind, counted, one, several, text) +1
#include "libdtrace/losses/drop_reasons.def"
#undef DT_CAUSE
        ;
    static std::size_t index(DropReason cause)
    {
        return static_cast<std::size_t>(cause);
    }

    std::array<Entry, kDropReasons> entries_;
};

// Detects truncated strings and stacks.
//
// A BPF program records a string up to strsize, and a stack up to stackframes or ustackframes. Detecting truncation in
// the program would cost time in each firing. So the consumer counts a value as truncated if it has the maximum length,
// although it may be complete. Limits in the script itself, such as stack(5), do not count as truncation.

/// Returns the elements of `data`, the data of a record or key, that can be truncated. truncation_of() must be called
/// for each of them. `data` must outlive the result.
std::vector<const Datum*> truncatable_data(std::span<const Datum> data);

/// Returns StringCut or StackCut if the value is truncated. `data` points to the start of the record or key, to which
/// Datum::offset is relative.
std::optional<DropReason> truncation_of(const Datum& datum, const uint8_t* data);

/// Number of truncated aggregation keys, by drop reason.
struct TruncatedKeys {
    uint64_t strings = 0, stacks = 0;
};

} // namespace dt::consume
