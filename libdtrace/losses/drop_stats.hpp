// The ledger counts all losses since the start of a trace, by drop reason and CPU, with their times.
//
// The code that detects a loss enters it here once. Drop messages report new losses during the run, the ledger their
// sums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "libdtrace/output/ledger.hpp"
#include "libdtrace/output/messages.hpp"

namespace dt::consume {

/// Drop reasons, as listed in causes.def.
enum class Cause : uint8_t {
#define DT_CAUSE(enumerator, name, kind, counted, one, several, text) enumerator,
#include "libdtrace/consume/causes.def"
#undef DT_CAUSE
};

/// Returns the reason's name in machine-readable output, for example "buffer".
std::string_view name_of(Cause cause);

/// Time range of a loss: between two reads of a counter, or one moment. CLOCK_MONOTONIC ns.
struct LossTime {
    uint64_t from = 0, to = 0;
};

class Ledger {
public:
    /// Adds losses; a negative `cpu` means that the CPU is unknown.
    void add(Cause cause, uint64_t count, int64_t cpu, LossTime when);

    /// Adds those numbers of a note that are losses (UNWOUND, COVERED); ignores other notes.
    void add(const output::Note& note, LossTime when);

    /// Notes that this kernel does not count losses of this kind. Earlier counts are kept.
    void cannot_count(Cause cause) { entries_[index(cause)].countable = false; }

    /// Adds an estimate for losses that are not counted. Their CPU is unknown.
    void estimate(Cause cause, uint64_t count, LossTime when)
    {
        entries_[index(cause)].estimated = true;
        add(cause, count, -1, when);
    }

    uint64_t count_of(Cause cause, uint32_t cpu) const;
    const std::map<uint32_t, uint64_t>& by_cpu(Cause cause) const { return entries_[index(cause)].by_cpu; }

    /// Returns one row per drop reason, in the order of causes.def.
    std::vector<output::LedgerRow> rows() const;

private:
    struct Entry {
        uint64_t count = 0, first = 0, last = 0;
        std::map<uint32_t, uint64_t> by_cpu;
        bool countable = true, estimated = false;
    };
    static constexpr std::size_t kCauses = 0
#define DT_CAUSE(enumerator, name, kind, counted, one, several, text) +1
#include "libdtrace/consume/causes.def"
#undef DT_CAUSE
        ;
    static std::size_t index(Cause cause)
    {
        return static_cast<std::size_t>(cause);
    }

    std::array<Entry, kCauses> entries_;
};

} // namespace dt::consume
