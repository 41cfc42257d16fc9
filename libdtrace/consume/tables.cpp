// Columns are in the order in which sinks receive values. Each record has the cells that its action declares
// (actions.hpp).
#include "libdtrace/consume/tables.hpp"

#include <algorithm>

#include "libdtrace/consume/actions.hpp"
#include "libdtrace/output/stack_sink.hpp"

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

/// The values of one statement, and their paths in a line of JSON: items of "data", lists of "args".
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
    table.is_histogram = format::is_histogram(schema.function->kind);
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
