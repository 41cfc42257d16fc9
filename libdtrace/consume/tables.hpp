// Derives table layouts from a program's schema: one table for each clause with records, and one for each aggregation.
#pragma once

#include "dcompiler/object/schema.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/table_schema.hpp"

namespace dt::consume {

output::Tables tables_of(const Schema& schema, const Options& options);

} // namespace dt::consume
