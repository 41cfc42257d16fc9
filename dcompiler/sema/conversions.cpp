// Determines which types are compatible, and inserts Cast nodes.
//
// Operators work on 64 bits for all operand types (dtrace-language(7), NUMBERS AND TYPES), so a result may exceed its
// type. It is truncated when it is stored, cast, passed or used as a key: convert() inserts a Cast there, and lowering
// needs no conversion rules.
#include <algorithm>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

int64_t canonical(int64_t value, const Type* type)
{
    type = type->resolve();
    if (type->kind != TypeKind::Integer && type->kind != TypeKind::Enum)
        return value;
    switch (type->size) {
    case 1:
        return type->is_signed ? int64_t{static_cast<int8_t>(value)} : int64_t{static_cast<uint8_t>(value)};
    case 2:
        return type->is_signed ? int64_t{static_cast<int16_t>(value)} : int64_t{static_cast<uint16_t>(value)};
    case 4:
        return type->is_signed ? int64_t{static_cast<int32_t>(value)} : int64_t{static_cast<uint32_t>(value)};
    default:
        return value;
    }
}

/// Returns whether the 64-bit result certainly fits its type.
static bool fits_its_type(const TExpr* value)
{
    if (!value->type->is_integer() || value->type->resolve()->size >= 8)
        return true;
    switch (value->op) {
    case TOp::Variable:
        return value->variable->stored->resolve()->size < 8;
    case TOp::Assign:
        return fits_its_type(value->kids[0]);
    case TOp::Negate:
    case TOp::BitNot:
    case TOp::Multiply:
    case TOp::Divide:
    case TOp::Modulo:
    case TOp::Add:
    case TOp::Subtract:
    case TOp::ShiftLeft:
    case TOp::ShiftRight:
    case TOp::BitAnd:
    case TOp::BitOr:
    case TOp::BitXor:
    case TOp::Conditional:
    case TOp::Comma:
        return false;
    default:
        return true;
    }
}

bool is_null_constant(const TExpr* value)
{
    return value->op == TOp::Integer && value->value == 0 && (value->type->is_integer() || value->type->is_pointer());
}

bool is_char_array(const Type* type)
{
    type = type->resolve();
    return type->kind == TypeKind::Array && type->target->resolve()->is_char;
}

bool is_string_compatible(const Type* type)
{
    type = type->resolve();
    return type->kind == TypeKind::String || is_char_array(type) ||
           (type->kind == TypeKind::Pointer && type->target->resolve()->is_char);
}

std::string text_hint(const Type* type, const TExpr* value)
{
    if (type->is_pointer() && is_string_compatible(type))
        return type->resolve()->space == AddressSpace::User ? "it is a user address: copy it in with copyinstr()"
                                                            : "read the text with stringof()";
    if (value && value->op == TOp::Integer && value->at.source && value->at.offset < value->at.source->text.size() &&
        value->at.source->text[value->at.offset] == '\'')
        return "a string takes double quotes";
    if (!type->is_integer() || type->resolve()->size != 8 || (value && value->op == TOp::Integer))
        return {};
    const BuiltinVariable* builtin = value ? value->builtin : nullptr;
    if (builtin && builtin->type != "int64_t") // a time or another typed number, not a raw argument
        return {};
    const std::string name = builtin ? std::string(builtin->name) : "";
    return "if it is the address of a text: copyinstr(" + name + ") where a user program has it, stringof(" + name +
           ") where the kernel has";
}

bool is_lvalue(const TExpr* value)
{
    switch (value->op) {
    case TOp::Variable:
    case TOp::Builtin:
    case TOp::KernelSymbol:
    case TOp::Deref:
    case TOp::Index:
        return true;
    case TOp::Member:
        return is_lvalue(value->kids[0]);
    default:
        return false;
    }
}

TExpr* Values::node(TOp op, const Type* type, const Span& at, std::vector<TExpr*> kids)
{
    TExpr* made = program.expr();
    made->op = op;
    made->type = type;
    made->at = checker.reports.placed(at);
    made->kids = std::move(kids);
    return made;
}

TExpr* Values::integer(int64_t value, const Type* type, const Span& at)
{
    TExpr* made = node(TOp::Integer, type, at);
    made->value = canonical(value, type);
    return made;
}

TExpr* Values::convert(TExpr* value, const Type* type)
{
    const Type* to = type->resolve();
    if (value->op == TOp::Integer && value->type->is_scalar() && type->is_scalar())
        return integer(value->value, type, value->at);
    if (value->type == type && fits_its_type(value))
        return value;
    TExpr* made = node(TOp::Cast, type, value->at, {value});
    made->scratch = value->scratch && (to->kind == TypeKind::Pointer || to->size == 8); // an integer of that size still
                                                                                        // holds the whole address
    if (made->scratch && type->is_pointer())
        made->type = types.pointer_to(to->target, AddressSpace::Scratch);
    return made;
}

TExpr* Values::folded(int64_t value, const Type* type, const Span& at)
{
    TExpr* made = node(TOp::Integer, type, at);
    made->value = value;
    return made;
}

/// Returns the pointer inside `string + integer`, or null. A pointer to the text itself is needed there instead of a
/// copy.
TExpr* Values::text_pointer(TExpr* value)
{
    const bool moved = value->op == TOp::StringOf && value->kids[0]->op == TOp::PointerAdd;
    return moved && value->kids[0]->scratch ? value->kids[0] : nullptr;
}

