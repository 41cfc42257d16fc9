// Checks binary operators, comparisons, the conditional and the comma (dtrace-errors(7), OPERATORS), and folds
// constants. Also warns about code that is right on other systems but silently gives wrong results on Linux.
//
// Operators work on 64 bits for all types, but an unsigned int must never be negative. So for unsigned ints, the
// results of - and ~, and sums that contain such results, are truncated to 32 bits. Operands that may be negative are
// converted to unsigned int before an unsigned int comparison, division or bitwise operation. The constant folder and
// compiled code both do this, so -1u is always 4294967295. Sums of unsigned ints, products and << keep 64 bits, because
// scripts compute nanoseconds and bytes that way. So do results that are computed from 64-bit variables.
#include <algorithm>

#include "dcompiler/sema/checker/checker.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::sema {

/// Warns about a comparison of a system call's result with -1 by == or !=; only once per program.
void note_comparison(Checker& checker, const TExpr* a, const TExpr* b, const Span& at);

namespace {

using Op = ast::Operator;

struct OperatorEntry {
    Op op;
    const char* spelling;
    TOp typed;
};
constexpr OperatorEntry kOperators[] = {
    {Op::Plus, "+", TOp::Add},
    {Op::Minus, "-", TOp::Subtract},
    {Op::Star, "*", TOp::Multiply},
    {Op::Slash, "/", TOp::Divide},
    {Op::Percent, "%", TOp::Modulo},
    {Op::Ampersand, "&", TOp::BitAnd},
    {Op::Pipe, "|", TOp::BitOr},
    {Op::Caret, "^", TOp::BitXor},
    {Op::Tilde, "~", TOp::BitNot},
    {Op::Not, "!", TOp::Not},
    {Op::ShiftLeft, "<<", TOp::ShiftLeft},
    {Op::ShiftRight, ">>", TOp::ShiftRight},
    {Op::Less, "<", TOp::Less},
    {Op::LessEqual, "<=", TOp::LessEqual},
    {Op::Greater, ">", TOp::Greater},
    {Op::GreaterEqual, ">=", TOp::GreaterEqual},
    {Op::Equal, "==", TOp::Equal},
    {Op::NotEqual, "!=", TOp::NotEqual},
    {Op::AndAnd, "&&", TOp::And},
    {Op::OrOr, "||", TOp::Or},
    {Op::XorXor, "^^", TOp::Xor},
    {Op::Increment, "++", TOp::Add},
    {Op::Decrement, "--", TOp::Subtract},
    {Op::Assign, "=", TOp::Assign},
    {Op::AssignAdd, "+=", TOp::Add},
    {Op::AssignSub, "-=", TOp::Subtract},
    {Op::AssignMul, "*=", TOp::Multiply},
    {Op::AssignDiv, "/=", TOp::Divide},
    {Op::AssignMod, "%=", TOp::Modulo},
    {Op::AssignAnd, "&=", TOp::BitAnd},
    {Op::AssignOr, "|=", TOp::BitOr},
    {Op::AssignXor, "^=", TOp::BitXor},
    {Op::AssignShl, "<<=", TOp::ShiftLeft},
    {Op::AssignShr, ">>=", TOp::ShiftRight},
};

const OperatorEntry& entry(Op op)
{
    return *std::find_if(std::begin(kOperators), std::end(kOperators),
                         [op](const OperatorEntry& e) { return e.op == op; });
}

std::string sign_of(TOp op)
{
    return std::find_if(std::begin(kOperators), std::end(kOperators),
                        [op](const OperatorEntry& e) { return e.typed == op; })
        ->spelling;
}

/// Computes `a op b` in 64 bits. The caller has already refused a division by zero.
int64_t fold(TOp op, int64_t a, int64_t b, bool is_signed)
{
    const auto x = static_cast<uint64_t>(a);
    const auto y = static_cast<uint64_t>(b);
    switch (op) {
    case TOp::Add:
        return static_cast<int64_t>(x + y);
    case TOp::Subtract:
        return static_cast<int64_t>(x - y);
    case TOp::Multiply:
        return static_cast<int64_t>(x * y);
    case TOp::Divide:
        return !is_signed ? static_cast<int64_t>(x / y) : b == -1 ? static_cast<int64_t>(-x) : a / b;
    case TOp::Modulo:
        return !is_signed ? static_cast<int64_t>(x % y) : b == -1 ? 0 : a % b;
    case TOp::BitAnd:
        return a & b;
    case TOp::BitOr:
        return a | b;
    case TOp::BitXor:
        return a ^ b;
    case TOp::ShiftLeft:
        return static_cast<int64_t>(x << (y & 63));
    case TOp::ShiftRight:
        return is_signed ? a >> (y & 63) : static_cast<int64_t>(x >> (y & 63));
    case TOp::Equal:
        return a == b;
    case TOp::NotEqual:
        return a != b;
    case TOp::Less:
        return is_signed ? a < b : x < y;
    case TOp::LessEqual:
        return is_signed ? a <= b : x <= y;
    case TOp::Greater:
        return is_signed ? a > b : x > y;
    case TOp::GreaterEqual:
        return is_signed ? a >= b : x >= y;
    default:
        return 0;
    }
}

bool is_unsigned_int(const Type* type)
{
    type = type->resolve();
    return type->kind == TypeKind::Integer && type->size == 4 && !type->is_signed;
}

/// Removes the truncation of an operand if the operand is itself a sum. For a + b + c it is enough to truncate the
/// whole sum.
TExpr* uncut(TExpr* value, const Type* type)
{
    const bool cut = value->op == TOp::Cast && value->type->resolve() == type->resolve() &&
                     value->kids[0]->type->resolve() == type->resolve();
    const bool part = cut && (value->kids[0]->op == TOp::Add || value->kids[0]->op == TOp::Subtract ||
                              value->kids[0]->op == TOp::Negate);
    return part ? value->kids[0] : value;
}

bool is_action(const TExpr* value)
{
    return value->op == TOp::Address && value->type->resolve()->kind != TypeKind::Stack;
}

[[noreturn, gnu::noinline]] void incompatible(Checker& checker, const TExpr* a, const std::string& op, const TExpr* b,
                                              const Span& at)
{
    std::string hint = checker.values.aggregation_hint(a, b);
    if (hint.empty())
        hint = b->type->is_string() ? text_hint(a->type, a) : a->type->is_string() ? text_hint(b->type, b) : "";
    checker.reports.fail("D_OP_INCOMPAT", at,
                         "operands have incompatible types: \"" + dt::to_string(a->type) + "\" " + op + " \"" +
                             dt::to_string(b->type) + "\"",
                         hint);
}

} // namespace

