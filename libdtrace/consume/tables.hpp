// From the schema of a program to the tables that its records and aggregations are.
#pragma once

#include "dcompiler/object/schema.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/table_schema.hpp"

namespace dt::consume {

output::Tables tables_of(const Schema& schema, const Options& options);

} // namespace dt::consume
