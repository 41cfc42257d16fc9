// Writes and reads the JSON description of a program's records. The description contains a version. The reader checks
// sizes and references, because the text may come from a damaged crash dump.
#include "dcompiler/object/record_description.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "dcompiler/interface/types.hpp"

namespace dt {

// JSON form of the types of recorded data, with only what printing a value requires. The target of a pointer is written
// as a name; otherwise a pointer to a task would include all types of a kernel.

/// Numbers types and writes them. A type has a larger number than its components.
class DescribedTypes {
public:
    int add(const Type* type) { return add(type, false); }
    nlohmann::ordered_json take() { return std::move(descriptions_); }

private:
    int add(const Type* type, bool is_pointed_to);

    nlohmann::ordered_json descriptions_ = nlohmann::ordered_json::array();
    std::map<std::pair<const Type*, bool>, int> numbers_;
};

/// Returns the types in the order of their numbers; `table` owns them. Throws std::exception if the list is not valid.
std::vector<const Type*> read_described_types(const nlohmann::ordered_json& list, TypeTable& table);

namespace {

using Json = nlohmann::ordered_json;

// version of the description; incremented when something that it already contained gets a new meaning
constexpr int kDescriptionVersion = 1;

// ---- writing the JSON description -----------------------------------------------------------------------------------

Json describe_data(const std::vector<Datum>& list, DescribedTypes& types)
{
    Json all = Json::array();
    for (const Datum& datum : list)
        all.push_back({static_cast<int>(datum.kind), datum.offset, datum.size, static_cast<int>(datum.address),
                       static_cast<int>(datum.part), datum.type ? types.add(datum.type) : -1, datum.limit,
                       static_cast<int>(datum.conversion), datum.constant});
    return all;
}

Json describe_statement(const StatementSchema& statement, DescribedTypes& types)
{
    Json records = Json::array();
    for (const Record& record : statement.records) {
        Json description = {{"action", record.action ? record.action->name : std::string_view()},
                            {"data", describe_data(record.data, types)}};
        if (record.has_format)
            description["format"] = record.format;
        if (!record.aggregations.empty())
            description["aggregations"] = record.aggregations;
        if (record.guard >= 0)
            description["guard"] = record.guard;
        records.push_back(std::move(description));
    }
    return {{"clause", statement.clause},       {"size", statement.data_size},
            {"guards", statement.guard_offset}, {"thread", statement.thread_offset},
            {"line", statement.prints_line},    {"speculative", statement.speculative},
            {"records", std::move(records)}};
}

Json describe_aggregation(const AggregationSchema& aggregation, DescribedTypes& types)
{
    return {{"name", aggregation.name},
            {"function", aggregation.function->name},
            {"parameters", aggregation.parameters},
            {"keys", describe_data(aggregation.keys, types)},
            {"key_size", aggregation.key_size},
            {"words", aggregation.words},
            {"map", aggregation.map},
            {"shared", aggregation.shared},
            {"digested", aggregation.digested},
            {"brief", aggregation.short_keys_map},
            {"brief_size", aggregation.short_key_size},
            {"more", aggregation.overflow_map},
            {"offset", aggregation.offset}};
}

std::set<uint32_t> probes_of(const Schema& schema)
{
    std::set<uint32_t> ids = {kBeginProbe, kEndProbe, kErrorProbe};
    for (const ProgramPlan& program : schema.programs)
        ids.insert(program.probes.begin(), program.probes.end());
    return ids;
}

Json describe_probes(const Schema& schema, const ProbeById& source)
{
    Json all = Json::array();
    for (const uint32_t id : probes_of(schema))
        if (const Probe* const probe = source(id))
            all.push_back({id, probe->provider, probe->module, probe->function, probe->name, probe->enters_kernel});
    return all;
}

// ---- reading the JSON description -----------------------------------------------------------------------------------

// When members are missing or have wrong types, the following functions let the JSON library's exceptions pass.
// read_record_description() catches them.

[[noreturn]] void refuse_description()
{
    throw std::out_of_range("its parts contradict each other");
}

template <typename Enumerator> Enumerator enumerator(const Json& number, Enumerator last)
{
    const auto value = number.get<int64_t>();
    if (value < 0 || value > static_cast<int64_t>(last))
        refuse_description();
    return static_cast<Enumerator>(value);
}

/// Reads the data in a sample or key that has `room` bytes. With `may_be_cut`, a datum may be smaller than its type,
/// because option printsize may have truncated the object.
std::vector<Datum> read_data(const Json& list, const std::vector<const Type*>& types, uint64_t room,
                             bool may_be_cut = false)
{
    std::vector<Datum> all;
    for (const Json& description : list) {
        Datum datum;
        datum.kind = enumerator(description.at(0), Datum::Kind::Converted);
        datum.offset = description.at(1);
        datum.size = description.at(2);
        datum.address = enumerator(description.at(3), Datum::Address::Exact);
        datum.part = enumerator(description.at(4), Datum::Part::PodNamespace);
        if (const int64_t type = description.at(5); type >= 0)
            datum.type = types.at(static_cast<std::size_t>(type));
        datum.limit = description.at(6);
        if (description.size() > 7) {
            datum.conversion = enumerator(description.at(7), Datum::Conversion::Enumerator);
            datum.constant = description.at(8);
        }
        const bool is_whole = datum.kind == Datum::Kind::Bytes && datum.type && !may_be_cut;
        if (uint64_t{datum.offset} + datum.size > room || (is_whole && datum.type->resolve()->size > datum.size))
            refuse_description();
        all.push_back(std::move(datum));
    }
    return all;
}

/// Returns whether the output of the action can be printed again from a dump: it has no side effects, and does not
/// depend on the values of aggregations at that time.
bool can_be_repeated(const Action& action)
{
    return !action.has(kDestructive) && !action.has(kSetsOption) && action.name != "ftruncate" &&
           action.name != "printa" && action.name != "clear" && action.name != "trunc";
}

StatementSchema read_statement(const Json& description, const std::vector<const Type*>& types, std::size_t aggregations)
{
    StatementSchema statement;
    statement.clause = description.at("clause");
    statement.data_size = description.at("size");
    statement.guard_offset = description.at("guards");
    statement.thread_offset = description.at("thread");
    statement.prints_line = description.at("line");
    statement.speculative = description.at("speculative");
    for (const Json& each : description.at("records")) {
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

AggregationSchema read_aggregation(const Json& description, const std::vector<const Type*>& types)
{
    AggregationSchema aggregation;
    aggregation.name = description.at("name");
    aggregation.function = find_agg_function(description.at("function").get<std::string>());
    aggregation.parameters = description.at("parameters").get<std::vector<int64_t>>();
    aggregation.key_size = description.at("key_size");
    aggregation.keys = read_data(description.at("keys"), types, aggregation.key_size);
    aggregation.words = description.at("words");
    aggregation.map = description.at("map");
    aggregation.shared = description.at("shared");
    aggregation.digested = description.at("digested");
    aggregation.short_keys_map = description.at("brief");
    aggregation.short_key_size = description.at("brief_size");
    aggregation.overflow_map = description.at("more");
    aggregation.offset = description.at("offset");
    if (!aggregation.function || aggregation.words > (1 << 16) || aggregation.short_key_size > aggregation.key_size)
        refuse_description();
    return aggregation;
}

DescribedRecords read_all(const Json& description)
{
    DescribedRecords all;
    all.types = std::make_shared<TypeTable>();
    const std::vector<const Type*> types = read_described_types(description.at("types"), *all.types);
    for (const Json& aggregation : description.at("aggregations")) {
        all.schema.aggregations.push_back(read_aggregation(aggregation, types));
        all.schema.aggregations.back().id = static_cast<uint32_t>(all.schema.aggregations.size() - 1);
    }
    for (const Json& statement : description.at("statements")) {
        all.schema.statements.push_back(read_statement(statement, types, all.schema.aggregations.size()));
        all.schema.statements.back().id = static_cast<uint32_t>(all.schema.statements.size() - 1);
    }
    all.schema.names = description.at("names").get<std::vector<std::string>>();
    for (const Json& each : description.at("probes")) {
        Probe probe;
        probe.id = each.at(0);
        probe.provider = each.at(1);
        probe.module = each.at(2);
        probe.function = each.at(3);
        probe.name = each.at(4);
        probe.enters_kernel = each.at(5);
        all.probes.emplace(probe.id, std::move(probe));
    }
    all.run.program = description.at("program");
    all.run.process = description.at("process");
    all.run.boot_to_wall_ns = description.at("boot_to_wall_ns");
    all.run.maps = description.at("maps").get<std::map<std::string, uint32_t>>();
    for (const Json& option : description.at("options"))
        all.run.options.emplace_back(option.at(0), option.at(1));
    return all;
}

} // namespace

std::string describe_records(const Schema& schema, const ProbeById& probes, const RecordedRun& run)
{
    DescribedTypes types;
    Json statements = Json::array(), aggregations = Json::array(), options = Json::array();
    for (const StatementSchema& statement : schema.statements)
        statements.push_back(describe_statement(statement, types));
    for (const AggregationSchema& aggregation : schema.aggregations)
        aggregations.push_back(describe_aggregation(aggregation, types));
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
                      {"probes", describe_probes(schema, probes)}};
    // names may contain any bytes, so invalid UTF-8 is replaced
    return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

uint64_t max_record_description_size(const Schema& schema)
{
    constexpr uint64_t kOfProbe = 256, kOfMaps = 8192;
    return describe_records(schema, [](uint32_t) { return nullptr; }, {}).size() + probes_of(schema).size() * kOfProbe +
           kOfMaps;
}

Result<DescribedRecords> read_record_description(std::string_view text)
{
    try {
        const Json description = Json::parse(text);
        if (description.at("version") != kDescriptionVersion)
            return Error{"it was written by another version of dtrace"};
        return read_all(description);
    } catch (const std::exception&) {
        return Error{"the description of its records is damaged"};
    }
}

namespace {

/// Checks that the members of a structure lie inside it, because printing relies on this.
void check_members(const Type& type, const std::vector<Member>& members)
{
    for (const Member& member : members) {
        const uint64_t bits = member.bit_size != 0 ? member.bit_size : member.type->resolve()->size * 8;
        if (member.bit_offset > type.size * 8 || bits > type.size * 8 - member.bit_offset)
            throw std::out_of_range("a member is outside of its structure");
    }
}

/// Returns the type of a component, such as a member. Its number must be smaller than that of the type that contains
/// it, so there are no cycles.
const Type* part_of(const Json& number, const std::vector<const Type*>& before)
{
    return before.at(number.get<std::size_t>());
}

void read_parts(const Json& description, const std::vector<const Type*>& before, Type& type)
{
    if (description.contains("target"))
        type.target = part_of(description["target"], before);
    const bool wants_target = type.kind == TypeKind::Pointer || type.kind == TypeKind::Array ||
                              type.kind == TypeKind::Typedef || type.kind == TypeKind::Function;
    if (wants_target && !type.target)
        throw std::out_of_range("a pointer, array, typedef or function type has no target type");
    if (type.kind == TypeKind::Array && type.count != 0 && type.target->resolve()->size > type.size / type.count)
        throw std::out_of_range("an array is too short");
    std::vector<Member> members;
    for (const Json& member : description.value("members", Json::array()))
        members.push_back({member.at(0), part_of(member.at(1), before), member.at(2), member.at(3)});
    check_members(type, members);
    std::vector<Enumerator> enumerators;
    for (const Json& each : description.value("enumerators", Json::array()))
        enumerators.push_back({each.at(0), each.at(1)});
    if (!members.empty() || !enumerators.empty())
        type.complete = [members = std::move(members), enumerators = std::move(enumerators)](
                            std::vector<Member>& its_members, std::vector<Enumerator>& its_enumerators) {
            its_members = members;
            its_enumerators = enumerators;
        };
}

} // namespace

int DescribedTypes::add(const Type* type, bool is_pointed_to)
{
    const auto key = std::pair(type, is_pointed_to);
    if (const auto known = numbers_.find(key); known != numbers_.end())
        return known->second;
    Json description = {{"kind", static_cast<int>(type->kind)},
                        {"name", type->name},
                        {"size", type->size},
                        {"flags", (type->is_signed ? 1 : 0) | (type->is_char ? 2 : 0) | (type->incomplete ? 4 : 0)},
                        {"space", static_cast<int>(type->space)},
                        {"count", type->count}};
    const bool ends_here = is_pointed_to || type->kind == TypeKind::Pointer;
    if (type->target) // if a pointer points to the type, only the type's name is described
        description["target"] = add(type->target, ends_here);
    if (!is_pointed_to && (type->kind == TypeKind::Struct || type->kind == TypeKind::Union))
        for (const Member& member : type->members())
            description["members"].push_back(
                {member.name, add(member.type, false), member.bit_offset, member.bit_size});
    if (!is_pointed_to && type->kind == TypeKind::Enum)
        for (const Enumerator& enumerator : type->enumerators())
            description["enumerators"].push_back({enumerator.name, enumerator.value});
    const int number = static_cast<int>(descriptions_.size());
    descriptions_.push_back(std::move(description));
    numbers_.emplace(key, number);
    return number;
}

std::vector<const Type*> read_described_types(const Json& list, TypeTable& table)
{
    std::vector<const Type*> all;
    for (const Json& description : list) {
        const auto kind = description.at("kind").get<int64_t>();
        const auto space = description.at("space").get<int64_t>();
        if (kind < 0 || kind > static_cast<int64_t>(TypeKind::Dynamic) || space < 0 ||
            space > static_cast<int64_t>(AddressSpace::Scratch))
            throw std::out_of_range("there is no such kind of type");
        Type* const type = table.make(static_cast<TypeKind>(kind), description.at("name"));
        const auto flags = description.at("flags").get<uint64_t>();
        type->size = description.at("size");
        type->is_signed = (flags & 1) != 0;
        type->is_char = (flags & 2) != 0;
        type->incomplete = (flags & 4) != 0;
        type->space = static_cast<AddressSpace>(space);
        type->count = description.at("count");
        read_parts(description, all, *type);
        all.push_back(type);
    }
    return all;
}

} // namespace dt