std::string spelled(ast::Operator op)
{
    return entry(op).spelling;
}

TOp typed_operator(ast::Operator op)
{
    return entry(op).typed;
}

bool Operators::is_wide(const TExpr* value) const
{
    if (value->op == TOp::Assign)
        value = value->kids[0];
    if (value->op == TOp::Variable)
        return value->type->is_integer() && value->type->resolve()->size < 8 &&
               value->variable->stored->resolve()->size == 8;
    return wide_.count(value) != 0;
}

bool Operators::wraps_around(const Type* type, const TExpr* a, const TExpr* b) const
{
    return is_unsigned_int(type) && !is_wide(a) && !is_wide(b);
}

TExpr* Operators::unsigned_operand(TExpr* value, const Type* type)
{
    return is_unsigned_int(value->type) ? value : checker.values.convert(value, type);
}

TExpr* Operators::complement(TOp op, TExpr* operand, const Span& at)
{
    const Type* type = operand->type;
    // truncates the result to 32 bits; for unary + the value does not change
    const bool round = op != TOp::Add && wraps_around(type, operand, operand);
    if (operand->op == TOp::Integer) {
        const int64_t value = op == TOp::Add      ? operand->value
                              : op == TOp::Negate ? static_cast<int64_t>(-static_cast<uint64_t>(operand->value))
                                                  : ~operand->value;
        return round ? checker.values.integer(value, type, at) : checker.values.folded(value, type, at);
    }
    TExpr* made = checker.values.node(op, type, at, {operand});
    if (op == TOp::Add) // unary + must yield a value, so an lvalue is converted
        made->kids.push_back(checker.values.integer(0, type, at));
    if (is_wide(operand))
        wide_.insert(made);
    return round ? checker.values.convert(made, type) : made;
}

