// Lays out structs, unions and enums of a program as the platform's C compiler does (System V ABI, also for
// bit-fields).
#include <algorithm>
#include <set>
#include <string_view>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

uint64_t alignment(const Type* type)
{
    type = type->resolve();
    switch (type->kind) {
    case TypeKind::Array:
        return alignment(type->target);
    case TypeKind::String:
        return 1;
    case TypeKind::Struct:
    case TypeKind::Union: {
        uint64_t most = 1;
        for (const Member& member : type->members())
            most = std::max(most, alignment(member.type));
        return most;
    }
    default:
        return std::clamp<uint64_t>(type->size, 1, 16);
    }
}

uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

/// Places members one after the other or, in a union, at offset 0. All positions are in bits.
class Layout {
public:
    explicit Layout(bool is_union) : union_(is_union) {}

    void member(const std::string& name, const Type* type)
    {
        const uint64_t align = alignment(type) * 8;
        place(name, type, round_up(union_ ? 0 : next_, align), type->resolve()->size * 8, 0);
        align_ = std::max(align_, align);
    }

    /// Places a bit-field. It must not cross a boundary of its type; width 0 (unnamed) starts a new unit.
    void bit_field(const std::string& name, const Type* type, uint32_t width)
    {
        const uint64_t unit = type->resolve()->size * 8;
        uint64_t at = union_ ? 0 : next_;
        if (width == 0) {
            next_ = round_up(next_, unit);
            return;
        }
        if (at / unit != (at + width - 1) / unit)
            at = round_up(at, unit);
        if (name.empty()) {
            next_ = std::max(next_, at + width);
            return;
        }
        place(name, type, at, width, width);
        align_ = std::max(align_, unit);
    }

    std::vector<Member> members;

    uint64_t size() const { return round_up(end_ > next_ ? end_ : next_, align_) / 8; }

private:
    void place(const std::string& name, const Type* type, uint64_t at, uint64_t bits, uint32_t width)
    {
        members.push_back({name, type, at, width});
        end_ = std::max(end_, at + bits);
        if (!union_)
            next_ = at + bits;
    }

    bool union_;
    uint64_t next_ = 0, end_ = 0, align_ = 8;
};

} // namespace

const Type* Declarations::record_type(const ast::DeclSpec& spec)
{
    const TypeKind kind = spec.base == ast::BaseKind::Union ? TypeKind::Union : TypeKind::Struct;
    if (!spec.defines) {
        if (const Type* known = checker.names.find_tag(kind, spec.name))
            return known;
        Type* forward = checker.names.mention_tag(kind, spec.name);
        forward->is_user_defined = true;
        return forward;
    }
    if (spec.name.find('`') != std::string::npos)
        fail("D_DECL_SCOPE", spec.at, "D scoping operator may not be used in a type definition: " + spec.name);
    Type* record = nullptr;
    if (!spec.name.empty()) {
        record = checker.names.find_own_tag(kind, spec.name);
        if (record && !record->incomplete)
            fail("D_DECL_TYPERED", spec.at, "type redeclared: " + dt::to_string(record));
        if (!record)
            record = checker.names.mention_tag(kind, spec.name);
    } else {
        record = types.make(kind);
        record->incomplete = true;
    }
    record->is_user_defined = true;
    const DeclaredTypes::Definition inside(checker.declared, record);
    Layout layout(kind == TypeKind::Union);
    std::set<std::string> names;
    for (const ast::MemberDecl* declaration : spec.members) {
        const Type* base = spec_type(*declaration->spec);
        for (const ast::Declarator* declarator : declaration->declarators) {
            const std::string& name = declarator->name;
            if (name.find('`') != std::string::npos)
                fail("D_DECL_SCOPE", declarator->at, "D scoping operator may not be used in a member name: " + name);
            if (!name.empty())
                add_member_name(name, declarator->at, names);
            const bool outer = std::exchange(here.userland, declaration->spec->is_userland);
            const Type* type = declarator_type(base, *declarator);
            here.userland = outer;
            if (declarator->bits) {
                layout.bit_field(name, type, bit_width(*declarator, type));
                continue;
            }
            if (type->resolve()->kind == TypeKind::Void)
                fail("D_DECL_VOIDOBJ", declarator->at, "cannot have void member: " + name);
            if (type->resolve()->kind == TypeKind::Stack)
                refuse_stack(declarator->at, "a member");
            types.lay_out(type);
            const bool incomplete = type->is_record() && !checker.names.complete_record(type);
            if (incomplete || type->resolve()->kind == TypeKind::Function)
                fail("D_DECL_INCOMPLETE", declarator->at,
                     "incomplete struct/union/enum " + dt::to_string(type) + ": " + name);
            if (name.empty() && !type->is_record())
                fail("D_DECL_MNAME", declarator->at, "member declaration requires a name");
            if (name.empty())
                add_anonymous(*type->resolve(), declarator->at, names);
            layout.member(name, type);
            if (layout.size() > kMostTypeBytes)
                fail("D_DECL_ARRBIG", declarator->at,
                     dt::to_string(record) + " would have more than " + std::to_string(kMostTypeBytes) +
                         " bytes with " + name);
        }
    }
    record->size = layout.size();
    record->complete = [members = layout.members](std::vector<Member>& out, std::vector<Enumerator>&) {
        out = members;
    };
    record->incomplete = false;
    return record;
}

