// What was lost, by cause (-x ledger).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace dt::output {

/// Lost: it is nowhere. Partly: it was recorded with something missing. Wanted: an option asked for that.
enum class LossKind : uint8_t { Lost, Partly, Wanted };

/// "lost"
std::string_view word_of(LossKind kind);

struct LedgerRow {
    std::string_view cause; ///< for programs: "buffer"
    LossKind kind = LossKind::Lost;
    std::string_view one, several; ///< what is counted: "record", "records"
    std::string_view text;         ///< the reason, for people
    uint64_t count = 0;
    bool countable = true;               ///< false: nobody counts it here, and a count of 0 says nothing
    bool estimated = false;              ///< near the truth: the line about losses leaves it out
    uint64_t first = 0, last = 0;        ///< CLOCK_MONOTONIC ns; nothing was lost before and after. 0 with a count of 0
    std::map<uint32_t, uint64_t> by_cpu; ///< the part of the count of which the CPU is known
};

/// Records that are missing in front of the next one of their CPU.
struct Gap {
    std::string_view cause; ///< for programs: "buffer"
    uint64_t count = 0;
    uint32_t cpu = 0;
    uint64_t from = 0, to = 0; ///< CLOCK_MONOTONIC ns; all of them are between these
};

/// "1,204 lost here, 12.3 ms", or "1,204 speculative lost here, 12.3 ms"; without the time when the output is not to
/// differ from run to run.
std::string gap_text(const Gap& gap, bool reproducible);

/// Something was lost, of whatever cause.
bool has_losses(std::span<const LedgerRow> rows);

/// "lost: 1,204 records (no room in the buffer of a CPU), 3 …": what is Lost; empty when nothing is.
std::string losses_text(std::span<const LedgerRow> rows);

/// Lines for a person: a heading and a line for each cause. Times are told from `begin` on (CLOCK_MONOTONIC ns), and
/// not at all when that is 0.
std::string ledger_table(std::span<const LedgerRow> rows, uint64_t begin);

} // namespace dt::output