TExpr* Operators::arithmetic(TOp op, TExpr* a, TExpr* b, const Span& at)
{
    const bool real = op == TOp::Multiply || op == TOp::Divide;
    if (!a->type->is_integer() || !b->type->is_integer())
        fail(real ? "D_OP_ARITH" : "D_OP_INT", at,
             "operator " + sign_of(op) + " requires operands of " + (real ? "arithmetic" : "integral") + " type");
    const bool shift = op == TOp::ShiftLeft || op == TOp::ShiftRight;
    const Type* type =
        shift ? checker.values.usual_type(a->type, a->type) : checker.values.usual_type(a->type, b->type);
    const bool is_signed = type->resolve()->is_signed;
    if ((op == TOp::Divide || op == TOp::Modulo) && b->op == TOp::Integer && b->value == 0)
        fail("D_DIV_ZERO", at, "expression contains division by zero");
    const bool sum = op == TOp::Add || op == TOp::Subtract;
    const bool carries =
        op == TOp::Multiply || shift || (op == TOp::Add && is_unsigned_int(a->type) && is_unsigned_int(b->type));
    const bool round = !carries && wraps_around(type, a, b);
    if (round && !sum) {
        a = unsigned_operand(a, type);
        b = unsigned_operand(b, type);
    }
    if (a->op == TOp::Integer && b->op == TOp::Integer) {
        const int64_t value = fold(op, a->value, b->value, is_signed);
        return round && sum ? checker.values.integer(value, type, at) : checker.values.folded(value, type, at);
    }
    if (round && sum) {
        a = uncut(a, type);
        b = uncut(b, type);
    }
    TExpr* made = checker.values.node(op, type, at, {a, b});
    made->is_signed = is_signed;
    // the sum of an address and an integer is an address, but the difference of two pointers is a number
    made->scratch = type->resolve()->size == 8 && a->scratch != b->scratch;
    if (is_wide(a) || (!shift && is_wide(b)))
        wide_.insert(made);
    return round && sum ? checker.values.convert(made, type) : made;
}

TExpr* Operators::pointer_step(TOp op, TExpr* pointer, TExpr* count, const Span& at)
{
    if (TExpr* moved = checker.values.text_pointer(pointer))
        pointer = moved;
    const Type* type = pointer->type->resolve();
    const Type* target = type->kind == TypeKind::String ? types.named("char") : type->target->resolve();
    if (type->kind == TypeKind::String) {
        pointer = checker.values.node(TOp::Cast, types.pointer_to(target, AddressSpace::Scratch), at, {pointer});
        pointer->scratch = true;
    }
    if (target->incomplete)
        if (const Type* complete = checker.names.complete_record(target))
            target = complete;
    const bool is_signed = count->type->resolve()->is_signed;
    TExpr* made = checker.values.node(TOp::PointerAdd, pointer->type, at,
                                      {pointer, checker.values.convert(count, types.integer(8, is_signed))});
    made->value = op == TOp::Subtract ? -static_cast<int64_t>(target->size) : static_cast<int64_t>(target->size);
    made->scratch = pointer->scratch;
    return made;
}

