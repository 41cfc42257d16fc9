// Detection of truncated strings and stacks.
//
// A BPF program records a string up to strsize, and a stack up to stackframes or ustackframes. Detecting truncation
// there would cost time in each firing. So the consumer counts a value as truncated if it has the maximum length,
// although some such values are complete. Limits in the script itself, such as stack(5), do not count as truncation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/ledger.hpp"

namespace dt::consume {

/// Returns the parts of a record or key that cut_of() must check. `data` must outlive the result.
std::vector<const Datum*> data_that_may_be_cut(std::span<const Datum> data);

/// Returns StringCut or StackCut if the value is truncated. `data` is the address that the datum's offset refers to.
std::optional<Cause> cut_of(const Datum& datum, const uint8_t* data);

/// Numbers of truncated aggregation keys.
struct CutKeys {
    uint64_t strings = 0, stacks = 0;
};

} // namespace dt::consume
