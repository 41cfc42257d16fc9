// Whether what a program prints needs the names of addresses in processes.
#pragma once

#include "dcompiler/object/schema.hpp"

namespace dt::consume {

/// Whether addresses of processes are to be named: ustack(), usym() and their like, and %A.
bool names_user_addresses(const Schema& schema);
/// Whether some of them are in keys of aggregations, which are printed when their processes may be long gone.
bool keeps_user_addresses(const Schema& schema);

} // namespace dt::consume
