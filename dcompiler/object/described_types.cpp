#include "dcompiler/object/described_types.hpp"

#include <stdexcept>
#include <string>

namespace dt {
namespace {

using Json = nlohmann::ordered_json;

/// Checks that a structure's members lie inside it, which printing relies on.
void check_members(const Type& type, const std::vector<Member>& members)
{
    for (const Member& member : members) {
        const uint64_t bits = member.bit_size != 0 ? member.bit_size : member.type->resolve()->size * 8;
        if (member.bit_offset > type.size * 8 || bits > type.size * 8 - member.bit_offset)
            throw std::out_of_range("a member is outside of its structure");
    }
}

/// Returns a component type. Its number must be smaller, which excludes cycles.
const Type* part_of(const Json& number, const std::vector<const Type*>& before)
{
    return before.at(number.get<std::size_t>());
}

void read_parts(const Json& told, const std::vector<const Type*>& before, Type& type)
{
    if (told.contains("target"))
        type.target = part_of(told["target"], before);
    const bool wants_target = type.kind == TypeKind::Pointer || type.kind == TypeKind::Array ||
                              type.kind == TypeKind::Typedef || type.kind == TypeKind::Function;
    if (wants_target && !type.target)
        throw std::out_of_range("a type is made of nothing");
    if (type.kind == TypeKind::Array && type.count != 0 && type.target->resolve()->size > type.size / type.count)
        throw std::out_of_range("an array is too short");
    std::vector<Member> members;
    for (const Json& member : told.value("members", Json::array()))
        members.push_back({member.at(0), part_of(member.at(1), before), member.at(2), member.at(3)});
    check_members(type, members);
    std::vector<Enumerator> enumerators;
    for (const Json& each : told.value("enumerators", Json::array()))
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
    Json told = {{"kind", static_cast<int>(type->kind)},
                 {"name", type->name},
                 {"size", type->size},
                 {"flags", (type->is_signed ? 1 : 0) | (type->is_char ? 2 : 0) | (type->incomplete ? 4 : 0)},
                 {"space", static_cast<int>(type->space)},
                 {"count", type->count}};
    const bool ends_here = is_pointed_to || type->kind == TypeKind::Pointer;
    if (type->target) // a pointer's target is described by its name only
        told["target"] = add(type->target, ends_here);
    if (!is_pointed_to && (type->kind == TypeKind::Struct || type->kind == TypeKind::Union))
        for (const Member& member : type->members())
            told["members"].push_back({member.name, add(member.type, false), member.bit_offset, member.bit_size});
    if (!is_pointed_to && type->kind == TypeKind::Enum)
        for (const Enumerator& enumerator : type->enumerators())
            told["enumerators"].push_back({enumerator.name, enumerator.value});
    const int number = static_cast<int>(told_.size());
    told_.push_back(std::move(told));
    numbers_.emplace(key, number);
    return number;
}

std::vector<const Type*> read_described_types(const Json& list, TypeTable& table)
{
    std::vector<const Type*> all;
    for (const Json& told : list) {
        const auto kind = told.at("kind").get<int64_t>();
        const auto space = told.at("space").get<int64_t>();
        if (kind < 0 || kind > static_cast<int64_t>(TypeKind::Dynamic) || space < 0 ||
            space > static_cast<int64_t>(AddressSpace::Scratch))
            throw std::out_of_range("there is no such kind of type");
        Type* const type = table.make(static_cast<TypeKind>(kind), told.at("name"));
        const auto flags = told.at("flags").get<uint64_t>();
        type->size = told.at("size");
        type->is_signed = (flags & 1) != 0;
        type->is_char = (flags & 2) != 0;
        type->incomplete = (flags & 4) != 0;
        type->space = static_cast<AddressSpace>(space);
        type->count = told.at("count");
        read_parts(told, all, *type);
        all.push_back(type);
    }
    return all;
}

} // namespace dt
