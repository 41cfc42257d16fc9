// The tables that a program's records and aggregations are, as a database wants to hear of them (-x schema).
//
// Formats jsonl and csv write rows for any program; what their columns are only the program says. So whoever loads them
// need not guess types from the first rows, or write down by hand what the compiler knows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt::output {

struct Column {
    enum class Kind : uint8_t { Signed, Unsigned, Text } kind = Kind::Text;
    uint32_t size = 0;        ///< bytes of an integer
    std::string name;         ///< as format csv has it
    std::string path;         ///< in the object of format jsonl: "data[1].stack"
    bool may_be_null = false; ///< a bound of a bucket
};

struct Table {
    std::string name; ///< as format csv has it: "clause0", "@reads"
    std::string type; ///< of the objects of format jsonl: "record" or "agg"
    std::string id;   ///< of these, which: the number of a clause, the name of an aggregation
    std::vector<Column> columns;
    bool is_histogram = false; ///< in format jsonl a row is an element of "buckets", a label and a count
    bool has_parts = false;    ///< and that is a part of breakdown() and its time, in format csv as well
};

struct Tables {
    std::vector<Table> all;
    std::vector<std::string> unfixed; ///< clauses without a table: which values a record has is known when it is there
};

/// Statements that make the tables in a database ("sqlite", "duckdb", "clickhouse"), or files ("parquet"), and how
/// their rows come there: of CSV as commands in comments, of JSON lines as statements too.
std::string table_schema(const Tables& tables, std::string_view database, bool is_csv);

} // namespace dt::output