void Declarations::add_member_name(const std::string& name, const Span& at, std::set<std::string>& names)
{
    if (!names.insert(name).second)
        fail("D_UNKNOWN", at, "failed to define member " + name + ": Duplicate member name");
}

/// Adds the members of an anonymous struct or union to the names of the outer one (C11, 6.7.2.1).
void Declarations::add_anonymous(const Type& record, const Span& at, std::set<std::string>& names)
{
    for (const Member& member : record.members())
        if (!member.name.empty())
            add_member_name(member.name, at, names);
        else if (member.type->is_record())
            add_anonymous(*member.type->resolve(), at, names);
}

uint32_t Declarations::bit_width(const ast::Declarator& declarator, const Type* type)
{
    if (!type->is_integer())
        fail("D_DECL_BFTYPE", declarator.at, "bit-field must be of integral type: " + declarator.name);
    const auto width = constant(*declarator.bits);
    if (!width || *width < 0 || (*width == 0 && !declarator.name.empty()))
        fail("D_DECL_BFCONST", declarator.at,
             "positive integral constant expression expected as bit-field size: " + declarator.name);
    if (static_cast<uint64_t>(*width) > type->resolve()->size * 8)
        fail("D_DECL_BFSIZE", declarator.at, "bit-field too big for type: " + declarator.name);
    return static_cast<uint32_t>(*width);
}

const Type* Declarations::enum_type(const ast::DeclSpec& spec)
{
    if (!spec.defines) {
        if (const Type* known = checker.names.find_tag(TypeKind::Enum, spec.name))
            return known;
        Type* forward = checker.names.mention_tag(TypeKind::Enum, spec.name);
        forward->is_user_defined = forward->is_signed = true;
        return forward;
    }
    if (spec.name.find('`') != std::string::npos)
        fail("D_DECL_SCOPE", spec.at, "D scoping operator may not be used in a type definition: " + spec.name);
    Type* made = nullptr;
    if (!spec.name.empty()) {
        made = checker.names.find_own_tag(TypeKind::Enum, spec.name);
        if (made && !made->incomplete)
            fail("D_DECL_TYPERED", spec.at, "type redeclared: " + dt::to_string(made));
        if (!made)
            made = checker.names.mention_tag(TypeKind::Enum, spec.name);
    } else {
        made = types.make(TypeKind::Enum);
    }
    made->size = 4;
    made->is_signed = made->is_user_defined = true;
    made->incomplete = false;
    std::vector<Enumerator> values;
    std::set<std::string_view> names; // a set, because an enumeration may have a hundred thousand names
    int64_t next = 0;
    for (const ast::EnumeratorDecl& enumerator : spec.enumerators) {
        if (enumerator.name.find('`') != std::string::npos)
            fail("D_DECL_SCOPE", enumerator.at,
                 "D scoping operator may not be used in an enumerator name: " + enumerator.name);
        if (enumerator.value) {
            const auto value = constant(*enumerator.value);
            if (!value)
                fail("D_DECL_ENCONST", enumerator.at,
                     "enumerator " + enumerator.name + " must be assigned to an integral constant expression");
            next = *value;
        }
        if ((next < INT32_MIN || next > INT32_MAX) && !in_header(enumerator.at))
            fail("D_DECL_ENOFLOW", enumerator.at, "enumerator " + enumerator.name + " value overflows INT_MAX");
        if (!names.insert(enumerator.name).second)
            fail("D_UNKNOWN", enumerator.at,
                 "failed to define enumerator " + enumerator.name + ": Duplicate member name");
        const Global* known = checker.names.find_fixed_global(enumerator.name);
        const bool same_constant = known && known->kind == Global::Kind::Constant && !known->from_program &&
                                   (known->value == next || in_header(enumerator.at));
        if ((known && !same_constant) || checker.names.find_fixed_typedef(enumerator.name))
            fail("D_DECL_IDRED", enumerator.at,
                 "identifier redeclared: " + enumerator.name + "\n\t current: enumerator");
        values.push_back({enumerator.name, next});
        Global global;
        global.kind = Global::Kind::Constant;
        global.name = enumerator.name;
        global.type = made;
        global.value = next++;
        global.at = enumerator.at;
        checker.names.define_global(std::move(global));
    }
    made->complete = [values](std::vector<Member>&, std::vector<Enumerator>& out) { out = values; };
    return made;
}

} // namespace dt::sema
