// Converts specifiers and declarators to types, lays out structs, unions and enums, and declares variables, typedefs
// and functions (dtrace-errors(7), DECLARATIONS).
#include <algorithm>

#include "dcompiler/interface/foreign_names.hpp"
#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

namespace {

using ast::BaseKind;
using ast::DeclPart;

bool is_integer_base(BaseKind base)
{
    return base == BaseKind::None || base == BaseKind::Int || base == BaseKind::Char;
}

std::string integer_name(const ast::DeclSpec& spec)
{
    const std::string sign = spec.is_unsigned ? "unsigned " : "";
    if (spec.base == BaseKind::Char)
        return spec.is_signed ? "signed char" : sign + "char";
    return sign + (spec.is_short ? "short" : spec.longs >= 2 ? "long long" : spec.longs == 1 ? "long" : "int");
}

void check_attributes(Checker& checker, const ast::DeclSpec& spec)
{
    const bool sized = spec.longs != 0 || spec.is_short;
    const bool sign = spec.is_signed || spec.is_unsigned;
    if (spec.base == BaseKind::Char && sized)
        checker.reports.fail("D_DECL_CHARATTR", spec.at,
                             "invalid type declaration: short and long may not be used with char type");
    if (spec.base == BaseKind::Void && (sized || sign))
        checker.reports.fail("D_DECL_VOIDATTR", spec.at,
                             "invalid type declaration: attributes may not be used with void type");
    if (sign && !is_integer_base(spec.base))
        checker.reports.fail("D_DECL_SIGNINT", spec.at,
                             "invalid type declaration: signed and unsigned may only be used with integer type");
    const bool arithmetic = is_integer_base(spec.base) || spec.base == BaseKind::Float || spec.base == BaseKind::Double;
    if (sized && !arithmetic)
        checker.reports.fail(
            "D_DECL_LONGINT", spec.at,
            "invalid type declaration: long and long long may only be used with integer or floating-point type");
    const bool odd = (spec.longs && spec.is_short) || spec.longs > 2 || (spec.base == BaseKind::Float && sized) ||
                     (spec.base == BaseKind::Double && (spec.is_short || spec.longs > 1)) ||
                     (spec.is_signed && spec.is_unsigned);
    if (odd)
        checker.reports.fail("D_UNKNOWN", spec.at, "failed to resolve type: no such combination of attributes");
}

/// Returns the kind and type of a variable for an error about its redeclaration: "scalar int" or "associative array int
/// [string]".
std::string described(const Type* type, const std::vector<const Type*>& keys)
{
    if (type->resolve()->kind == TypeKind::Function)
        return "function " + dt::to_string(type);
    std::string text = (keys.empty() ? "scalar " : "associative array ") + dt::to_string(type);
    if (keys.empty())
        return text;
    text += " [";
    for (std::size_t i = 0; i < keys.size(); ++i)
        text += (i ? ", " : "") + dt::to_string(keys[i]);
    return text + "]";
}

std::string described(const Global& known)
{
    switch (known.kind) {
    case Global::Kind::Builtin:
        return known.builtin->is_array() ? "associative array" : "scalar " + std::string(known.builtin->type);
    case Global::Kind::Subroutine:
        return "function " + std::string(known.subroutine->prototype);
    case Global::Kind::Action:
        return "tracing function " + std::string(known.action->prototype);
    case Global::Kind::AggFunction:
        return "aggregating function " + std::string(known.agg_function->prototype);
    case Global::Kind::Variable:
        return described(known.variable->type, known.variable->keys);
    case Global::Kind::Inline:
        return (known.definition->parameters.empty() ? "scalar " : "associative array ") +
               dt::to_string(known.definition->type);
    case Global::Kind::Function:
        return "function " + dt::to_string(known.type);
    case Global::Kind::Constant:
    case Global::Kind::External:
        break;
    }
    return "scalar " + dt::to_string(known.type);
}

bool is_built_in_function(const Global& known)
{
    return known.kind == Global::Kind::Subroutine || known.kind == Global::Kind::Action ||
           known.kind == Global::Kind::AggFunction;
}

bool is_incomplete(Checker& checker, const Type* type)
{
    type = type->resolve();
    while (type->kind == TypeKind::Array)
        type = type->target->resolve();
    return (type->is_record() && !checker.names.complete_record(type)) ||
           (type->kind == TypeKind::Enum && type->incomplete);
}

} // namespace

bool in_header(const Span& at)
{
    return at.file && at.source->kind == Source::Kind::Script;
}

