// Derives table layouts from a program's schema: one table for each clause with records, and one for each aggregation.
// Also prints these tables as a database schema (-x schema).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/options/options.hpp"

// Database schemas for the records and aggregations of a program (-x schema).
//
// The columns of formats jsonl and csv depend on the traced program. With a schema, a user who loads the output need
// not guess column types.

namespace dt::output {

struct Column {
    enum class Kind : uint8_t { Signed, Unsigned, Text } kind = Kind::Text;
    uint32_t size = 0;        ///< size of an integer column in bytes
    std::string name;         ///< column name in format csv
    std::string path;         ///< path in the objects of format jsonl, such as "data[1].stack"
    bool may_be_null = false; ///< whether the value may be null, as for a bucket bound that does not exist
};

struct Table {
    std::string name; ///< table name in format csv, such as "clause0" or "@reads"
    std::string type; ///< value of the member "type" in format jsonl: "record" or "agg"
    std::string id;   ///< index of the clause, or name of the aggregation
    std::vector<Column> columns;
    bool is_histogram = false;  ///< whether, in format jsonl, each row is an element of "buckets": a label and a count
    bool has_intervals = false; ///< whether each row, in jsonl and csv, is an interval of a tseries() with its value
    bool has_parts = false;     ///< whether each row, in jsonl and csv, is a part of a breakdown() with its time
};

struct Tables {
    std::vector<Table> all;
    /// clauses for which there is no table, because their records do not always have the same columns
    std::vector<std::string> unfixed;
};

/// Returns statements that create the tables in a database ("sqlite", "duckdb", "clickhouse") or as files ("parquet").
/// Rows from JSON lines are loaded by statements; rows from CSV are loaded by commands that the result contains as
/// comments.
std::string table_schema(const Tables& tables, std::string_view database, bool is_csv);

} // namespace dt::output

namespace dt::consume {

output::Tables tables_of(const Schema& schema, const Options& options);

} // namespace dt::consume
