// Truncation is detected from the recorded value alone.
#include "libdtrace/consume/cut.hpp"

#include "bpf-runtime/abi.h"
#include "libdtrace/format/value.hpp"

namespace dt::consume {

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

std::vector<const Datum*> data_that_may_be_cut(std::span<const Datum> data)
{
    std::vector<const Datum*> found;
    for (const Datum& datum : data)
        if (is_stack_datum(datum) || (datum.kind == Datum::Kind::Text && datum.limit != 0))
            found.push_back(&datum);
    return found;
}

std::optional<Cause> cut_of(const Datum& datum, const uint8_t* data)
{
    const uint8_t* const at = data + datum.offset;
    if (is_stack_datum(datum))
        return is_stack_cut(datum, at) ? std::optional(Cause::StackCut) : std::nullopt;
    // most strings are short, so the first check suffices
    const bool is_long = at[datum.limit - 1] != 0 && format::load_text(at, datum.size).size() >= datum.limit;
    return is_long ? std::optional(Cause::StringCut) : std::nullopt;
}

} // namespace dt::consume