const Type* Declarations::spec_type(const ast::DeclSpec& spec)
{
    check_attributes(checker, spec);
    switch (spec.base) {
    case BaseKind::Void:
        return types.void_type();
    case BaseKind::Bool:
        return types.named("_Bool");
    case BaseKind::Float:
        return types.named("float");
    case BaseKind::Double:
        return types.named(spec.longs ? "long double" : "double");
    case BaseKind::String:
        return types.string();
    case BaseKind::Struct:
    case BaseKind::Union:
        return record_type(spec);
    case BaseKind::Enum:
        if (const Type* const made = enum_type(spec); !made->incomplete || !here.in_provider)
            return made;
        return types.named("int"); // for an enum that only the traced program defines, int is used
    case BaseKind::Named:
        if (const Type* known = checker.names.find_typedef(spec.name))
            return known;
        if (here.in_provider)
            return checker.declared.foreign(spec.name);
        fail(here.unknown_type_tag, spec.at, "failed to resolve type " + spec.name + ": Unknown type name",
             std::string(foreign_name(ForeignKind::Type, spec.name)));
    default:
        return types.named(integer_name(spec));
    }
}

const Type* Declarations::array_part(const Type* element, const DeclPart& part)
{
    if (element->resolve()->kind == TypeKind::Void)
        fail("D_DECL_VOIDOBJ", part.at, "array elements may not be of type void");
    if (is_incomplete(checker, element) && !here.external)
        fail("D_DECL_INCOMPLETE", part.at, "array elements may not be of incomplete type " + dt::to_string(element));
    if (!part.size && (here.external || here.in_provider || in_header(part.at)))
        // An array may have no size if it is defined elsewhere, if it is the flexible array at the end of a C struct,
        // or if it is a parameter.
        return types.array_of(element, 0);
    if (!part.size)
        fail("D_DECL_ARRNULL", part.at, "array declaration requires array dimension or tuple signature");
    const auto count = constant(*part.size);
    if (count == 0 && in_header(part.at))
        return types.array_of(element, 0); // flexible array in the form of GNU C: [0]
    if (!count || *count <= 0)
        fail("D_DECL_ARRSUB", part.at, "positive integer constant expected as array dimension");
    if (*count > UINT32_MAX)
        fail("D_DECL_ARRBIG", part.at, "maximum dimension of an array is 4294967295");
    if (element->resolve()->size > kMaxTypeBytes / static_cast<uint64_t>(*count))
        fail("D_DECL_ARRBIG", part.at, "an array may have " + std::to_string(kMaxTypeBytes) + " bytes at most");
    return types.array_of(element, static_cast<uint64_t>(*count));
}

/// Rejects stacks as members or elements of other types: their number of frames depends on options and is unknown until
/// tracing starts.
void Declarations::refuse_stack(const Span& at, std::string_view use)
{
    fail("D_DECL_DYNOBJ", at, "dt_stack_t may not be " + std::string(use) + ": its size depends on options",
         "keep it in a variable or an associative array of its own");
}

const Type* Declarations::declarator_type(const Type* base, const ast::Declarator& declarator, std::size_t first)
{
    const Type* type = base;
    for (std::size_t i = declarator.parts.size(); i-- > first;) {
        const DeclPart& part = declarator.parts[i];
        if (type->resolve()->kind == TypeKind::Stack && part.kind != DeclPart::Kind::Function)
            refuse_stack(declarator.at, part.kind == DeclPart::Kind::Pointer ? "pointed to" : "an array element");
        switch (part.kind) {
        case DeclPart::Kind::Pointer:
            type = types.pointer_to(type, here.userland ? AddressSpace::User : AddressSpace::Kernel);
            break;
        case DeclPart::Kind::Array:
            type = array_part(type, part);
            break;
        case DeclPart::Kind::Associative:
            fail("D_DECL_DYNOBJ", part.at, "cannot have an associative array inside another type: " + declarator.name);
        case DeclPart::Kind::Function: {
            const std::vector<const Type*> parameters = parameter_types(part.parameters, part.variadic, false);
            Type* function = types.make(TypeKind::Function);
            function->target = type;
            function->parameters = parameters;
            function->variadic = part.variadic;
            type = function;
            break;
        }
        }
    }
    return type;
}

const Type* Declarations::type_name(const ast::TypeName& name, std::string_view unknown_tag)
{
    const std::string_view outer = std::exchange(here.unknown_type_tag, unknown_tag);
    const Type* base = spec_type(*name.spec);
    here.unknown_type_tag = outer;
    const bool outer_space = std::exchange(here.userland, name.spec->is_userland);
    const Type* type = name.declarator ? declarator_type(base, *name.declarator) : base;
    here.userland = outer_space;
    return type;
}

