// Writes saved objects (-x save): ELF files with a section that contains the JSON description.
//
// The description contains what a consumer needs, in a form that does not depend on the compiler's internal tables.
// Kinds have names, and probes have full names. The description gives a location for each argument that a probe's
// program reads. The location is "kernel" if only the kernel can provide the argument.
#include "dcompiler/object/saved.hpp"

#include <libelf.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "base/descriptor.hpp"
#include "base/elf_image.hpp"
#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/types.hpp"

namespace dt {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Datum::Kind kind)
{
    switch (kind) {
    case Datum::Kind::Signed:
        return "signed";
    case Datum::Kind::Unsigned:
        return "unsigned";
    case Datum::Kind::Text:
        return "text";
    case Datum::Kind::Bytes:
        return "bytes";
    case Datum::Kind::Name:
        return "name";
    case Datum::Kind::Stack:
        return "stack";
    case Datum::Kind::UserStack:
        return "user_stack";
    case Datum::Kind::Symbol:
        return "symbol";
    case Datum::Kind::UserSymbol:
        return "user_symbol";
    case Datum::Kind::Cgroup:
        return "cgroup";
    case Datum::Kind::Converted:
        return "converted";
    }
    return "";
}

const char* name_of(AggKind kind)
{
    for (const AggFunction& function : agg_functions())
        if (function.kind == kind)
            return function.name.data();
    return "";
}

Json data(const std::vector<Datum>& list)
{
    Json array = Json::array();
    for (const Datum& datum : list) {
        array.push_back({{"kind", name_of(datum.kind)}, {"offset", datum.offset}, {"size", datum.size}});
        if (datum.type)
            array.back()["type"] = to_string(datum.type);
    }
    return array;
}

/// Returns where a datum is, in JSON form; "kernel" if a caller outside of the kernel cannot provide it.
Json location(const Location& where)
{
    using Kind = Location::Kind;
    switch (where.kind) {
    case Kind::Zero:
        return {{"in", "nothing"}};
    case Kind::Constant:
        return {{"in", "constant"}, {"value", where.offset}};
    case Kind::ContextWord:
        return {{"in", "context"}, {"offset", where.index * 8}, {"size", 8}};
    case Kind::Register:
        return {{"in", "context"}, {"offset", where.index * 8}, {"size", where.size}};
    case Kind::ContextField:
        return {{"in", "context"}, {"offset", where.offset}, {"size", where.size}};
    case Kind::UserRegister:
    // a caller outside of the kernel is never a 32-bit program, so the location for 64-bit programs applies
    case Kind::CallArgument:
        return {{"in", "registers"}, {"offset", where.index * 8}, {"size", where.size}};
    case Kind::UserMemory:
        if (where.scale == 0 && where.index != Location::kNoRegister)
            return {{"in", "memory"}, {"base", where.index * 8}, {"offset", where.offset}, {"size", where.size}};
        break;
    case Kind::Cookie:
        return {{"in", "cookie"}};
    default:
        break;
    }
    return {{"in", "kernel"}};
}

Json arguments(const AttachPlan& plan)
{
    std::size_t count = plan.arguments.size();
    while (count > 0 && plan.arguments[count - 1].kind == Location::Kind::Zero)
        --count;
    Json array = Json::array();
    for (std::size_t i = 0; i < count; ++i)
        array.push_back(location(plan.arguments[i]));
    return array;
}

Json programs(const Schema& schema, ProbeSource& source)
{
    Json array = Json::array();
    for (const ProgramPlan& program : schema.programs) {
        if (program.is_helper)
            continue;
        Json probes = Json::array();
        for (const uint32_t id : program.probes) {
            const Probe* const probe = source.probe(id);
            uint64_t selector = 0;
            for (const PlannedProbe& planned : program.plan->probes)
                if (planned.probe && planned.probe->id == id)
                    selector = planned.selector;
            probes.push_back(
                {{"id", id}, {"name", probe ? probe->full_name() : std::string()}, {"selector", selector}});
        }
        Json entry = {
            {"function", program.name}, {"kind", program.plan->kind_info().name}, {"probes", std::move(probes)}};
        if (program.plan->selector)
            entry["selector"] = location(*program.plan->selector);
        entry["conditional"] = !program.plan->conditions.empty() || program.plan->start_hook != nullptr;
        entry["arguments"] = arguments(*program.plan);
        array.push_back(std::move(entry));
    }
    return array;
}

