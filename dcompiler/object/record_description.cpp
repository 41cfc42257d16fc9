#include "dcompiler/object/record_description.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "dcompiler/object/described_types.hpp"
#include "dcompiler/sema/types.hpp"

namespace dt {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDescriptionVersion = 1; // incremented when the meaning of existing content changes

// ---- writing --------------------------------------------------------------------------------------------------------

Json told_data(const std::vector<Datum>& list, DescribedTypes& types)
{
    Json all = Json::array();
    for (const Datum& datum : list)
        all.push_back({static_cast<int>(datum.kind), datum.offset, datum.size, static_cast<int>(datum.address),
                       static_cast<int>(datum.part), datum.type ? types.add(datum.type) : -1, datum.limit});
    return all;
}

Json told_statement(const StatementSchema& statement, DescribedTypes& types)
{
    Json records = Json::array();
    for (const Record& record : statement.records) {
        Json told = {{"action", record.action ? record.action->name : std::string_view()},
                     {"data", told_data(record.data, types)}};
        if (record.has_format)
            told["format"] = record.format;
        if (!record.aggregations.empty())
            told["aggregations"] = record.aggregations;
        if (record.guard >= 0)
            told["guard"] = record.guard;
        records.push_back(std::move(told));
    }
    return {{"clause", statement.clause},       {"size", statement.data_size},
            {"guards", statement.guard_offset}, {"thread", statement.thread_offset},
            {"line", statement.prints_line},    {"speculative", statement.speculative},
            {"records", std::move(records)}};
}

Json told_aggregation(const AggregationSchema& aggregation, DescribedTypes& types)
{
    return {{"name", aggregation.name},
            {"function", aggregation.function->name},
            {"parameters", aggregation.parameters},
            {"keys", told_data(aggregation.keys, types)},
            {"key_size", aggregation.key_size},
            {"words", aggregation.words},
            {"map", aggregation.map},
            {"shared", aggregation.shared},
            {"brief", aggregation.brief},
            {"brief_size", aggregation.brief_size},
            {"more", aggregation.more},
            {"offset", aggregation.offset}};
}

std::set<uint32_t> probes_of(const Schema& schema)
{
    std::set<uint32_t> ids = {kBeginProbe, kEndProbe, kErrorProbe};
    for (const ProgramPlan& program : schema.programs)
        ids.insert(program.probes.begin(), program.probes.end());
    return ids;
}

Json told_probes(const Schema& schema, const ProbeById& source)
{
    Json all = Json::array();
    for (const uint32_t id : probes_of(schema))
        if (const Probe* const probe = source(id))
            all.push_back({id, probe->provider, probe->module, probe->function, probe->name, probe->enters_kernel});
    return all;
}

// ---- reading --------------------------------------------------------------------------------------------------------
// read_record_description() catches the library's exceptions about missing members and wrong types.

[[noreturn]] void refuse_description()
{
    throw std::out_of_range("it contradicts itself");
}

template <typename Enumerator> Enumerator enumerator(const Json& number, Enumerator last)
{
    const auto value = number.get<int64_t>();
    if (value < 0 || value > static_cast<int64_t>(last))
        refuse_description();
    return static_cast<Enumerator>(value);
}

/// `room`: bytes that all of it has. `may_be_cut`: an object may be recorded in part, as option printsize cuts it.
std::vector<Datum> read_data(const Json& list, const std::vector<const Type*>& types, uint64_t room,
                             bool may_be_cut = false)
{
    std::vector<Datum> all;
    for (const Json& told : list) {
        Datum datum;
        datum.kind = enumerator(told.at(0), Datum::Kind::Cgroup);
        datum.offset = told.at(1);
        datum.size = told.at(2);
        datum.address = enumerator(told.at(3), Datum::Address::Exact);
        datum.part = enumerator(told.at(4), Datum::Part::PodNamespace);
        if (const int64_t type = told.at(5); type >= 0)
            datum.type = types.at(static_cast<std::size_t>(type));
        datum.limit = told.at(6);
        const bool is_whole = datum.kind == Datum::Kind::Bytes && datum.type && !may_be_cut;
        if (uint64_t{datum.offset} + datum.size > room || (is_whole && datum.type->resolve()->size > datum.size))
            refuse_description();
        all.push_back(std::move(datum));
    }
    return all;
}

/// Returns whether the action can be printed again: it has no side effects and does not depend on the aggregations at
/// that time.
bool can_be_repeated(const Action& action)
{
    return !action.has(kDestructive) && !action.has(kSetsOption) && action.name != "ftruncate" &&
           action.name != "printa" && action.name != "clear" && action.name != "trunc";
}

StatementSchema read_statement(const Json& told, const std::vector<const Type*>& types, std::size_t aggregations)
{
    StatementSchema statement;
    statement.clause = told.at("clause");
    statement.data_size = told.at("size");
    statement.guard_offset = told.at("guards");
    statement.thread_offset = told.at("thread");
    statement.prints_line = told.at("line");
    statement.speculative = told.at("speculative");
    for (const Json& each : told.at("records")) {
        Record record;
        record.action = find_action(each.at("action").get<std::string>());
        if (record.action && !can_be_repeated(*record.action))
            record.action = nullptr;
        const bool may_be_cut = record.action && record.action->name == "print";
        record.data = read_data(each.at("data"), types, statement.data_size, may_be_cut);
        record.has_format = each.contains("format");
        record.format = each.value("format", std::string());
        record.aggregations = each.value("aggregations", std::vector<uint32_t>());
        record.guard = each.value("guard", -1);
        for (const uint32_t id : record.aggregations)
            if (id >= aggregations)
                refuse_description();
        statement.records.push_back(std::move(record));
    }
    return statement;
}

AggregationSchema read_aggregation(const Json& told, const std::vector<const Type*>& types)
{
    AggregationSchema aggregation;
    aggregation.name = told.at("name");
    aggregation.function = find_agg_function(told.at("function").get<std::string>());
    aggregation.parameters = told.at("parameters").get<std::vector<int64_t>>();
    aggregation.key_size = told.at("key_size");
    aggregation.keys = read_data(told.at("keys"), types, aggregation.key_size);
    aggregation.words = told.at("words");
    aggregation.map = told.at("map");
    aggregation.shared = told.at("shared");
    aggregation.brief = told.at("brief");
    aggregation.brief_size = told.at("brief_size");
    aggregation.more = told.at("more");
    aggregation.offset = told.at("offset");
    if (!aggregation.function || aggregation.words > (1 << 16) || aggregation.brief_size > aggregation.key_size)
        refuse_description();
    return aggregation;
}

DescribedRecords read_all(const Json& told)
{
    DescribedRecords all;
    all.types = std::make_shared<TypeTable>();
    const std::vector<const Type*> types = read_described_types(told.at("types"), *all.types);
    for (const Json& aggregation : told.at("aggregations")) {
        all.schema.aggregations.push_back(read_aggregation(aggregation, types));
        all.schema.aggregations.back().id = static_cast<uint32_t>(all.schema.aggregations.size() - 1);
    }
    for (const Json& statement : told.at("statements")) {
        all.schema.statements.push_back(read_statement(statement, types, all.schema.aggregations.size()));
        all.schema.statements.back().id = static_cast<uint32_t>(all.schema.statements.size() - 1);
    }
    all.schema.names = told.at("names").get<std::vector<std::string>>();
    for (const Json& each : told.at("probes")) {
        Probe probe;
        probe.id = each.at(0);
        probe.provider = each.at(1);
        probe.module = each.at(2);
        probe.function = each.at(3);
        probe.name = each.at(4);
        probe.enters_kernel = each.at(5);
        all.probes.emplace(probe.id, std::move(probe));
    }
    all.run.program = told.at("program");
    all.run.process = told.at("process");
    all.run.boot_to_wall_ns = told.at("boot_to_wall_ns");
    all.run.maps = told.at("maps").get<std::map<std::string, uint32_t>>();
    for (const Json& option : told.at("options"))
        all.run.options.emplace_back(option.at(0), option.at(1));
    return all;
}

} // namespace