std::vector<const Type*> Declarations::parameter_types(const std::vector<ast::Parameter>& parameters, bool variadic,
                                                       bool is_key_list, bool may_repeat_names)
{
    std::vector<const Type*> found;
    std::set<std::string> names;
    if (variadic && is_key_list)
        fail("D_DECL_PROTO_VARARGS", parameters.empty() ? Span{} : parameters.back().at,
             "associative array prototype may not be variadic");
    for (const ast::Parameter& parameter : parameters) {
        if (parameter.spec->storage != ast::StorageClass::None &&
            parameter.spec->storage != ast::StorageClass::Register)
            fail("D_DECL_PARMCLASS", parameter.at,
                 "only register storage class can be used in a parameter declaration");
        for (const DeclPart& part : parameter.declarator->parts)
            if (part.kind == DeclPart::Kind::Associative)
                fail("D_DECL_PROTO_TYPE", parameter.at,
                     "parameter may not be an associative array: " + parameter.declarator->name);
        const Type* type = declarator_type(spec_type(*parameter.spec), *parameter.declarator);
        const std::string& name = parameter.declarator->name;
        if (type->resolve()->kind == TypeKind::Void) {
            if (is_key_list)
                fail("D_DECL_PROTO_TYPE", parameter.at, "parameter may not be of type void");
            if (!name.empty())
                fail("D_DECL_PROTO_NAME", parameter.at, "parameter of type void may not have a name: " + name);
            if (parameters.size() > 1)
                fail("D_DECL_PROTO_VOID", parameter.at, "void must be the only parameter");
            return {};
        }
        if (is_incomplete(checker, type))
            fail("D_DECL_PROTO_TYPE", parameter.at, "parameter may not be of incomplete type " + dt::to_string(type));
        if (!name.empty() && !names.insert(name).second && !may_repeat_names)
            fail("D_DECL_PROTO_FORM", parameter.at, "parameter name used more than once: " + name);
        if (type->resolve()->kind == TypeKind::Array && !is_key_list)
            type = types.pointer_to(type->resolve()->target);
        found.push_back(type);
    }
    return found;
}

void Declarations::declare(const ast::Declaration& declaration)
{
    using Storage = ast::StorageClass;
    const ast::DeclSpec& spec = *declaration.spec;
    here.unknown_type_tag = "D_SYNTAX";
    if (spec.storage == Storage::Auto || spec.storage == Storage::Register || spec.storage == Storage::Static)
        fail("D_DECL_BADCLASS", spec.at, "specified storage class not appropriate in D");
    const Type* base = spec_type(spec);
    if (declaration.declarators.empty()) {
        const bool names_tag =
            spec.base == BaseKind::Struct || spec.base == BaseKind::Union || spec.base == BaseKind::Enum;
        if (!names_tag || (spec.storage != Storage::None && spec.storage != Storage::Typedef))
            fail("D_DECL_USELESS", spec.at, "useless declaration: it declares no name");
        return;
    }
    for (const ast::Declarator* declarator : declaration.declarators) {
        if (declarator->name.find('`') != std::string::npos)
            fail("D_DECL_SCOPE", declarator->at,
                 "D scoping operator may not be used in a declaration name (" + declarator->name + ")");
        here.external = false; // reset here, because an earlier declaration may have failed and left the flags set
        here.userland = spec.is_userland;
        if (spec.storage == Storage::Typedef)
            declare_typedef(spec, *declarator, base);
        else
            declare_object(spec, *declarator, base);
        here.userland = false;
    }
}

void Declarations::declare_typedef(const ast::DeclSpec&, const ast::Declarator& declarator, const Type* base)
{
    const Type* target = declarator_type(base, declarator);
    const Global* global = checker.names.find_fixed_global(declarator.name);
    if (in_header(declarator.at) && checker.names.find_typedef_of_program(declarator.name))
        return;
    if (global || checker.names.find_fixed_typedef(declarator.name))
        fail("D_DECL_IDRED", declarator.at,
             "identifier redeclared: " + declarator.name + "\n\t current: typedef " + dt::to_string(target) +
                 "\n\tprevious: " + (global ? described(*global) : "typedef"));
    Type* made = types.make(TypeKind::Typedef, declarator.name);
    made->target = target;
    made->size = target->resolve()->size;
    made->is_user_defined = true;
    checker.names.define_typedef(declarator.name, made);
}

