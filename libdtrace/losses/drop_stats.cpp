// Defines the table of drop reasons and counts the losses. Truncated strings and stacks are counted when they are
// decoded.
#include "libdtrace/losses/drop_stats.hpp"

#include <algorithm>
#include <iterator>

#include "bpf-runtime/abi.h"
#include "libdtrace/format/value.hpp"

namespace dt::consume {

namespace {

enum class Counted : uint8_t { Always, ByKernel, Never };

struct DropReasonText {
    std::string_view name;
    output::LossKind kind;
    Counted counted;
    std::string_view one, several, text;
};

constexpr DropReasonText kCauseTexts[] = {
#define DT_CAUSE(enumerator, name, kind, counted, one, several, text)                                                  \
    {#name, output::LossKind::kind, Counted::counted, one, several, text},
#include "libdtrace/losses/drop_reasons.def"
#undef DT_CAUSE
};

/// Losses that are only known from notes at the end of a run. In the note COVERED, `late` counts processes that lost
/// some of their firings, and `missed` counts processes that lost all of them.
struct NotedLoss {
    std::string_view tag, number;
    DropReason cause;
};

constexpr NotedLoss kNotedLosses[] = {
    {"UNWOUND", "count", DropReason::AbandonedCall},
    {"COVERED", "late", DropReason::NotAttached},
    {"COVERED", "missed", DropReason::NotAttached},
};

} // namespace

std::string_view name_of(DropReason cause)
{
    return kCauseTexts[static_cast<std::size_t>(cause)].name;
}

uint64_t DropStats::count_of(DropReason cause, uint32_t cpu) const
{
    const auto& by_cpu = entries_[index(cause)].by_cpu;
    const auto found = by_cpu.find(cpu);
    return found == by_cpu.end() ? 0 : found->second;
}

void DropStats::add(DropReason cause, uint64_t count, int64_t cpu, LossTime when)
{
    if (count == 0)
        return;
    Entry& entry = entries_[index(cause)];
    entry.first = entry.count == 0 ? when.from : std::min(entry.first, when.from);
    entry.last = std::max(entry.last, when.to);
    entry.count += count;
    if (cpu >= 0)
        entry.by_cpu[static_cast<uint32_t>(cpu)] += count;
}

void DropStats::add(const output::Note& note, LossTime when)
{
    for (const NotedLoss& each : kNotedLosses)
        for (const auto& [name, number] : note.numbers)
            if (each.tag == note.tag && each.number == name)
                add(each.cause, number, -1, when);
}

std::vector<output::DropRow> DropStats::rows() const
{
    static_assert(std::size(kCauseTexts) == kDropReasons);
    std::vector<output::DropRow> rows;
    for (std::size_t i = 0; i < kDropReasons; ++i) {
        const DropReasonText& text = kCauseTexts[i];
        const Entry& entry = entries_[i];
        const bool countable = text.counted == Counted::Always || entry.estimated ||
                               (text.counted == Counted::ByKernel && entry.countable);
        rows.push_back({text.name, text.kind, text.one, text.several, text.text, entry.count, countable,
                        entry.estimated, entry.first, entry.last, entry.by_cpu});
    }
    return rows;
}

// Detects truncated values. The recorded value alone is sufficient to detect truncation.

namespace {

bool is_stack_datum(const Datum& datum)
{
    return datum.kind == Datum::Kind::Stack || datum.kind == Datum::Kind::UserStack;
}

bool is_stack_cut(const Datum& datum, const uint8_t* at)
{
    const uint32_t head = datum.kind == Datum::Kind::UserStack ? sizeof(uint64_t) : 0;
    const uint32_t most = (datum.size - head) / sizeof(uint64_t);
    uint64_t last = 0;
    uint32_t frames = 0;
    for (; frames < most; ++frames) {
        const auto frame = format::load<uint64_t>(at + head + frames * sizeof(uint64_t));
        if (frame == 0)
            break;
        last = frame;
    }
    const bool incomplete = datum.kind == Datum::Kind::UserStack && last == DT_FRAMES_INCOMPLETE;
    return incomplete || (datum.limit != 0 && frames >= datum.limit);
}

} // namespace

std::vector<const Datum*> truncatable_data(std::span<const Datum> data)
{
    std::vector<const Datum*> found;
    for (const Datum& datum : data)
        if (is_stack_datum(datum) || (datum.kind == Datum::Kind::Text && datum.limit != 0))
            found.push_back(&datum);
    return found;
}

std::optional<DropReason> truncation_of(const Datum& datum, const uint8_t* data)
{
    const uint8_t* const at = data + datum.offset;
    if (is_stack_datum(datum))
        return is_stack_cut(datum, at) ? std::optional(DropReason::StackCut) : std::nullopt;
    // The last byte is checked first: most strings are shorter than the limit, so it is usually 0.
    const bool is_long = at[datum.limit - 1] != 0 && format::load_text(at, datum.size).size() >= datum.limit;
    return is_long ? std::optional(DropReason::StringCut) : std::nullopt;
}

} // namespace dt::consume