std::string describe_records(const Schema& schema, const ProbeById& probes, const RecordedRun& run)
{
    DescribedTypes types;
    Json statements = Json::array(), aggregations = Json::array(), options = Json::array();
    for (const StatementSchema& statement : schema.statements)
        statements.push_back(told_statement(statement, types));
    for (const AggregationSchema& aggregation : schema.aggregations)
        aggregations.push_back(told_aggregation(aggregation, types));
    for (const auto& [name, value] : run.options)
        options.push_back({name, value});
    const Json all = {{"version", kDescriptionVersion},
                      {"program", run.program},
                      {"process", run.process},
                      {"boot_to_wall_ns", run.boot_to_wall_ns},
                      {"options", std::move(options)},
                      {"maps", run.maps},
                      {"statements", std::move(statements)},
                      {"aggregations", std::move(aggregations)},
                      {"types", types.take()},
                      {"names", schema.names},
                      {"probes", told_probes(schema, probes)}};
    return all.dump(-1, ' ', false, Json::error_handler_t::replace); // names may contain any bytes
}

uint64_t most_of_record_description(const Schema& schema)
{
    constexpr uint64_t kOfProbe = 256, kOfMaps = 8192;
    return describe_records(schema, [](uint32_t) { return nullptr; }, {}).size() + probes_of(schema).size() * kOfProbe +
           kOfMaps;
}

Result<DescribedRecords> read_record_description(std::string_view text)
{
    try {
        const Json told = Json::parse(text);
        if (told.at("version") != kDescriptionVersion)
            return Error{"it is written by another version of dtrace"};
        return read_all(told);
    } catch (const std::exception&) {
        return Error{"the description of its records is damaged"};
    }
}

} // namespace dt
