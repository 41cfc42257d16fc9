// Tests that descriptions of records can be written and read back, and that reading arbitrary bytes does no harm.
#include "dcompiler/object/record_description.hpp"

#include <gtest/gtest.h>

#include "dcompiler/interface/types.hpp"

namespace dt {
namespace {

/// Returns the type struct list { struct list *next; unsigned int flags : 3; short numbers[4]; }.
const Type* list_type(TypeTable& table)
{
    Type* const list = table.make(TypeKind::Struct, "list");
    list->size = 24;
    list->complete = [&table, list](std::vector<Member>& members, std::vector<Enumerator>&) {
        members = {{"next", table.pointer_to(list), 0, 0},
                   {"flags", table.named("unsigned int"), 64, 3},
                   {"numbers", table.array_of(table.named("short"), 4), 96, 0}};
    };
    return list;
}

Schema some_schema(TypeTable& table)
{
    Schema schema;
    StatementSchema statement;
    statement.clause = "syscall::read:entry";
    statement.data_size = 40;
    statement.guard_offset = 32;
    Record shown;
    shown.action = find_action("printf");
    shown.has_format = true;
    shown.format = "%d \xff\n";
    shown.guard = 2;
    shown.data = {{Datum::Kind::Signed, 0, 8, {}, {}, {}, 0, table.named("pid_t"), 0}};
    Record whole;
    whole.action = find_action("trace");
    whole.data = {{Datum::Kind::Bytes, 8, 24, {}, {}, {}, 0, list_type(table), 0}};
    Record command;
    command.action = find_action("system");
    command.has_format = true;
    statement.records = {shown, whole, command};
    schema.statements = {statement};
    AggregationSchema aggregation;
    aggregation.name = "calls";
    aggregation.function = find_agg_function("quantize");
    aggregation.keys = {{Datum::Kind::Text, 0, 16, {}, {}, {}, 0, table.string(), 15}};
    aggregation.key_size = 16;
    aggregation.words = 127;
    aggregation.map = "agg_0";
    schema.aggregations = {aggregation};
    schema.names = {"a", "b"};
    ProgramPlan program;
    program.probes = {77};
    schema.programs = {program};
    return schema;
}

std::string described()
{
    TypeTable table;
    const Probe begin{kBeginProbe, 0, 0, "dtrace", "", "", "BEGIN"},
        call{77, 0, 0, "syscall", "vmlinux", "read", "entry"};
    const auto probe = [&](uint32_t id) { return id == kBeginProbe ? &begin : id == call.id ? &call : nullptr; };
    return describe_records(some_schema(table), probe,
                            {"script a.d", 12, -5, {{"quiet", ""}}, {{"buffers", 3}, {"agg_0", 4}}});
}

TEST(RecordDescription, ADescriptionSurvivesWritingAndReading)
{
    auto read = read_record_description(described());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->run.program, "script a.d");
    EXPECT_EQ(read->run.boot_to_wall_ns, -5);
    EXPECT_EQ(read->run.maps.at("agg_0"), 4u);
    EXPECT_EQ(read->run.options.at(0).first, "quiet");
    EXPECT_EQ(read->probes.at(77).full_name(), "syscall:vmlinux:read:entry");
    EXPECT_EQ(read->probes.size(), 2u);
    const StatementSchema& statement = read->schema.statements.at(0);
    EXPECT_EQ(statement.guard_offset, 32);
    EXPECT_EQ(statement.records.at(0).format, "%d \xEF\xBF\xBD\n"); // U+FFFD stands for a byte that JSON cannot contain
    EXPECT_EQ(statement.records.at(0).guard, 2);
    EXPECT_EQ(to_string(statement.records.at(0).data.at(0).type), "pid_t");
    EXPECT_TRUE(statement.records.at(0).data.at(0).type->resolve()->is_signed);
    const AggregationSchema& aggregation = read->schema.aggregations.at(0);
    EXPECT_EQ(aggregation.function, find_agg_function("quantize"));
    EXPECT_EQ(aggregation.keys.at(0).limit, 15u);
}

TEST(RecordDescription, TrailingDataIsRefused)
{
    TypeTable table;
    EXPECT_GE(max_record_description_size(some_schema(table)), described().size());
}

TEST(RecordDescription, OnlyObjectsThatPrintRecordsMayBeShorterThanTheirType)
{
    for (const auto& [action, is_read] : {std::pair{"print", true}, std::pair{"trace", false}}) {
        TypeTable table;
        Schema schema = some_schema(table);
        Record& record = schema.statements[0].records[1];
        record.action = find_action(action);
        record.data[0].size = 16; // print() records only 16 of 24 bytes, as with -x printsize=16
        auto read = read_record_description(describe_records(schema, [](uint32_t) { return nullptr; }, {}));
        ASSERT_EQ(read.ok(), is_read) << action;
        if (is_read) {
            EXPECT_EQ(read->schema.statements.at(0).records.at(1).data.at(0).size, 16u);
        }
    }
}

TEST(RecordDescription, TypesThatAreOnlyReachedByPointersAreOmitted)
{
    auto read = read_record_description(described());
    ASSERT_TRUE(read);
    const Type* const list = read->schema.statements.at(0).records.at(1).data.at(0).type;
    ASSERT_EQ(list->members().size(), 3u);
    EXPECT_EQ(to_string(list->members()[0].type), "struct list *");
    EXPECT_TRUE(list->members()[0].type->target->members().empty());
    EXPECT_EQ(list->members()[1].bit_size, 3u);
    EXPECT_EQ(to_string(list->members()[2].type), "short [4]");
}

TEST(RecordDescription, ActionsWithSideEffectsAreNotStored)
{
    auto read = read_record_description(described());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->schema.statements.at(0).records.at(0).action, find_action("printf"));
    EXPECT_EQ(read->schema.statements.at(0).records.at(2).action, nullptr);
}

void replace_first(std::string& text, std::string_view what, std::string_view by)
{
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), by);
}

TEST(RecordDescription, DescriptionsThatContradictThemselvesAreRefused)
{
    const std::string text = described();
    for (const auto& [what, by] : std::initializer_list<std::pair<const char*, const char*>>{
             // the statement's declared size is less than that of its record's data
             {"\"size\":40", "\"size\":24"},
             {"\"key_size\":16", "\"key_size\":8"}, // the key's declared size is less than that of its components
             {"\"function\":\"quantize\"", "\"function\":\"quantise\""},
             // the program refers to a type that is not defined yet
             {"[\"numbers\",", "[\"numbers\",999], [\"numbers\","},
             {",96,0]", ",160,0]"},            // the member's offset is outside the structure
             {"\"count\":4", "\"count\":400"}, // the number of elements contradicts the size of the array
             {"\"version\":1", "\"version\":2"}}) {
        std::string changed = text;
        replace_first(changed, what, by);
        EXPECT_FALSE(read_record_description(changed)) << by;
    }
    for (std::size_t size = 0; size < text.size(); size += 7)
        EXPECT_FALSE(read_record_description(std::string_view(text).substr(0, size)));
}

} // namespace
} // namespace dt
