// Derives the columns of tables and generates the statements of -x schema. Columns have the order in which sinks
// receive values. Each record adds the cells that its action declares (actions.hpp).
#include "libdtrace/records/table_schema.hpp"

#include <algorithm>

#include "libdtrace/records/actions.hpp"
#include "libdtrace/sinks/stack_sink.hpp"

namespace dt::consume {
namespace {

using output::Column;

Column column_of(const Datum& datum, const std::string& path)
{
    Column column;
    column.path = path;
    const bool is_number = datum.size == 1 || datum.size == 2 || datum.size == 4 || datum.size == 8;
    if (is_number && (datum.kind == Datum::Kind::Signed || datum.kind == Datum::Kind::Unsigned)) {
        column.kind = datum.kind == Datum::Kind::Signed ? Column::Kind::Signed : Column::Kind::Unsigned;
        column.size = datum.size;
    } else if (output::is_stack(datum)) {
        column.path += ".stack";
    }
    return column;
}

Column text_column(const std::string& path)
{
    Column column;
    column.path = path;
    return column;
}

Column number_column(const std::string& name, const std::string& path, Column::Kind kind = Column::Kind::Unsigned,
                     uint32_t size = 8)
{
    return {kind, size, name, path};
}

/// The values of one statement, and their paths in a line of JSON. In the JSON line, a value is an element of the list
/// "data", or of a list "args".
class RecordColumns {
public:
    void add(const Record& record, Cells cells)
    {
        if (cells == Cells::None)
            return;
        const std::string item = "data[" + std::to_string(items_++) + "]";
        if (cells == Cells::Datum)
            return add(column_of(record.data[0], item));
        if (cells == Cells::Arguments)
            return add_arguments(record, item);
        add(text_column(item + (cells == Cells::Memory   ? ".bytes"
                                : cells == Cells::Object ? ".print"
                                                         : ".packet.bytes")));
    }

    std::vector<Column> columns;

private:
    void add(Column column)
    {
        column.name = "value" + std::to_string(++values_);
        columns.push_back(std::move(column));
    }

    void add_arguments(const Record& record, const std::string& item)
    {
        const std::string list = "args[" + std::to_string(lists_++) + "][";
        std::size_t arguments = 0;
        if (const auto parsed = format::parse(record.format))
            if (auto bound = format::BoundFormat::bind(parsed.value(), record.data))
                bound->for_each_argument(
                    [&](const Datum& datum) { add(column_of(datum, list + std::to_string(arguments++) + "]")); });
        if (arguments == 0)
            add(text_column(item));
    }

    std::size_t items_ = 0, lists_ = 0, values_ = 0;
};

output::Table table_of(const AggregationSchema& schema, const Options& options)
{
    output::Table table{"@" + schema.name, "agg", schema.name, {}};
    if (options.run().aggevery != 0)
        table.columns.push_back(number_column("ns", "ts"));
    for (std::size_t i = 0; i < schema.keys.size(); ++i) {
        Column key = column_of(schema.keys[i], "keys[" + std::to_string(i) + "]");
        key.name = "key" + std::to_string(i + 1);
        table.columns.push_back(std::move(key));
    }
    if (options.compile().aggttl != 0)
        table.columns.push_back(number_column("gone", "gone", Column::Kind::Unsigned, 1));
    table.has_parts = schema.function->kind == AggKind::Breakdown;
    table.has_intervals = schema.function->kind == AggKind::Tseries;
    table.is_histogram = format::is_histogram(schema.function->kind) || table.has_intervals;
    const Column::Kind kind = schema.function->kind == AggKind::Stddev ? Column::Kind::Unsigned : Column::Kind::Signed;
    if (!table.is_histogram)
        table.columns.push_back(number_column(std::string(schema.function->name), "value", kind));
    return table;
}

} // namespace

output::Tables tables_of(const Schema& schema, const Options& options)
{
    output::Tables tables;
    for (const StatementSchema& statement : schema.statements) {
        RecordColumns records;
        bool is_fixed = true;
        for (const Record& record : statement.records) {
            const Cells cells = record.action ? handler(*record.action).cells : Cells::None;
            is_fixed &= cells == Cells::None || record.guard < 0;
            records.add(record, cells);
        }
        const std::string name = "clause" + std::to_string(statement.id);
        if (!is_fixed)
            tables.unfixed.push_back(name);
        if (!is_fixed || records.columns.empty())
            continue;
        output::Table table{name, "record", std::to_string(statement.id), {}};
        Column probe = text_column("probe");
        probe.name = "probe";
        table.columns = {number_column("ns", "ts"), number_column("cpu", "cpu", Column::Kind::Unsigned, 4), probe};
        table.columns.insert(table.columns.end(), records.columns.begin(), records.columns.end());
        tables.all.push_back(std::move(table));
    }
    for (const AggregationSchema& aggregation : schema.aggregations)
        if (aggregation.function)
            tables.all.push_back(table_of(aggregation, options));
    return tables;
}

} // namespace dt::consume

