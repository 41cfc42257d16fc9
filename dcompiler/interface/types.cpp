// Rules of the type graph: predefined types, which types are represented by one object, and the spelling of types.
#include "dcompiler/interface/types.hpp"

#include <algorithm>
#include <utility>

namespace dt {

namespace {

struct BasicType {
    const char* name;
    unsigned size;
    bool is_signed;
    bool is_char;
};

constexpr BasicType kIntegers[] = {
    {"char", 1, true, true},
    {"signed char", 1, true, true},
    {"unsigned char", 1, false, false},
    {"short", 2, true, false},
    {"unsigned short", 2, false, false},
    {"int", 4, true, false},
    {"unsigned int", 4, false, false},
    {"long", 8, true, false},
    {"unsigned long", 8, false, false},
    {"long long", 8, true, false},
    {"unsigned long long", 8, false, false},
    {"_Bool", 1, false, false},
};

constexpr BasicType kFloats[] = {
    {"float", 4, true, false},
    {"double", 8, true, false},
    {"long double", 16, true, false},
    {"float complex", 8, true, false},
    {"double complex", 16, true, false},
    {"long double complex", 32, true, false},
    {"float imaginary", 4, true, false},
    {"double imaginary", 8, true, false},
    {"long double imaginary", 16, true, false},
};

/// Typedefs that every program has (dtrace-language(7), TYPES), and typedefs of the classic D libraries that built-in
/// variables use.
constexpr const char* kSigned64 = "64"; // `long` if it has 64 bits, otherwise `long long`
constexpr const char* kUnsigned64 = "u64";
constexpr const char* kTypedefs[][2] = {
    {"int8_t", "signed char"},
    {"uint8_t", "unsigned char"},
    {"uchar_t", "unsigned char"},
    {"int16_t", "short"},
    {"uint16_t", "unsigned short"},
    {"ushort_t", "unsigned short"},
    {"int32_t", "int"},
    {"uint32_t", "unsigned int"},
    {"uint_t", "unsigned int"},
    {"int64_t", kSigned64},
    {"uint64_t", kUnsigned64},
    {"ulong_t", "unsigned long"},
    {"intptr_t", "long"},
    {"uintptr_t", "unsigned long"},
    {"size_t", "unsigned long"},
    {"ssize_t", "long"},
    {"ptrdiff_t", "long"},
    {"id_t", "int"},
    {"pid_t", "int"},
    {"u_longlong_t", "unsigned long long"},
    {"uid_t", "unsigned int"},
    {"gid_t", "unsigned int"},
    {"dev_t", "unsigned int"},
    {"processorid_t", "int"},
    {"psetid_t", "int"},
    {"chipid_t", "int"},
    {"lgrp_id_t", "int"},
    {"ipaddr_t", "unsigned int"},
    {"boolean_t", "int"},
};

/// Returns whether the type is a signed or unsigned `long`, whose size depends on the data model.
bool is_long(std::string_view name)
{
    return name == "long" || name == "unsigned long";
}

std::string kind_word(TypeKind kind)
{
    switch (kind) {
    case TypeKind::Struct:
        return "struct ";
    case TypeKind::Union:
        return "union ";
    case TypeKind::Enum:
        return "enum ";
    default:
        return {};
    }
}

std::string base_name(const Type* type)
{
    switch (type->kind) {
    case TypeKind::Void:
        return "void";
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
        return kind_word(type->kind) + (type->name.empty() ? "(anon)" : type->name);
    case TypeKind::String:
        return "string";
    case TypeKind::Stack:
        return "stack";
    case TypeKind::SymAddr:
        return "_symaddr";
    case TypeKind::UserSymAddr:
        return "_usymaddr";
    case TypeKind::Dynamic:
        return "<DYN>";
    default:
        return type->name;
    }
}

std::string parameter_list(const Type* function)
{
    std::string text = "(";
    for (std::size_t i = 0; i < function->parameters.size(); ++i)
        text += (i ? ", " : "") + to_string(function->parameters[i]);
    if (function->variadic)
        text += function->parameters.empty() ? "..." : ", ...";
    return text + ")";
}

bool is_derived(const Type* type)
{
    return type->kind == TypeKind::Pointer || type->kind == TypeKind::Array || type->kind == TypeKind::Function;
}

/// Returns the C declarator of a type around the name or declarator `inner`. Brackets bind tighter than `*`, so a
/// pointer to an array or function needs parentheses.
std::string declare(const Type* type, std::string inner, bool& userland)
{
    while (is_derived(type)) {
        if (type->kind == TypeKind::Pointer) {
            userland |= type->space == AddressSpace::User;
            inner = "*" + inner;
            if (type->target->kind == TypeKind::Array || type->target->kind == TypeKind::Function)
                inner = "(" + inner + ")";
        } else if (type->kind == TypeKind::Array) {
            inner += (inner.empty() || inner.back() == ']' ? "[" : " [") + std::to_string(type->count) + "]";
        } else {
            inner += parameter_list(type);
        }
        type = type->target;
    }
    const std::string base = base_name(type);
    return inner.empty() ? base : base + " " + inner;
}

} // namespace

const std::vector<Member>& Type::members() const
{
    const Type* self = resolve();
    if (!self->completed_ && self->complete) {
        self->completed_ = true;
        self->complete(self->members_, self->enumerators_);
    }
    return self->members_;
}

const std::vector<Enumerator>& Type::enumerators() const
{
    members();
    return resolve()->enumerators_;
}

namespace {

constexpr unsigned kDeepestMember = 16;

void add_numbers(const Type* type, uint64_t offset, std::size_t limit, unsigned depth, std::vector<NumberAt>& found)
{
    type = type->resolve();
    if (type->kind == TypeKind::Array) {
        for (uint64_t i = 0; i < type->count && found.size() <= limit; ++i) {
            const std::size_t before = found.size();
            add_numbers(type->target, offset + i * type->target->resolve()->size, limit, depth + 1, found);
            if (found.size() == before)
                return; // the array contains no numbers or pointers
        }
    } else if (type->is_record()) {
        if (depth >= kDeepestMember)
            return;
        for (const Member& member : type->members())
            if (found.size() <= limit)
                add_numbers(member.type, offset + member.bit_offset / 8, limit, depth + 1, found);
    } else if (type->size != 0) {
        const NumberAt number{offset, static_cast<uint8_t>(std::min<uint64_t>(type->size, UINT8_MAX))};
        // two members of a union may be the same kind of number at the same offset
        if (std::none_of(found.begin(), found.end(), [&](const NumberAt& other) {
                return other.offset == number.offset && other.size == number.size;
            }))
            found.push_back(number);
    }
}

} // namespace

std::vector<NumberAt> numbers_of(const Type* type, std::size_t limit)
{
    std::vector<NumberAt> found;
    add_numbers(type, 0, limit, 0, found);
    std::sort(found.begin(), found.end(), [](const NumberAt& a, const NumberAt& b) {
        return std::pair(a.offset, a.size) < std::pair(b.offset, b.size);
    });
    return found;
}

const Type* Type::resolve() const
{
    if (kind != TypeKind::Typedef)
        return this;
    const Type* type = resolved_ ? resolved_ : target;
    while (type && type->kind == TypeKind::Typedef)
        type = type->resolved_ ? type->resolved_ : type->target;
    if (!type)
        return this;  // the typedef is incomplete: its target is not known yet
    resolved_ = type; // stored, so that the next call does not follow the chain of typedefs again
    return type;
}

std::string to_string(const Type* type)
{
    if (!type)
        return "(unknown)";
    bool userland = false;
    std::string text = declare(type, {}, userland);
    return userland ? "userland " + text : text;
}

TypeTable::TypeTable(uint64_t strsize, DataModel model) : model_(model)
{
    const bool ilp32 = model == DataModel::Ilp32;
    void_ = make(TypeKind::Void, "void");
    named_["void"] = void_;
    for (const BasicType& basic : kIntegers) {
        Type* type = make(TypeKind::Integer, basic.name);
        type->size = ilp32 && is_long(basic.name) ? 4 : basic.size;
        type->is_signed = basic.is_signed;
        type->is_char = basic.is_char;
        named_[basic.name] = type;
    }
    for (const BasicType& basic : kFloats) {
        Type* type = make(TypeKind::Float, basic.name);
        type->size = basic.size;
        type->is_signed = true;
        named_[basic.name] = type;
    }
    const char* by_width[4][2] = {{"unsigned char", "char"},
                                  {"unsigned short", "short"},
                                  {"unsigned int", "int"},
                                  {ilp32 ? "unsigned long long" : "unsigned long", ilp32 ? "long long" : "long"}};
    for (int width = 0; width < 4; ++width)
        for (int sign = 0; sign < 2; ++sign)
            integers_[width][sign] = named_[by_width[width][sign]];

    const auto special = [this](TypeKind kind, const char* name, uint64_t size) {
        Type* type = make(kind, name);
        type->size = size;
        named_[name] = type;
        return type;
    };
    string_ = special(TypeKind::String, "string", strsize + 1);
    strings_[strsize + 1] = string_;
    stack_ = special(TypeKind::Stack, "stack", 8);
    special(TypeKind::SymAddr, "_symaddr", 8);
    special(TypeKind::UserSymAddr, "_usymaddr", 16);
    dynamic_ = make(TypeKind::Dynamic, "<DYN>");
    named_["dt_stack_t"] = stack_;

    for (const auto& [name, target] : kTypedefs) {
        Type* type = make(TypeKind::Typedef, name);
        const std::string_view text = target;
        type->target = text == kSigned64 ? integers_[3][1] : text == kUnsigned64 ? integers_[3][0] : named_[target];
        type->size = type->target->size;
        named_[name] = type;
    }
}

bool TypeTable::set_strsize(uint64_t strsize)
{
    if (string_->size == strsize + 1)
        return true;
    if (has_laid_out_string_)
        return false;
    strings_.erase(string_->size);
    string_->size = strsize + 1;
    strings_[strsize + 1] = string_;
    return true;
}

const Type* TypeTable::integer(unsigned bytes, bool is_signed) const
{
    const int width = bytes <= 1 ? 0 : bytes == 2 ? 1 : bytes <= 4 ? 2 : 3;
    return integers_[width][is_signed ? 1 : 0];
}

const Type* TypeTable::named(std::string_view name) const
{
    const auto found = named_.find(name);
    return found == named_.end() ? nullptr : found->second;
}

const Type* TypeTable::string_of(uint64_t size)
{
    size = std::min(std::max<uint64_t>(size, 1), string_->size);
    const Type*& known = strings_[size];
    if (!known) {
        Type* type = make(TypeKind::String, "string");
        type->size = size;
        known = type;
    }
    return known;
}

const Type* TypeTable::pointer_to(const Type* target, AddressSpace space)
{
    return pointer_to(target, space, model_ == DataModel::Ilp32 && space != AddressSpace::Scratch ? 4 : 8);
}

const Type* TypeTable::pointer_to(const Type* target, AddressSpace space, uint64_t size)
{
    const Type*& known = pointers_[{target, space, size}];
    if (!known) {
        Type* type = make(TypeKind::Pointer);
        type->size = size;
        type->target = target;
        type->space = space;
        known = type;
    }
    return known;
}

const Type* TypeTable::array_of(const Type* element, uint64_t count)
{
    const Type*& known = arrays_[{element, count}];
    if (!known) {
        lay_out(element);
        Type* type = make(TypeKind::Array);
        type->target = element;
        type->count = count;
        type->size = element->resolve()->size * count;
        known = type;
    }
    return known;
}

Type* TypeTable::make(TypeKind kind, std::string name)
{
    Type& type = types_.emplace_back();
    type.kind = kind;
    type.name = std::move(name);
    return &type;
}

} // namespace dt
