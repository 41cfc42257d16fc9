#include "libdtrace/types/type_transfer.hpp"

#include <algorithm>

#include "libdtrace/elf/dwarf_file.hpp"

namespace dt {
namespace {

/// Kind of a serialised type, the first number in its serialised form.
enum class SerializedKind : uint8_t { Void, Number, Pointer, Array, Known, Typedef, Record, Enum, Function };

constexpr unsigned kMaxSerializedDepth = 128;
constexpr uint64_t kMaxSerializedSize = uint64_t{1} << 40; ///< maximum size of a type in bytes
constexpr std::size_t kMaxSerializedCount = 1 << 16;       ///< maximum number of members or enumerators
constexpr std::size_t kMaxReadParameters = 64;

void put(PackedWriter& out, const TypePosition& place)
{
    out.number(place.part);
    out.number(place.at);
}

TypePosition place_in(PackedReader& in)
{
    const uint64_t part = in.number();
    return {part, in.number()};
}

bool is_number_of(TypeKind kind, std::string_view name, uint64_t bytes)
{
    if (kind == TypeKind::Float)
        return is_known_float(name, bytes);
    return kind == TypeKind::Integer && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

} // namespace

// ---- sender -------------------------------------------------------------------------------------------------------

/// Returns the nesting depth of records in a type. Stops counting at a limit, because the type may contain itself.
uint64_t TypeSerializer::nesting(const Type* type, unsigned depth)
{
    type = type->resolve();
    while (type->kind == TypeKind::Array)
        type = type->target->resolve();
    if (!type->is_record() || type->incomplete || depth == kMaxSerializedDepth)
        return 0;
    if (const auto known = nesting_.find(type); known != nesting_.end())
        return known->second;
    uint64_t deepest = 0;
    for (const Member& member : type->members())
        deepest = std::max(deepest, nesting(member.type, depth + 1));
    return nesting_[type] = deepest + 1;
}

void TypeSerializer::serialize(const Type* type, PackedWriter& out, unsigned depth)
{
    const auto begin = [&](SerializedKind what) { out.number(static_cast<uint64_t>(what)); };
    if (depth == kMaxSerializedDepth || left_ == 0) {
        begin(SerializedKind::Void);
        return;
    }
    --left_;
    switch (type->kind) {
    case TypeKind::Integer:
    case TypeKind::Float:
        begin(SerializedKind::Number);
        out.number(type->kind == TypeKind::Float);
        out.text(type->name);
        out.number(type->size);
        out.number(type->is_signed);
        out.number(type->is_char);
        return;
    case TypeKind::Pointer:
        begin(SerializedKind::Pointer);
        out.number(type->size);
        serialize(type->target, out, depth + 1);
        return;
    case TypeKind::Array:
        begin(SerializedKind::Array);
        out.number(type->count);
        serialize(type->target, out, depth + 1);
        return;
    case TypeKind::Typedef:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
    case TypeKind::Function:
        if (const auto place =
                unfinished_.contains(type) && type->kind == TypeKind::Function ? std::nullopt : place_of_(type)) {
            serialize_position(type, *place, out, depth);
            return;
        }
        break;
    default:
        break;
    }
    begin(SerializedKind::Void);
}

void TypeSerializer::serialize_position(const Type* type, const TypePosition& place, PackedWriter& out, unsigned depth)
{
    const auto begin = [&](SerializedKind what) {
        out.number(static_cast<uint64_t>(what));
        put(out, place);
    };
    if (!serialized_.insert(type).second) {
        begin(SerializedKind::Known);
        return;
    }
    switch (type->kind) {
    case TypeKind::Typedef:
        begin(SerializedKind::Typedef);
        out.text(type->name);
        serialize(type->target, out, depth + 1);
        return;
    case TypeKind::Enum:
        begin(SerializedKind::Enum);
        out.text(type->name);
        out.number(type->size);
        out.number(type->is_signed);
        out.number(type->incomplete);
        return;
    case TypeKind::Function:
        begin(SerializedKind::Function);
        unfinished_.insert(type);
        out.number(type->variadic);
        out.number(type->parameters.size());
        serialize(type->target, out, depth + 1);
        for (const Type* parameter : type->parameters)
            serialize(parameter, out, depth + 1);
        unfinished_.erase(type);
        return;
    default:
        begin(SerializedKind::Record);
        out.number(type->kind == TypeKind::Union);
        out.text(type->name);
        out.number(type->size);
        out.number(type->incomplete);
        out.number(nesting(type, 0));
        return;
    }
}

void TypeSerializer::serialize_members_of(const Type* type, PackedWriter& out)
{
    const std::vector<Member>& members = type->members();
    const std::vector<Enumerator>& enumerators = type->enumerators();
    out.number(members.size());
    for (const Member& member : members) {
        out.text(member.name);
        out.number(member.bit_offset);
        out.number(member.bit_size);
        serialize(member.type, out);
    }
    out.number(enumerators.size());
    for (const Enumerator& enumerator : enumerators) {
        out.text(enumerator.name);
        out.number(static_cast<uint64_t>(enumerator.value));
    }
    const std::vector<const Type*> arguments = type->is_record() ? type->parameters : std::vector<const Type*>();
    out.number(arguments.size());
    for (const Type* argument : arguments)
        serialize(argument, out);
}

// ---- receiver -----------------------------------------------------------------------------------------------------

/// Reads a type. `is_inside`: the type being read is a part of another type, and not only the target of a pointer.
const Type* ReceivedTypes::read(PackedReader& in, unsigned depth, bool is_inside)
{
    if (depth > kMaxSerializedDepth)
        in.fail();
    switch (static_cast<SerializedKind>(in.number())) {
    case SerializedKind::Void:
        break;
    case SerializedKind::Number:
        return read_number(in);
    case SerializedKind::Pointer: {
        const uint64_t size = in.number();
        return table_.pointer_to(read(in, depth + 1, false), AddressSpace::User, size == 4 ? 4 : 8);
    }
    case SerializedKind::Array:
        return read_array(in, depth);
    case SerializedKind::Known:
        return read_known(in, is_inside);
    case SerializedKind::Typedef:
        return read_typedef(in, depth, is_inside);
    case SerializedKind::Record:
        return read_record(in);
    case SerializedKind::Enum:
        return read_enum(in);
    case SerializedKind::Function:
        return read_function(in, depth);
    default:
        in.fail();
        break;
    }
    return table_.void_type();
}

const Type* ReceivedTypes::read_number(PackedReader& in)
{
    const TypeKind kind = in.number() != 0 ? TypeKind::Float : TypeKind::Integer;
    const std::string name = printable_name(in.text());
    const uint64_t size = in.number();
    const bool is_signed = in.number() != 0, is_char = in.number() != 0 && size == 1;
    if (!is_number_of(kind, name, size))
        return table_.void_type();
    const Type* const own = table_.named(name);
    if (own && own->kind == kind && own->size == size && own->is_signed == is_signed && own->is_char == is_char)
        return own;
    const Type*& known = numbers_[{kind, name, size, is_signed}];
    if (!known) {
        Type* const made = table_.make(kind, name);
        made->size = size;
        made->is_signed = is_signed;
        made->is_char = is_char;
        known = made;
    }
    return known;
}

const Type* ReceivedTypes::read_array(PackedReader& in, unsigned depth)
{
    const uint64_t count = in.number();
    const Type* const element = read(in, depth + 1, true);
    const Type* const plain = element->resolve();
    if (plain->kind == TypeKind::Void || plain->kind == TypeKind::Function)
        return table_.void_type();
    return table_.array_of(element, count <= kMaxSerializedSize / std::max<uint64_t>(plain->size, 1) ? count : 0);
}

const Type* ReceivedTypes::read_known(PackedReader& in, bool is_inside)
{
    const auto known = nodes_.find(place_in(in));
    if (known == nodes_.end()) {
        in.fail();
        return table_.void_type();
    }
    const bool is_circle =
        unfinished_.contains(known->second) && (is_inside || known->second->kind == TypeKind::Function);
    return is_circle ? table_.void_type() : known->second;
}

std::pair<Type*, bool> ReceivedTypes::node(const TypePosition& place, TypeKind kind, std::string_view name)
{
    const auto [entry, is_new] = nodes_.try_emplace(place, nullptr);
    if (is_new)
        entry->second = table_.make(kind, printable_name(name));
    return {entry->second->kind == kind ? entry->second : nullptr, is_new};
}

/// Reads a typedef. Registers the node before it reads the target, because the target may refer to the typedef.
const Type* ReceivedTypes::read_typedef(PackedReader& in, unsigned depth, bool is_inside)
{
    const TypePosition place = place_in(in);
    const auto [made, is_new] = node(place, TypeKind::Typedef, in.text());
    if (!made || (!is_new && is_inside && unfinished_.contains(made)))
        in.fail();
    if (is_new) {
        made->target = table_.void_type();
        unfinished_.insert(made);
    }
    const Type* const target = read(in, depth + 1, true);
    if (is_new) {
        made->target = target;
        made->size = target->resolve()->size;
        unfinished_.erase(made);
    }
    return in.good() ? made : table_.void_type();
}

const Type* ReceivedTypes::read_record(PackedReader& in)
{
    const TypePosition place = place_in(in);
    const TypeKind kind = in.number() != 0 ? TypeKind::Union : TypeKind::Struct;
    const auto [made, is_new] = node(place, kind, in.text());
    const uint64_t size = in.number();
    const bool is_incomplete = in.number() != 0;
    const uint64_t deep = in.number();
    if (!made || size > kMaxSerializedSize)
        in.fail();
    if (made && is_new) {
        made->size = in.good() ? size : 0;
        made->incomplete = is_incomplete || !in.good();
        nesting_[made] = deep;
        complete(*made, place);
    }
    return in.good() ? made : table_.void_type();
}

const Type* ReceivedTypes::read_enum(PackedReader& in)
{
    const TypePosition place = place_in(in);
    const auto [made, is_new] = node(place, TypeKind::Enum, in.text());
    const uint64_t size = in.number();
    const bool is_signed = in.number() != 0, is_incomplete = in.number() != 0;
    if (!made || (size != 1 && size != 2 && size != 4 && size != 8 && !is_incomplete))
        in.fail();
    if (made && is_new) {
        made->size = is_incomplete || !in.good() ? 0 : size;
        made->is_signed = is_signed;
        made->incomplete = is_incomplete || !in.good();
        complete(*made, place);
    }
    return in.good() ? made : table_.void_type();
}

const Type* ReceivedTypes::read_function(PackedReader& in, unsigned depth)
{
    const TypePosition place = place_in(in);
    const auto [made, is_new] = node(place, TypeKind::Function, {});
    if (!made || (!is_new && unfinished_.contains(made)))
        in.fail();
    const bool is_variadic = in.number() != 0;
    const std::size_t count = in.count(1, kMaxReadParameters);
    if (is_new) {
        made->target = table_.void_type();
        made->variadic = is_variadic;
        unfinished_.insert(made);
    }
    const Type* const result = read(in, depth + 1, false);
    std::vector<const Type*> parameters;
    while (parameters.size() < count && in.good())
        parameters.push_back(read(in, depth + 1, false));
    if (is_new) {
        made->target = result;
        made->parameters = std::move(parameters);
        unfinished_.erase(made);
    }
    return in.good() ? made : table_.void_type();
}

/// Prepares the node of a record whose members were not sent, so that they are requested when they are needed.
void ReceivedTypes::complete(Type& node, const TypePosition& place)
{
    if (node.incomplete) {
        node.definition = [this, place, kind = node.kind]() -> const Type* {
            const std::string answer = ask_definition_(place);
            PackedReader in(answer);
            const Type* const found = read(in);
            return in.good() && found->kind == kind && !found->incomplete ? found : nullptr;
        };
        return;
    }
    node.complete = [this, place, &node](std::vector<Member>& members, std::vector<Enumerator>& enumerators) {
        const std::string answer = ask_inside_(place);
        PackedReader in(answer);
        read_members(in, node, members);
        const std::size_t count = in.count(2, kMaxSerializedCount);
        for (std::size_t i = 0; i < count && in.good(); ++i) {
            std::string name = printable_name(in.text());
            enumerators.push_back({std::move(name), static_cast<int64_t>(in.number())});
        }
        const std::size_t arguments = in.count(1, kMaxReadParameters);
        for (std::size_t i = 0; i < arguments && in.good() && node.is_record(); ++i)
            node.parameters.push_back(read(in, 0, false));
    };
}

void ReceivedTypes::read_members(PackedReader& in, const Type& record, std::vector<Member>& members)
{
    const std::size_t count = in.count(4, kMaxSerializedCount);
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        Member member;
        member.name = printable_name(in.text());
        member.bit_offset = in.number();
        const uint64_t bits = in.number();
        member.type = read(in, 0, true);
        const Type* const plain = member.type->resolve();
        const uint64_t length = bits != 0 ? bits : plain->size * 8;
        const bool is_value = plain->kind != TypeKind::Void && plain->kind != TypeKind::Function;
        const bool is_bits = bits == 0 || (bits <= 64 && member.type->is_integer());
        const bool fits = member.bit_offset <= record.size * 8 && length <= record.size * 8 - member.bit_offset;
        member.bit_size = static_cast<uint32_t>(is_bits ? bits : 0);
        if (in.good() && is_value && is_bits && fits && nesting(member.type) < nesting(&record))
            members.push_back(std::move(member));
    }
}

uint64_t ReceivedTypes::nesting(const Type* type) const
{
    type = type->resolve();
    while (type->kind == TypeKind::Array)
        type = type->target->resolve();
    const auto known = nesting_.find(type);
    return known == nesting_.end() ? 0 : known->second;
}

} // namespace dt