// Generates the statements of -x schema. For each kind of database, a Dialect provides the names of types and the
// expressions that read parts of a JSON line.

namespace dt::output {
namespace {

/// Returns an SQL name or string, quoted with the character `mark`.
std::string quoted_text(std::string_view text, char mark)
{
    std::string all(1, mark);
    for (const char c : text)
        all.append(c == mark ? 2 : 1, c);
    return all + mark;
}

std::string name_in_sql(const std::string& name)
{
    return name.starts_with('@') ? quoted_text(name, '"') : name;
}

/// Returns the SQL name, escaped for use in a double-quoted shell argument.
std::string name_in_shell(const std::string& name)
{
    return name.starts_with('@') ? "\\\"" + name + "\\\"" : name;
}

class Dialect {
public:
    virtual ~Dialect() = default;
    virtual std::string type(const Column& column) const = 0;
    /// Returns the text that ends a CREATE TABLE statement, after the columns.
    virtual std::string table_end(const Table&) const { return ""; }
    /// Returns the command that loads CSV rows from standard input into `table`. The rows must have neither a header
    /// nor a column with the table's name.
    virtual std::string csv_command(const std::string& table) const = 0;
    /// Returns the command that loads JSON lines from standard input into the database.
    virtual std::string json_command() const = 0;
    /// Returns the statements that precede the statements of the tables. They create dtrace_lines, in which each JSON
    /// line is a row.
    virtual std::string lines() const = 0;
    /// Returns the SELECT statement that reads the rows of a table from JSON lines.
    virtual std::string rows(const Table& table) const = 0;
    virtual std::string load(const Table& table) const
    {
        return "INSERT INTO " + name_in_sql(table.name) + " " + rows(table) + ";\n";
    }
    /// Returns the statements that follow the statements of all tables.
    virtual std::string end(const Tables&) const { return ""; }
};

/// Calls `of` for each column of a table, and returns the resulting texts, separated by commas.
template <typename Of> std::string listed(const Table& table, Of of)
{
    std::string all;
    for (const Column& column : table.columns)
        all.append(all.empty() ? "" : ", ").append(of(column));
    return all;
}

/// Returns the statement that creates a table.
std::string created(const Table& table, const Dialect& dialect)
{
    return "CREATE TABLE " + name_in_sql(table.name) + " (" +
           listed(table, [&](const Column& column) { return name_in_sql(column.name) + " " + dialect.type(column); }) +
           ")" + dialect.table_end(table) + ";\n";
}

/// Common base of the statements for SQLite and DuckDB, which share the operator that reads a part of a JSON value.
class ArrowDialect : public Dialect {
public:
    std::string rows(const Table& table) const override
    {
        std::string from = " FROM dtrace_lines";
        const std::string which = table.type == "record" ? "clause" : "name";
        std::string where = " WHERE line->>'$.type' = '" + table.type + "' AND line->>'$." + which +
                            "' = " + (table.type == "record" ? number(table.id) : quoted_text(table.id, '\''));
        if (table.is_histogram)
            from += elements();
        return "SELECT " + listed(table, [&](const Column& column) { return value(column); }) + from + where;
    }

protected:
    virtual std::string number(const std::string& digits) const = 0;
    /// Returns the join clause that turns each element of "buckets" into a row. The element is named "bucket".
    virtual std::string elements() const = 0;
    virtual std::string value(const Column& column) const
    {
        return column.path.starts_with("bucket[") ? "bucket.value->>'$" + column.path.substr(6) + "'"
                                                  : "line->>'$." + column.path + "'";
    }
};

class SqliteDialect final : public ArrowDialect {
public:
    std::string type(const Column& column) const override
    {
        return column.kind == Column::Kind::Text ? "TEXT" : "INTEGER";
    }
    std::string csv_command(const std::string& table) const override
    {
        return "sqlite3 trace.db '.mode csv' '.import /dev/stdin " + table + "'";
    }
    std::string json_command() const override { return "sqlite3 trace.db '.read schema.sql'"; }
    std::string lines() const override
    {
        return "CREATE TEMP TABLE dtrace_lines (line TEXT);\n"
               ".mode ascii\n"
               ".separator \"\\001\" \"\\n\"\n" // column separator: the byte 1, which a line of JSON never contains
               ".import /dev/stdin dtrace_lines\n";
    }

private:
    std::string number(const std::string& digits) const override { return digits; }
    std::string elements() const override { return ", json_each(line, '$.buckets') AS bucket"; }
};

class DuckDialect : public ArrowDialect {
public:
    std::string type(const Column& column) const override
    {
        if (column.kind == Column::Kind::Text)
            return "VARCHAR";
        static constexpr const char* kSigned[] = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT"};
        const std::size_t power = column.size >= 8 ? 3 : column.size / 2;
        return (column.kind == Column::Kind::Unsigned ? "U" : "") + std::string(kSigned[power]);
    }
    std::string csv_command(const std::string& table) const override
    {
        return "duckdb trace.duckdb -c \"COPY " + name_in_shell(table) +
               " FROM '/dev/stdin' (FORMAT csv, HEADER false)\"";
    }
    std::string json_command() const override { return "duckdb trace.duckdb -f schema.sql"; }
    std::string lines() const override
    {
        return "CREATE TEMP TABLE dtrace_lines AS SELECT json AS line FROM read_ndjson_objects('/dev/stdin');\n";
    }

private:
    std::string number(const std::string& digits) const override { return quoted_text(digits, '\''); }
    std::string elements() const override
    {
        return ", (SELECT unnest(CAST(line->'$.buckets' AS JSON[])) AS value) AS bucket";
    }
};

/// Statements for Parquet files, which DuckDB writes.
class ParquetDialect final : public DuckDialect {
public:
    std::string json_command() const override { return "duckdb -f schema.sql"; }
    std::string csv_command(const std::string& table) const override
    {
        return "duckdb -c \".read schema.sql\" -c \"COPY " + name_in_shell(table) +
               " FROM '/dev/stdin' (FORMAT csv, HEADER false)\" -c \"COPY " + name_in_shell(table) + " TO '" + table +
               ".parquet'\"";
    }
    std::string end(const Tables& tables) const override
    {
        std::string all;
        for (const Table& table : tables.all)
            all += "COPY " + name_in_sql(table.name) + " TO " + quoted_text(table.name + ".parquet", '\'') +
                   " (FORMAT parquet);\n";
        return all;
    }
};

/// Statements for ClickHouse. JSON lines are inserted into a table that stores nothing and passes them to views. Each
/// view fills one table.
class ClickhouseDialect final : public Dialect {
public:
    std::string type(const Column& column) const override
    {
        if (column.kind == Column::Kind::Text)
            return column.name == "probe" ? "LowCardinality(String)" : "String";
        const std::string number =
            (column.kind == Column::Kind::Unsigned ? "UInt" : "Int") + std::to_string(column.size * 8);
        return column.may_be_null ? "Nullable(" + number + ")" : number;
    }
    std::string table_end(const Table& table) const override
    {
        const bool has_time = table.columns.front().name == "ns";
        return std::string(" ENGINE = MergeTree ORDER BY ") + (has_time ? "ns" : "tuple()");
    }
    std::string csv_command(const std::string& table) const override
    {
        return "clickhouse-client -q 'INSERT INTO " + name_in_sql(table) + " FORMAT CSV'";
    }
    std::string json_command() const override
    {
        return "clickhouse-client -q 'INSERT INTO dtrace_lines FORMAT LineAsString', after this file";
    }
    std::string lines() const override { return "CREATE TABLE dtrace_lines (line String) ENGINE = Null;\n"; }
    std::string rows(const Table& table) const override
    {
        const std::string which = table.type == "record"
                                      ? "JSONExtractUInt(line, 'clause') = " + table.id
                                      : "JSONExtractString(line, 'name') = " + quoted_text(table.id, '\'');
        // The alias for the element must not be "bucket", because ClickHouse would also use the alias for the column
        // named "bucket".
        const std::string from = table.is_histogram
                                     ? "(SELECT line, arrayJoin(JSONExtractArrayRaw(line, 'buckets')) AS "
                                       "element FROM dtrace_lines)"
                                     : "dtrace_lines";
        return "SELECT " + listed(table, [&](const Column& column) { return value(column) + " AS " + column.name; }) +
               " FROM " + from + " WHERE JSONExtractString(line, 'type') = '" + table.type + "' AND " + which;
    }
    std::string load(const Table& table) const override
    {
        const std::string view = "load_" + (table.name.starts_with('@') ? table.name.substr(1) : table.name);
        return "CREATE MATERIALIZED VIEW " + view + " TO " + name_in_sql(table.name) + " AS " + rows(table) + ";\n";
    }

private:
    /// Returns the expression that reads the value at the column's path. For example, the path "data[1].stack" is the
    /// member "stack" of the second element of "data". In ClickHouse, indices begin at 1.
    std::string value(const Column& column) const
    {
        const bool is_bucket = column.path.starts_with("bucket[");
        std::string steps;
        for (std::size_t at = is_bucket ? 6 : 0; at < column.path.size();) {
            const bool is_index = column.path[at] == '[';
            at += column.path[at] == '[' || column.path[at] == '.' ? 1 : 0;
            const std::size_t end = std::min(column.path.find_first_of(".[]", at), column.path.size());
            const std::string step = column.path.substr(at, end - at);
            steps += ", " + (is_index ? std::to_string(std::stoul(step) + 1) : quoted_text(step, '\''));
            at = end + (is_index ? 1 : 0);
        }
        const std::string from = is_bucket ? "element" : "line";
        const std::string plain = "JSONExtract(" + from + steps + ", " + quoted_text(type(column), '\'') + ")";
        if (column.kind != Column::Kind::Text || column.name == "probe")
            return plain;
        const std::string raw = "JSONExtractRaw(" + from + steps + ")";
        // A bucket label is read in raw form, because it may be a JSON number or a JSON string.
        return is_bucket                         ? "trim(BOTH '\"' FROM " + raw + ")"
               : column.path.ends_with(".stack") ? raw
                                                 : "JSONExtractString(" + from + steps + ")";
    }
};

const Dialect& dialect_of(std::string_view database)
{
    static const SqliteDialect kSqlite;
    static const DuckDialect kDuckdb;
    static const ParquetDialect kParquet;
    static const ClickhouseDialect kClickhouse;
    return database == "sqlite"    ? static_cast<const Dialect&>(kSqlite)
           : database == "duckdb"  ? kDuckdb
           : database == "parquet" ? static_cast<const Dialect&>(kParquet)
                                   : kClickhouse;
}

/// Returns the table with additional columns for histogram buckets. These columns differ between the formats csv and
/// jsonl.
Table with_buckets(Table table, bool is_csv)
{
    using Kind = Column::Kind;
    if (table.has_parts) {
        table.columns.push_back({Kind::Text, 0, "part", "bucket[0]"});
        table.columns.push_back({Kind::Signed, 8, "time", "bucket[1]"});
        return table;
    }
    if (table.has_intervals) {
        table.columns.push_back({Kind::Signed, 8, "time", "bucket[0]"});
        table.columns.push_back({Kind::Signed, 8, "value", "bucket[1]"});
        return table;
    }
    if (table.is_histogram && is_csv) {
        table.columns.push_back({Kind::Signed, 8, "low", "", true});
        table.columns.push_back({Kind::Signed, 8, "high", "", true});
    } else if (table.is_histogram) {
        table.columns.push_back({Kind::Text, 0, "bucket", "bucket[0]"});
    }
    if (table.is_histogram)
        table.columns.push_back({Kind::Signed, 8, "count", "bucket[1]"});
    return table;
}

} // namespace

std::string table_schema(const Tables& tables, std::string_view database, bool is_csv)
{
    const Dialect& dialect = dialect_of(database);
    std::string text;
    for (const std::string& clause : tables.unfixed)
        text += "-- " + clause + " records inside if: the types of its values are not known in advance\n";
    if (!is_csv)
        text += "-- dtrace -x format=jsonl ... | " + dialect.json_command() + "\n";
    std::vector<Table> all;
    for (const Table& table : tables.all)
        all.push_back(with_buckets(table, is_csv));
    for (const Table& table : all) {
        if (is_csv)
            text +=
                "-- grep '^" + table.name + ",' trace.csv | cut -d, -f2- | " + dialect.csv_command(table.name) + "\n";
        text += created(table, dialect);
    }
    if (is_csv || all.empty())
        return text;
    text += dialect.lines();
    for (const Table& table : all)
        text += dialect.load(table);
    return text + dialect.end(tables);
}

} // namespace dt::output