TExpr* Values::decay(TExpr* value)
{
    const Type* type = value->type->resolve();
    if (type->kind != TypeKind::Array)
        return value;
    const TExpr* root = value;
    while (root->op == TOp::Member || root->op == TOp::Index)
        root = root->kids[0];
    const bool own = root->op == TOp::Variable || root->scratch || (root->op == TOp::Deref && root->kids[0]->scratch);
    AddressSpace space = AddressSpace::Kernel;
    if (own)
        space = AddressSpace::Scratch;
    else if (root->op == TOp::Deref && root->kids[0]->type->is_pointer())
        space = root->kids[0]->type->resolve()->space;
    TExpr* made = node(TOp::AddressOf, types.pointer_to(type->target, space, 8), value->at, {value});
    made->scratch = own;
    return made;
}

TExpr* Values::to_string_value(TExpr* value)
{
    const Type* type = value->type->resolve();
    if (type->kind == TypeKind::String)
        return value;
    if (is_null_constant(value)) {
        TExpr* null = node(TOp::Integer, types.string(), value->at);
        return null;
    }
    const Type* result = type->kind == TypeKind::Array ? types.string_of(type->count + 1) : types.string();
    return node(TOp::StringOf, result, value->at, {value});
}

const Type* Values::usual_type(const Type* a, const Type* b)
{
    const auto promoted = [this](const Type* type) {
        return type->resolve()->kind == TypeKind::Enum ? types.named("int") : type;
    };
    const auto rank = [](const Type* type) { return type->resolve()->size * 8 + (type->resolve()->is_signed ? 0 : 1); };
    a = promoted(a);
    b = promoted(b);
    return rank(a) >= rank(b) ? a : b;
}

bool Values::compatible(const Type* a, const Type* b)
{
    a = a->resolve();
    b = b->resolve();
    while (a->kind == TypeKind::Pointer && b->kind == TypeKind::Pointer) {
        a = a->target->resolve();
        b = b->target->resolve();
    }
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TypeKind::Integer:
        return a->size == b->size && a->is_signed == b->is_signed;
    case TypeKind::Array:
        return a->count == b->count && compatible(a->target, b->target);
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Enum:
        return !a->name.empty() && a->name == b->name && (a->incomplete || b->incomplete || a->size == b->size);
    case TypeKind::Function:
        return true; // all function types are compatible
    case TypeKind::Float:
        return a->name == b->name;
    default:
        return true; // strings of any length, stacks, symbol addresses, void
    }
}

bool Values::pointer_compatible(const TExpr* a, const TExpr* b)
{
    const bool a_pointer = a->type->is_pointer();
    const bool b_pointer = b->type->is_pointer();
    if (!a_pointer && !b_pointer)
        return false;
    if (!a_pointer || !b_pointer)
        return is_null_constant(a_pointer ? b : a);
    if (is_null_constant(a) || is_null_constant(b))
        return true;
    const Type* left = a->type->resolve();
    const Type* right = b->type->resolve();
    if ((left->space == AddressSpace::User) != (right->space == AddressSpace::User))
        return false;
    return left->target->resolve()->kind == TypeKind::Void || right->target->resolve()->kind == TypeKind::Void ||
           compatible(left, right);
}

TExpr* Values::argument(TExpr* value, const Type* type)
{
    const Type* to = type->resolve();
    const Type* from = value->type->resolve();
    if (from->kind == TypeKind::Dynamic || from->kind == TypeKind::Void)
        return nullptr;
    if (to->kind == TypeKind::String) {
        if (is_string_compatible(from) || (is_null_constant(value) && from->kind != TypeKind::Pointer))
            return to_string_value(value);
        return is_null_constant(value) && from->target->resolve()->kind == TypeKind::Void ? to_string_value(value)
                                                                                          : nullptr;
    }
    if (value->type->is_integer() && type->is_integer())
        return convert(value, type);
    if (to->kind == TypeKind::Pointer) {
        if (from->kind == TypeKind::String &&
            (is_string_compatible(to) || to->target->resolve()->kind == TypeKind::Void))
            return text_pointer(value) ? text_pointer(value) : node(TOp::Cast, type, value->at, {value});
        TExpr* pointer = decay(value);
        TExpr probe;
        probe.type = type;
        probe.op = TOp::Variable;
        if (!pointer_compatible(pointer, &probe))
            return nullptr;
        return pointer->type->is_pointer() && pointer->op != TOp::Integer ? pointer : convert(pointer, type);
    }
    return compatible(from, to) ? value : nullptr;
}

const Type* Values::value_type(const TExpr* value)
{
    const Type* type = value->type->resolve();
    if (type->kind == TypeKind::String)
        return types.string();
    return value->type;
}

DynamicValue* Values::dynamic(const TExpr* value)
{
    const auto found = dynamic_.find(value);
    return found == dynamic_.end() ? nullptr : &found->second;
}

std::string Values::aggregation_hint(const TExpr* a, const TExpr* b)
{
    for (const TExpr* value : {a, b})
        if (const DynamicValue* object = dynamic(value); object && object->aggregation)
            return "an aggregation has no value in a clause: printa(@" +
                   (object->aggregation->name == "_" ? "" : object->aggregation->name) + ") prints it";
    return {};
}

TExpr* Values::dynamic_node(DynamicValue value, const Span& at)
{
    TExpr* made = node(TOp::Integer, types.dynamic(), at);
    dynamic_[made] = value;
    return made;
}

} // namespace dt::sema