void Declarations::declare_object(const ast::DeclSpec& spec, const ast::Declarator& declarator, const Type* base)
{
    using Storage = ast::StorageClass;
    const std::string& name = declarator.name;
    const Scope scope = spec.storage == Storage::Self   ? Scope::Self
                        : spec.storage == Storage::This ? Scope::This
                                                        : Scope::Global;
    std::vector<const Type*> keys;
    std::size_t first = 0;
    if (!declarator.parts.empty() && declarator.parts.front().kind == DeclPart::Kind::Associative) {
        const DeclPart& part = declarator.parts.front();
        if (part.parameters.empty() && !part.variadic)
            fail("D_DECL_ARRNULL", part.at, "array declaration requires array dimension or tuple signature: " + name);
        keys = parameter_types(part.parameters, part.variadic, true);
        if (scope == Scope::This)
            fail("D_DECL_LOCASSC", declarator.at, "associative arrays may not be declared as local variables: " + name);
        first = 1;
    }
    here.external = spec.storage == Storage::Extern;
    const Type* type = declarator_type(base, declarator, first);
    const bool defined_elsewhere = std::exchange(here.external, false);
    const TypeKind kind = type->resolve()->kind;
    if (kind == TypeKind::Void)
        fail("D_DECL_VOIDOBJ", declarator.at, "cannot have void object: " + name);
    if (kind != TypeKind::Function && !defined_elsewhere && is_incomplete(checker, type))
        fail("D_DECL_INCOMPLETE", declarator.at, "incomplete struct/union/enum " + dt::to_string(type) + ": " + name);
    const bool external = spec.storage == Storage::Extern || kind == TypeKind::Function;
    if (!external) {
        declare_variable(scope, declarator, type, std::move(keys));
        return;
    }
    if (const Global* known = checker.names.find_fixed_global(name)) {
        const bool same = (known->kind == Global::Kind::Function || known->kind == Global::Kind::External) &&
                          checker.values.compatible(known->type, type);
        const bool own =
            known->kind == Global::Kind::Variable && checker.values.compatible(known->variable->type, type);
        if (kind == TypeKind::Function && is_built_in_function(*known))
            return; // a built-in function of this name keeps its meaning
        if (!same && !own && (known->from_program || !in_header(declarator.at)))
            fail("D_DECL_IDRED", declarator.at,
                 "identifier redeclared: " + name + "\n\t current: " + described(type, keys) +
                     "\n\tprevious: " + described(*known));
        return;
    }
    Global global;
    global.kind = kind == TypeKind::Function ? Global::Kind::Function : Global::Kind::External;
    global.name = name;
    global.type = type;
    global.at = declarator.at;
    checker.names.define_global(std::move(global));
}

void Declarations::declare_variable(Scope scope, const ast::Declarator& declarator, const Type* type,
                                    std::vector<const Type*> keys)
{
    const std::string& name = declarator.name;
    const auto refuse = [&](const std::string& previous) {
        fail("D_DECL_IDRED", declarator.at,
             "identifier redeclared: " + name + "\n\t current: " + described(type, keys) + "\n\tprevious: " + previous);
    };
    const Variable* known = scope == Scope::Global ? nullptr : checker.names.find_variable_of(scope, name);
    if (scope == Scope::Global) {
        if (checker.names.find_fixed_typedef(name))
            refuse("typedef");
        const Global* const global = checker.names.find_fixed_global(name);
        if (global && global->kind != Global::Kind::Variable)
            refuse(described(*global));
        known = global ? global->variable : nullptr;
    }
    if (known) {
        bool same = known->type->resolve() == type->resolve() && known->keys.size() == keys.size();
        for (std::size_t i = 0; same && i < keys.size(); ++i)
            same = checker.values.compatible(known->keys[i], keys[i]);
        if (!same)
            refuse(described(known->type, known->keys));
        return;
    }
    checker.names.create_variable(scope, name, type, std::move(keys), declarator.at);
}

// Lays out structs, unions and enums of a program as the platform's C compiler does (System V ABI, also for
// bit-fields).

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

/// Assigns positions to members: one after the other or, in a union, at offset 0. Positions are in bits.
class Layout {
public:
    explicit Layout(bool is_union) : union_(is_union) {}

    void member(const std::string& name, const Type* type)
    {
        const uint64_t align = alignment(type) * 8;
        place(name, type, round_up(union_ ? 0 : next_, align), type->resolve()->size * 8, 0);
        align_ = std::max(align_, align);
    }

    /// Assigns a position to a bit-field. It must not cross a boundary between units of its type; width 0 (unnamed)
    /// starts a new unit.
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
            if (layout.size() > kMaxTypeBytes)
                fail("D_DECL_ARRBIG", declarator->at,
                     dt::to_string(record) + " would have more than " + std::to_string(kMaxTypeBytes) +
                         " bytes with its member " + name);
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

/// Makes the members of an anonymous struct or union members of the enclosing one (C11, 6.7.2.1).
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
    std::set<std::string_view> names; // a set, because searching a list of a hundred thousand names would be slow
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
