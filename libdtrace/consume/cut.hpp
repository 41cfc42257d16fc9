// Strings and stacks of which something is missing.
//
// A program writes as much of a string as strsize allows, and of a stack as many frames as stackframes or ustackframes
// do, and goes on: what it cut would cost each firing to find out. Whoever reads the value sees that it is as long as
// it may be. It is counted as cut then, though some that are just so long are whole. What the script itself limits
// (stack(5)) is as it was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/ledger.hpp"

namespace dt::consume {

/// Those of a record or key that cut_of() has to look at; they must outlive what is returned.
std::vector<const Datum*> data_that_may_be_cut(std::span<const Datum> data);

/// Which of StringCut and StackCut it is, if any. `data`: what the datum's offset counts from.
std::optional<Cause> cut_of(const Datum& datum, const uint8_t* data);

/// Keys of aggregations.
struct CutKeys {
    uint64_t strings = 0, stacks = 0;
};

} // namespace dt::consume