Json statements(const Schema& schema, const Program& program)
{
    Json array = Json::array();
    for (const StatementSchema& statement : schema.statements) {
        Json records = Json::array();
        for (const Record& record : statement.records) {
            Json entry = {{"action", record.action ? record.action->name : std::string_view()}};
            if (record.has_format)
                entry["format"] = record.format;
            if (record.guard >= 0)
                entry["guard"] = record.guard;
            entry["data"] = data(record.data);
            records.push_back(std::move(entry));
        }
        Json entry = {{"id", statement.id}};
        if (statement.id < program.statements.size())
            entry["description"] = program.statements[statement.id].description;
        if (statement.guard_offset >= 0)
            entry["guards_at"] = statement.guard_offset;
        entry["records"] = std::move(records);
        array.push_back(std::move(entry));
    }
    return array;
}

Json aggregations(const Schema& schema)
{
    Json array = Json::array();
    for (const AggregationSchema& aggregation : schema.aggregations) {
        Json entry = {
            {"name", aggregation.name}, {"id", aggregation.id}, {"function", name_of(aggregation.function->kind)}};
        entry["parameters"] = aggregation.parameters;
        entry["map"] = aggregation.map;
        if (!aggregation.short_keys_map.empty())
            entry["brief"] = {{"map", aggregation.short_keys_map}, {"key_size", aggregation.short_key_size}};
        entry["shared"] = aggregation.shared;
        if (aggregation.digested)
            entry["digested"] = true;
        entry["words"] = aggregation.words;
        entry["key_size"] = aggregation.key_size;
        entry["offset"] = aggregation.offset;
        entry["keys"] = data(aggregation.keys);
        array.push_back(std::move(entry));
    }
    return array;
}

/// Returns the description of the variables. Globals are in a data section, by name; an array is a map whose name
/// contains the variable's index.
Json variables(const Object& object, const Program& program)
{
    std::map<std::string, DataPlace> places;
    for (DataPlace& place : data_places(object.elf)) {
        const std::string name = place.name;
        places.emplace(name, std::move(place));
    }
    Json array = Json::array();
    for (const Variable& variable : program.variables) {
        if (variable.scope != Scope::Global)
            continue;
        const auto place = places.find("var_" + variable.name);
        const auto map = places.find("arr_" + std::to_string(variable.index));
        Json entry = {{"name", variable.name}, {"type", to_string(variable.type)}};
        if (variable.keys.empty() && place != places.end())
            entry.update(
                {{"section", place->second.section}, {"offset", place->second.offset}, {"size", place->second.size}});
        else if (!variable.keys.empty() && map != places.end())
            entry["map"] = map->first;
        else
            continue;
        for (const Type* key : variable.keys)
            entry["keys"].push_back(to_string(key));
        array.push_back(std::move(entry));
    }
    return array;
}

/// Returns the offsets of those members of task_struct that compiled code loads for pid, tid and execname.
Json task_members(World& world)
{
    Json members = Json::object();
    for (const char* member : {"pid", "tgid", "comm"})
        if (const auto offset = world.task_offset(member))
            members[member] = *offset;
    return members;
}

} // namespace

