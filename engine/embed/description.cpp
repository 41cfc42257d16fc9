#include "engine/embed/description.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/elf_image.hpp"

namespace dt::embed {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;

/// Returns the content of section .dtrace, the JSON text of the description, or an empty string if the file has no such
/// section.
std::string description_text(std::span<const uint8_t> elf)
{
    const ElfHandle handle = open_image(elf);
    std::size_t names = 0;
    if (!handle || elf_getshdrstrndx(handle.get(), &names) != 0)
        return {};
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(handle.get(), section));) {
        const Elf64_Shdr* const header = elf64_getshdr(section);
        const char* const name = header ? elf_strptr(handle.get(), names, header->sh_name) : nullptr;
        const Elf_Data* const data =
            name && std::string_view(name) == ".dtrace" ? elf_getdata(section, nullptr) : nullptr;
        if (data && data->d_buf)
            return {static_cast<const char*>(data->d_buf), data->d_size};
    }
    return {};
}

ArgumentSource place(const Json& json)
{
    const struct {
        const char* name;
        ArgumentSource::In in;
    } kinds[] = {{"nothing", ArgumentSource::In::Nothing}, {"constant", ArgumentSource::In::Constant},
                 {"context", ArgumentSource::In::Context}, {"registers", ArgumentSource::In::Registers},
                 {"memory", ArgumentSource::In::Memory},   {"cookie", ArgumentSource::In::Cookie}};
    ArgumentSource place;
    place.in = ArgumentSource::In::Kernel;
    for (const auto& kind : kinds)
        if (json.at("in") == kind.name)
            place.in = kind.in;
    place.offset = json.value("offset", int64_t{0});
    place.base = json.value("base", 0u);
    place.size = json.value("size", 8u);
    return place;
}

std::vector<Datum> data(const Json& json)
{
    const struct {
        const char* name;
        Datum::Kind kind;
    } kinds[] = {{"signed", Datum::Kind::Signed},
                 {"unsigned", Datum::Kind::Unsigned},
                 {"text", Datum::Kind::Text},
                 {"name", Datum::Kind::Name},
                 {"cgroup", Datum::Kind::Unsigned}};
    std::vector<Datum> list;
    for (const Json& entry : json) {
        Datum datum{Datum::Kind::Bytes, entry.at("offset"), entry.at("size")};
        for (const auto& kind : kinds)
            if (entry.at("kind") == kind.name)
                datum.kind = kind.kind;
        list.push_back(datum);
    }
    return list;
}

void read_programs(const Json& json, Description& all)
{
    for (const Json& entry : json) {
        Program program;
        program.function = entry.at("function");
        program.kind = entry.value("kind", "");
        program.conditional = entry.at("conditional");
        if (entry.contains("selector"))
            program.selector = place(entry["selector"]);
        for (const Json& argument : entry.at("arguments"))
            program.arguments.push_back(place(argument));
        for (const Json& served : entry.at("probes")) {
            const uint32_t id = served.at("id");
            auto probe =
                std::find_if(all.probes.begin(), all.probes.end(), [id](const Probe& known) { return known.id == id; });
            if (probe == all.probes.end())
                probe = all.probes.insert(probe, {id, served.at("name"), {}});
            probe->programs.push_back({static_cast<uint32_t>(all.programs.size()), served.at("selector")});
        }
        all.programs.push_back(std::move(program));
    }
}

Statement statement(const Json& json)
{
    Statement statement;
    statement.description = json.value("description", "");
    statement.guards_at = json.value("guards_at", -1);
    for (const Json& entry : json.at("records"))
        statement.records.push_back({entry.at("action"), entry.value("format", ""), entry.contains("format"),
                                     entry.value("guard", -1), data(entry.at("data"))});
    return statement;
}

Aggregation aggregation(const Json& json)
{
    Aggregation aggregation;
    aggregation.name = json.at("name");
    aggregation.function = json.at("function");
    aggregation.map = json.at("map");
    if (json.contains("brief"))
        aggregation.brief = json["brief"].at("map");
    aggregation.id = json.at("id");
    aggregation.words = json.at("words");
    aggregation.key_size = json.at("key_size");
    aggregation.offset = json.at("offset");
    aggregation.shared = json.at("shared");
    aggregation.digested = json.value("digested", false);
    aggregation.keys = data(json.at("keys"));
    return aggregation;
}

Description description(const Json& json)
{
    Description all;
    read_programs(json.at("programs"), all);
    for (const Json& entry : json.at("statements"))
        all.statements.push_back(statement(entry));
    for (const Json& entry : json.at("aggregations"))
        all.aggregations.push_back(aggregation(entry));
    for (const Json& entry : json.at("variables"))
        all.variables.push_back({entry.at("name"), entry.value("section", ""), entry.value("map", ""),
                                 entry.value("offset", uint64_t{0}), entry.value("size", uint64_t{0})});
    all.names = json.at("names").get<std::vector<std::string>>();
    const Json& task = json.at("task");
    for (const auto& [member, to] :
         {std::pair{"pid", &all.task_pid}, std::pair{"tgid", &all.task_tgid}, std::pair{"comm", &all.task_comm}})
        if (task.contains(member))
            *to = task[member].get<uint32_t>();
    return all;
}

} // namespace

const Variable* Description::variable(std::string_view name) const
{
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [name](const Variable& variable) { return variable.name == name; });
    return found == variables.end() ? nullptr : &*found;
}

const Probe* Description::probe(uint32_t id) const
{
    const auto found = std::find_if(probes.begin(), probes.end(), [id](const Probe& probe) { return probe.id == id; });
    return found == probes.end() ? nullptr : &*found;
}

Result<Description> read_description(std::span<const uint8_t> elf)
{
    const std::string text = description_text(elf);
    if (text.empty())
        return Error{"it is not an object that dtrace -x save wrote"};
    try {
        const Json json = Json::parse(text);
        if (json.at("version") != kVersion)
            return Error{"the object was written by another version of dtrace"};
        return description(json);
    } catch (const Json::exception& wrong) { // the JSON library reports errors only by exceptions
        return Error{std::string("the object's description is damaged: ") + wrong.what()};
    }
}

} // namespace dt::embed
