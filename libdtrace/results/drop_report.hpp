// The report of lost data by cause (-x drops). Also the outcomes of firings (-x hits), and totals that indicate how
// complete aggregations are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dt::output {

/// Kind of loss. Lost: data was not recorded. Partly: data was recorded incompletely. Wanted: data was not recorded
/// because an option requests that, for example sampling.
enum class LossKind : uint8_t { Lost, Partly, Wanted };

/// Returns the name of a kind of loss in output, for example "lost".
std::string_view name_of_kind(LossKind kind);

struct DropRow {
    std::string_view cause; ///< name of the cause for other programs, for example "buffer"
    LossKind kind = LossKind::Lost;
    std::string_view one, several; ///< unit of the count, singular and plural, for example "record" and "records"
    std::string_view text;         ///< reason of the loss, as a text for users
    uint64_t count = 0;
    /// whether this system can count this kind of loss; if false, a count of 0 does not mean that nothing was lost
    bool countable = true;
    bool estimated = false;              ///< whether the count is an estimate; losses_text() does not mention estimates
    uint64_t first = 0, last = 0;        ///< time range of the losses (CLOCK_MONOTONIC ns); 0 if the count is 0
    std::map<uint32_t, uint64_t> by_cpu; ///< number of losses on each CPU, as far as the CPU is known
};

/// A gap in the records of one CPU: the records that were lost just before the next recorded one.
struct LostInterval {
    std::string_view cause; ///< name of the cause for other programs
    uint64_t count = 0;
    uint32_t cpu = 0;
    uint64_t from = 0, to = 0; ///< time range of the losses (CLOCK_MONOTONIC ns)
};

/// Returns a text about the gap, for example "1,204 lost here, 12.3 ms" or "1,204 speculative lost here, 12.3 ms". If
/// `reproducible` is set, the text contains no time.
std::string lost_interval_text(const LostInterval& gap, bool reproducible);

/// Returns whether the count of any cause is greater than 0.
bool has_losses(std::span<const DropRow> rows);

/// Returns "lost: 1,204 records (no room in the buffer of a CPU), 3 …", a text with the causes of kind Lost. Returns an
/// empty string if nothing was lost.
std::string losses_text(std::span<const DropRow> rows);

/// Returns a human-readable table with one line per cause. Times are relative to `begin` (CLOCK_MONOTONIC ns). If
/// `begin` is 0, times are omitted.
std::string drop_table(std::span<const DropRow> rows, uint64_t begin);

// Data that show how complete aggregations are: losses, and how many firings an executed one represents on average if
// sampling is active.

struct Totals {
    std::vector<DropRow> losses;
    /// Mean number of firings for which each executed firing stands (-x maxcost); empty if no firing is skipped.
    std::optional<double> weight;
};

// Counts how probe firings ended, and how the clauses that ran in them ended (-x hits).

/// Numbers of firings of a probe or a clause, by outcome.
struct HitCounts {
    uint32_t id = 0;
    std::string name;
    uint64_t fired = 0; ///< how many times the program (for a probe) or the clause (for a clause) was started
    uint64_t filtered = 0, recorded = 0, lost = 0;
    /// Number of firings that sampling has skipped (-x maxcost). Executed firings count several times in results to
    /// make up for skipped ones.
    uint64_t sampled_out = 0;

    /// Returns whether the outcomes add up to the number of starts, which is always true while no program is running.
    bool adds_up() const { return fired == filtered + recorded + lost + sampled_out; }
};

/// Returns human-readable tables, first of clauses, then of probes. Probes and clauses that never fired have no row;
/// their number is printed on a separate line. The column SAMPLED OUT appears only if a count is not zero.
std::string firings_table(std::span<const HitCounts> clauses, std::span<const HitCounts> probes);

} // namespace dt::output
