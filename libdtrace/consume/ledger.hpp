// The ledger: what was lost since a trace began, by cause and CPU, and when.
//
// Whoever learns of a loss enters it here, once, whatever is said of it meanwhile: drop lines tell what is new, the
// ledger what it came to.
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

/// causes.def
enum class Cause : uint8_t {
#define DT_CAUSE(enumerator, name, kind, counted, one, several, text) enumerator,
#include "libdtrace/consume/causes.def"
#undef DT_CAUSE
};

/// For programs: "buffer"
std::string_view name_of(Cause cause);

/// When something was lost: between two looks at a counter, or at one moment. CLOCK_MONOTONIC ns.
struct LossTime {
    uint64_t from = 0, to = 0;
};

class Ledger {
public:
    /// `cpu` below 0: of no CPU in particular.
    void add(Cause cause, uint64_t count, int64_t cpu, LossTime when);

    /// Numbers of notes that are losses as well (UNWOUND, COVERED). Nothing for other notes.
    void add(const output::Note& note, LossTime when);

    /// This kernel counts nothing of the kind; what was counted of it stays.
    void cannot_count(Cause cause) { entries_[index(cause)].countable = false; }

    /// What nobody counts, by another reckoning that is near. Of no CPU in particular.
    void estimate(Cause cause, uint64_t count, LossTime when)
    {
        entries_[index(cause)].estimated = true;
        add(cause, count, -1, when);
    }

    uint64_t count_of(Cause cause, uint32_t cpu) const;
    const std::map<uint32_t, uint64_t>& by_cpu(Cause cause) const { return entries_[index(cause)].by_cpu; }

    /// One row a cause, in the order of the table.
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
