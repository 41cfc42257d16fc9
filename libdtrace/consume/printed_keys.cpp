// Replaces the symbols in keys by their names before keys are compared.
#include "libdtrace/consume/printed_keys.hpp"

#include "libdtrace/format/value.hpp"

namespace dt::consume {

namespace {

using DatumKind = Datum::Kind;

constexpr int64_t kKernel = -1;
constexpr uint32_t kEndOfStack = UINT32_MAX;

void append_bytes(std::string& to, const void* from, std::size_t size)
{
    to.append(static_cast<const char*>(from), size);
}

} // namespace

void PrintedKeys::append(const Place& place, Symbols& symbols)
{
    const auto [known, is_new] = places_.try_emplace(place, 0);
    if (is_new) {
        known->second =
            number_of(place.pid == kKernel ? symbols.kernel(place.address, place.form, place.use)
                                           : symbols.user(place.pid, place.address, place.form, false, place.use));
    }
    append_bytes(bytes_, &known->second, sizeof known->second);
}

uint32_t PrintedKeys::number_of(std::string_view text)
{
    return texts_.try_emplace(std::string(text), static_cast<uint32_t>(texts_.size())).first->second;
}

const std::string& PrintedKeys::of(const AggregationSchema& schema, const uint8_t* key, Symbols& symbols,
                                   ControlGroups* cgroups)
{
    bytes_.clear();
    for (const Datum& datum : schema.keys) {
        const uint8_t* at = key + datum.offset;
        if (datum.kind == DatumKind::Symbol) {
            append({kKernel, format::load<uint64_t>(at), format::form_of(datum, at)}, symbols);
        } else if (datum.kind == DatumKind::UserSymbol) {
            append({format::load<int64_t>(at), format::load<uint64_t>(at + 8), format::form_of(datum, at)}, symbols);
        } else if (datum.kind == DatumKind::Cgroup && cgroups) {
            const uint32_t number = number_of(cgroups->text(format::load<uint64_t>(at), datum.part));
            append_bytes(bytes_, &number, sizeof number);
        } else if (format::is_address(datum)) {
            const uint8_t* end = at + datum.size / 8 * 8;
            int64_t pid = kKernel;
            if (datum.kind == DatumKind::UserStack) {
                const auto owner = format::load<int64_t>(at);
                pid = owner != 0 ? owner : kKernel; // a stack value may be a kernel stack
                at += 8;
            }
            auto use = Symbols::Use::Exact;
            for (; at < end && format::load<uint64_t>(at) != 0; at += 8) {
                append({pid, format::load<uint64_t>(at), Datum::Address::Exact, use}, symbols);
                use = Symbols::Use::Return;
            }
            append_bytes(bytes_, &kEndOfStack, sizeof kEndOfStack);
        } else {
            append_bytes(bytes_, at, datum.size);
        }
    }
    return bytes_;
}

} // namespace dt::consume
