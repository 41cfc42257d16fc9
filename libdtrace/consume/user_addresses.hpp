// Determines whether a program prints names of addresses in processes.
#pragma once

#include "dcompiler/object/schema.hpp"

namespace dt::consume {

/// Returns whether the program names addresses of processes: ustack(), usym() and similar, and %A.
bool names_user_addresses(const Schema& schema);
/// Returns whether such addresses are in keys of aggregations, which may be printed long after their processes have
/// ended.
bool keeps_user_addresses(const Schema& schema);

} // namespace dt::consume