TExpr* Operators::additive(TOp op, TExpr* a, TExpr* b, const Span& at)
{
    if (a->type->is_integer() && b->type->is_integer())
        return arithmetic(op, a, b, at);
    const auto steps = [](const TExpr* value) {
        const Type* type = value->type->resolve();
        if (type->kind == TypeKind::String)
            return true;
        if (type->kind != TypeKind::Pointer)
            return false;
        const TypeKind target = type->target->resolve()->kind;
        return target != TypeKind::Void && target != TypeKind::Function;
    };
    TExpr* left = checker.values.decay(a);
    TExpr* right = checker.values.decay(b);
    const bool on_left = steps(left) && right->type->is_integer();
    if (on_left || (op == TOp::Add && left->type->is_integer() && steps(right))) {
        TExpr* base = on_left ? left : right;
        TExpr* moved = pointer_step(op, base, on_left ? right : left, at);
        // String + integer is the part of the string from that index on. String - integer is a pointer.
        return base->type->is_string() && op == TOp::Add
                   ? checker.values.node(TOp::StringOf, types.string(), at, {moved})
                   : moved;
    }
    const bool both = left->type->is_pointer() && right->type->is_pointer() && steps(left) && steps(right);
    if (op == TOp::Subtract && both && checker.values.compatible(left->type, right->type) &&
        left->scratch == right->scratch) {
        TExpr* made = checker.values.node(TOp::PointerDistance, types.named("ptrdiff_t"), at, {left, right});
        made->value = static_cast<int64_t>(std::max<uint64_t>(left->type->resolve()->target->resolve()->size, 1));
        return made;
    }
    incompatible(checker, a, sign_of(op), b, at);
}

TExpr* Operators::logical(TOp op, TExpr* a, TExpr* b, const Span& at)
{
    if (!a->type->is_scalar() || !b->type->is_scalar())
        fail("D_OP_SCALAR", at, "operator " + sign_of(op) + " requires operands of scalar type");
    const Type* result = types.named("int");
    if (a->op == TOp::Integer && b->op == TOp::Integer) {
        const bool x = a->value != 0;
        const bool y = b->value != 0;
        return checker.values.integer(op == TOp::And ? x && y : op == TOp::Or ? x || y : x != y, result, at);
    }
    return checker.values.node(op, result, at, {a, b});
}

/// Prepares an operand of a string comparison. Strings have at most strsize characters, so only that many of a longer
/// literal are compared.
TExpr* Operators::compared_text(TExpr* value)
{
    if (value->op != TOp::String || value->text.size() <= options.strsize)
        return checker.values.to_string_value(value);
    TExpr* cut = checker.values.node(TOp::String, types.string(), value->at);
    cut->text = value->text.substr(0, options.strsize);
    return cut;
}

TExpr* Operators::comparison(TOp op, TExpr* a, TExpr* b, const Span& at)
{
    const Type* result = types.named("int");
    if (a->type->is_integer() && b->type->is_integer()) {
        if (op == TOp::Equal || op == TOp::NotEqual)
            note_comparison(checker, a, b, at);
        const Type* type = checker.values.usual_type(a->type, b->type);
        const bool is_signed = type->resolve()->is_signed;
        if (wraps_around(type, a, b)) {
            a = unsigned_operand(a, type);
            b = unsigned_operand(b, type);
        }
        if (a->op == TOp::Integer && b->op == TOp::Integer)
            return checker.values.integer(fold(op, a->value, b->value, is_signed), result, at);
        TExpr* made = checker.values.node(op, result, at, {a, b});
        made->is_signed = is_signed;
        return made;
    }
    const bool a_string = a->type->is_string();
    const bool b_string = b->type->is_string();
    if ((a_string && (is_string_compatible(b->type) || is_null_constant(b))) ||
        (b_string && (is_string_compatible(a->type) || is_null_constant(a))))
        return checker.values.node(op, result, at, {compared_text(a), compared_text(b)});
    const bool equality = op == TOp::Equal || op == TOp::NotEqual;
    const Type* type = a->type->resolve();
    if (type->kind == b->type->resolve()->kind && (a->type->is_record() || type->kind == TypeKind::Stack)) {
        if (!equality || !checker.values.compatible(a->type, b->type))
            incompatible(checker, a, sign_of(op), b, at);
        return checker.values.node(op, result, at, {a, b});
    }
    TExpr* left = checker.values.decay(a);
    TExpr* right = checker.values.decay(b);
    if (!checker.values.pointer_compatible(left, right))
        incompatible(checker, a, sign_of(op), b, at);
    if (left->op == TOp::Integer)
        left = checker.values.convert(left, right->type);
    else
        right = checker.values.convert(right, left->type);
    return checker.values.node(op, result, at, {left, right});
}