std::string describe_object(const Object& object, const Program& program, World& world)
{
    const Json all = {{"version", kSavedVersion},
                      {"programs", programs(object.schema, world.probes())},
                      {"statements", statements(object.schema, program)},
                      {"aggregations", aggregations(object.schema)},
                      {"variables", variables(object, program)},
                      {"names", object.schema.names},
                      {"task", task_members(world)}};
    // names may contain any bytes, so invalid UTF-8 is replaced
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::vector<uint8_t>> saved_object(const Object& object, const Program& program, World& world)
{
    return with_section(object.elf, kSavedSection, describe_object(object, program, world));
}

// Reads the positions of variables from a finished ELF file. Also appends a section to the file.

namespace {

Error unwritable()
{
    return Error{std::string("cannot write an object file: ") + elf_errmsg(-1)};
}

/// Appends a name to the table of section names. Returns its offset in the table, or 0 on failure.
std::size_t add_name(Elf* elf, std::string& name)
{
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return 0;
    Elf_Scn* const section = elf_getscn(elf, names);
    const Elf64_Shdr* const header = section ? elf64_getshdr(section) : nullptr;
    Elf_Data* const data = header ? elf_newdata(section) : nullptr;
    if (!data)
        return 0;
    data->d_buf = name.data();
    data->d_size = name.size() + 1;
    data->d_align = 1;
    data->d_version = EV_CURRENT;
    return header->sh_size;
}

} // namespace

std::vector<DataPlace> data_places(std::span<const uint8_t> elf)
{
    std::vector<DataPlace> places;
    const ElfHandle handle = open_image(elf);
    std::size_t names = 0;
    if (!handle || elf_getshdrstrndx(handle.get(), &names) != 0)
        return places;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(handle.get(), section));) {
        const Elf64_Shdr* const header = elf64_getshdr(section);
        const Elf_Data* const data = header && header->sh_type == SHT_SYMTAB ? elf_getdata(section, nullptr) : nullptr;
        for (std::size_t i = 0; data && i < data->d_size / sizeof(Elf64_Sym); ++i) {
            Elf64_Sym symbol;
            std::memcpy(&symbol, static_cast<const char*>(data->d_buf) + i * sizeof symbol, sizeof symbol);
            Elf_Scn* const of =
                ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT ? elf_getscn(handle.get(), symbol.st_shndx) : nullptr;
            const Elf64_Shdr* const of_header = of ? elf64_getshdr(of) : nullptr;
            const char* const name = of_header ? elf_strptr(handle.get(), header->sh_link, symbol.st_name) : nullptr;
            const char* const where = name ? elf_strptr(handle.get(), names, of_header->sh_name) : nullptr;
            if (where)
                places.push_back({name, where, symbol.st_value, symbol.st_size});
        }
    }
    return places;
}

Result<std::vector<uint8_t>> with_section(std::span<const uint8_t> elf, std::string_view name, std::string_view text)
{
    auto file = MemoryFile::make("dtrace-saved");
    if (!file)
        return file.error();
    if (Result<void> written = file->write(elf); !written)
        return written.error();
    elf_version(EV_CURRENT);
    const ElfHandle handle(elf_begin(file->fd(), ELF_C_RDWR, nullptr), elf_end);
    if (!handle)
        return unwritable();
    std::string name_text(name), bytes(text); // a copy, because libelf takes pointers to non-const data
    const std::size_t name_at = add_name(handle.get(), name_text);
    Elf_Scn* const section = name_at != 0 ? elf_newscn(handle.get()) : nullptr;
    Elf_Data* const data = section ? elf_newdata(section) : nullptr;
    Elf64_Shdr* const header = data ? elf64_getshdr(section) : nullptr;
    if (!header)
        return unwritable();
    data->d_type = ELF_T_BYTE;
    data->d_buf = bytes.data();
    data->d_size = bytes.size();
    data->d_align = 1;
    data->d_version = EV_CURRENT;
    header->sh_name = static_cast<Elf64_Word>(name_at);
    header->sh_type = SHT_PROGBITS;
    header->sh_addralign = 1;
    if (elf_update(handle.get(), ELF_C_WRITE) < 0)
        return unwritable();
    return file->read();
}

} // namespace dt