TExpr* Operators::kernel_enumerator(const Type* left, const ast::Expr& right)
{
    left = left->resolve();
    if (left->kind != TypeKind::Enum || left->is_user_defined || right.kind != ast::ExprKind::Identifier)
        return nullptr;
    for (const Enumerator& known : left->enumerators()) {
        if (known.name != right.text)
            continue;
        if (Global* global = checker.names.find_global(right.text);
            global && (global->kind == Global::Kind::Variable || global->from_program))
            fail("D_IDENT_AMBIG", right.at,
                 "ambiguous use of variable " + right.text + " and enumerator of " + dt::to_string(left));
        return checker.values.integer(known.value, left, right.at);
    }
    return nullptr;
}

TExpr* Operators::binary_of(Op op, TExpr* a, TExpr* b, const Span& at)
{
    const TOp typed = entry(op).typed;
    switch (op) {
    case Op::Plus:
    case Op::Minus:
        return additive(typed, a, b, at);
    case Op::AndAnd:
    case Op::OrOr:
    case Op::XorXor:
        return logical(typed, a, b, at);
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
        return comparison(typed, a, b, at);
    default:
        return arithmetic(typed, a, b, at);
    }
}

namespace {

bool is_comparison(Op op)
{
    return op == Op::Equal || op == Op::NotEqual || op == Op::Less || op == Op::LessEqual || op == Op::Greater ||
           op == Op::GreaterEqual;
}

} // namespace

// Checks a sum a + b + c + … of any length by a list. The parser makes a tree as deep as the sum is long, so recursion
// could exhaust the stack.
TExpr* Operators::binary_chain(const ast::Expr& e)
{
    std::vector<const ast::Expr*> chain;
    const ast::Expr* leftmost = &e;
    for (; leftmost->kind == ast::ExprKind::Binary; leftmost = leftmost->kids[0])
        chain.push_back(leftmost);
    TExpr* value = checker.expressions.expr(*leftmost);
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
        const ast::Expr& operation = **step;
        const ast::Expr& right = *operation.kids[1];
        TExpr* enumerator = is_comparison(operation.op) ? kernel_enumerator(value->type, right) : nullptr;
        value = binary_of(operation.op, value, enumerator ? enumerator : checker.expressions.expr(right), operation.at);
    }
    return value;
}

TExpr* Operators::conditional(const ast::Expr& e)
{
    TExpr* condition = checker.expressions.expr(*e.kids[0]);
    if (!condition->type->is_scalar())
        fail("D_OP_SCALAR", e.at, "operator ?: requires a condition of scalar type",
             checker.values.aggregation_hint(condition));
    if (condition->op == TOp::Integer)
        // If the condition is constant, D evaluates only one branch. The other branch is not checked.
        return checker.expressions.expr(*e.kids[condition->value ? 1 : 2]);
    TExpr* a = checker.expressions.expr(*e.kids[1]);
    TExpr* b = checker.expressions.expr(*e.kids[2]);
    if (is_action(a) || is_action(b))
        fail("D_OP_ACT", e.at, "tracing functions may not be called from a ?: expression",
             "use if/else, or one clause with a predicate for each case");
    if (a->type->resolve()->kind == TypeKind::Dynamic || b->type->resolve()->kind == TypeKind::Dynamic)
        fail("D_OP_DYN", e.at, "?: operands may not be of dynamic type");
    const Type* type = nullptr;
    bool scratch = false;
    if (a->type->is_integer() && b->type->is_integer()) {
        type = checker.values.usual_type(a->type, b->type);
    } else if ((is_string_compatible(a->type) || is_null_constant(a)) &&
               (is_string_compatible(b->type) || is_null_constant(b)) &&
               !(a->type->is_pointer() && b->type->is_pointer()) &&
               (a->type->is_string() || b->type->is_string() || is_char_array(a->type))) {
        a = checker.values.to_string_value(a);
        b = checker.values.to_string_value(b);
        type = types.string_of(std::max(a->type->resolve()->size, b->type->resolve()->size));
    } else if (TExpr* left = checker.values.decay(a), *right = checker.values.decay(b);
               checker.values.pointer_compatible(left, right)) {
        const bool by_right =
            is_null_constant(left) ||
            (right->type->is_pointer() && right->type->resolve()->target->resolve()->kind == TypeKind::Void &&
             !is_null_constant(right));
        a = left;
        b = right;
        const TExpr* model = by_right ? b : a;
        type = model->type;
        scratch =
            (a->scratch || is_null_constant(a)) && (b->scratch || is_null_constant(b)) && (a->scratch || b->scratch);
        here.mixed |= (a->scratch || b->scratch) && !scratch;
        a = checker.values.convert(a, type);
        b = checker.values.convert(b, type);
    } else if (checker.values.compatible(a->type, b->type)) {
        type = a->type;
    } else {
        incompatible(checker, a, ":", b, e.at);
    }
    TExpr* made = checker.values.node(TOp::Conditional, type, e.at, {condition, a, b});
    made->scratch = scratch;
    if (is_wide(a) || is_wide(b))
        wide_.insert(made);
    if (here.mixed)
        mixed_values_.insert(made);
    here.mixed = false;
    return made;
}

TExpr* Operators::comma(const ast::Expr& e)
{
    std::vector<const ast::Expr*> chain;
    const ast::Expr* leftmost = &e;
    for (; leftmost->kind == ast::ExprKind::Comma; leftmost = leftmost->kids[0])
        chain.push_back(leftmost);
    TExpr* value = checker.expressions.expr(*leftmost);
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
        TExpr* right = checker.expressions.expr(*(*step)->kids[1]);
        if (is_action(value) || is_action(right))
            fail("D_OP_ACT", (*step)->at, "tracing functions may not be called from a , expression",
                 "separate the statements with ;");
        if (value->type->resolve()->kind == TypeKind::Dynamic || right->type->resolve()->kind == TypeKind::Dynamic)
            fail("D_OP_DYN", (*step)->at, "operator , operands may not be of dynamic type");
        TExpr* made = checker.values.node(TOp::Comma, right->type, (*step)->at, {value, right});
        made->scratch = right->scratch;
        if (is_wide(right))
            wide_.insert(made);
        value = made;
    }
    return value;
}

namespace {

/// Returns whether the expression is arg0, arg1 or args[0], perhaps with casts.
bool is_result(const TExpr* e)
{
    while (e->op == TOp::Cast)
        e = e->kids.front();
    return e->op == TOp::Builtin &&
           (e->builtin->name == "arg0" || e->builtin->name == "arg1" || e->builtin->name == "args");
}

bool is_minus_one(const TExpr* e)
{
    return e->op == TOp::Integer &&
           (e->value == -1 || (e->type->resolve()->size == 4 && static_cast<uint64_t>(e->value) == UINT32_MAX));
}

} // namespace

void note_comparison(Checker& checker, const TExpr* a, const TExpr* b, const Span& at)
{
    const Statement* statement = checker.here.statement;
    if (!statement || !((is_result(a) && is_minus_one(b)) || (is_result(b) && is_minus_one(a))))
        return;
    const auto returns = [](const Probe* probe) { return probe->provider == "syscall" && probe->name == "return"; };
    if (statement->probes.empty() || !std::all_of(statement->probes.begin(), statement->probes.end(), returns))
        return;
    const char* message =
        "a failed system call returns its negative error number here: -1 means EPERM and no other error";
    const auto& known = checker.diagnostics.warnings();
    if (std::none_of(known.begin(), known.end(), [&](const Diagnostic& warning) { return warning.message == message; }))
        checker.diagnostics.warning(
            checker.reports.placed(at), message,
            "test errno instead: errno != 0 means that the call failed, errno == 0 that it succeeded");
}

} // namespace dt::sema
