// Lowers expressions: numbers, conditions, arithmetic, lvalues and assignments. Values and results of operators have 64
// bits; only casts and stores narrow them. Loaded values are extended according to their type.
#include <algorithm>
#include <tuple>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/thread_time.hpp"
#include "dcompiler/lower/core/layout.hpp"

namespace dt::lower {

namespace {

/// Maximum number of intermediate results in registers and on the stack: normally, and with StackUse::Compact, the mode
/// that saves stack.
constexpr int kMaxWaiting = 16, kFewWaiting = 2;

Op arithmetic_op(TOp op, bool sign)
{
    switch (op) {
    case TOp::Multiply:
        return Op::Mul;
    case TOp::Add:
        return Op::Add;
    case TOp::Subtract:
        return Op::Sub;
    case TOp::ShiftLeft:
        return Op::Shl;
    case TOp::ShiftRight:
        return sign ? Op::AShr : Op::LShr;
    case TOp::BitAnd:
        return Op::And;
    case TOp::BitOr:
        return Op::Or;
    default:
        return Op::Xor;
    }
}

/// Yields a signed quotient or remainder. BPF before cpu v4 has only unsigned division, so the code divides the
/// absolute values and then restores the sign. For this, s is 0 or, for a negative number, -1: (x ^ s) - s negates x if
/// s is -1. With cpu v4, the signed instruction is used only for constant divisors, because kernels before 6.12 crash
/// if the smallest number is divided by -1.
Value signed_divide(World& world, ir::Builder& b, Value left, Value right, bool modulo)
{
    const ir::Instr& divisor = b.function().instrs[right];
    if (divisor.op == Op::Const && divisor.imm != 0 && divisor.imm != -1 && world.features().isa_v4)
        return b.binary(modulo ? Op::SMod : Op::SDiv, left, right);
    const Value bits = b.constant(63);
    const Value ls = b.binary(Op::AShr, left, bits), rs = b.binary(Op::AShr, right, bits);
    const auto negate_if = [&b](Value v, Value sign) { return b.binary(Op::Sub, b.binary(Op::Xor, v, sign), sign); };
    const Value divides = negate_if(right, rs);
    const Value result = b.binary(modulo ? Op::UMod : Op::UDiv, negate_if(left, ls), divides);
    return negate_if(result, modulo ? ls : b.binary(Op::Xor, ls, rs));
}

/// Returns the instruction that compares two numbers. Sets `swapped` if the operands must be exchanged.
Op comparison_op(TOp op, bool sign, bool& swapped)
{
    swapped = op == TOp::Greater || op == TOp::GreaterEqual;
    switch (op) {
    case TOp::Equal:
        return Op::Eq;
    case TOp::NotEqual:
        return Op::Ne;
    case TOp::Less:
    case TOp::Greater:
        return sign ? Op::SLt : Op::ULt;
    default:
        return sign ? Op::SLe : Op::ULe;
    }
}

/// Returns whether values of the type are compared byte by byte.
bool is_object(const Type* type)
{
    return type->is_record() || type->resolve()->kind == TypeKind::Stack;
}

/// Returns whether the expression may be evaluated although D would skip it: it has no side effect, cannot fault, and
/// is cheaper than a branch. A branch is expensive for the verifier: if its paths join again, the work for the
/// following code doubles.
bool is_speculatable(const TExpr& e)
{
    switch (e.op) {
    case TOp::Integer:
        return !e.type->is_string();
    case TOp::Variable:
        return e.variable->keys.empty() && e.variable->scope != Scope::Self && e.type->is_scalar();
    case TOp::Cast:
        if (!e.type->is_scalar() || e.kids[0]->type->is_string())
            return false;
        break;
    case TOp::Negate:
    case TOp::BitNot:
    case TOp::Not:
    case TOp::And:
    case TOp::Or:
    case TOp::Xor:
        break;
    case TOp::Divide:
    case TOp::Modulo:
        return false;
    default:
        if (!is_arithmetic(e.op) && !is_comparison(e.op))
            return false;
    }
    return std::all_of(e.kids.begin(), e.kids.end(),
                       [](const TExpr* kid) { return !kid->type->is_string() && is_speculatable(*kid); });
}

} // namespace

Value Expressions::value(const TExpr& e)
{
    const Operand operand = expression(e);
    return operand.value;
}

std::pair<Value, Value> Expressions::in_turn(const std::function<Value()>& first, const std::function<Value()>& second)
{
    Value waits = first();
    const bool is_number = b().instr(waits).mem == Mem::None && b().instr(waits).op != Op::Const;
    const int most = module().stack_use == StackUse::Compact ? kFewWaiting : kMaxWaiting;
    const uint32_t offset = waiting_ >= most && is_number ? clause.take_scratch(8) : 0;
    const bool in_scratch = offset != 0 && offset <= ClauseState::kFarthestOffset;
    if (in_scratch)
        b().store(8, clause.slot(), offset, waits);
    ++waiting_;
    const Value other = second();
    --waiting_;
    if (in_scratch)
        waits = b().load(8, clause.slot(), offset);
    return {waits, other};
}

std::pair<Value, Value> Expressions::values(const TExpr& first, const TExpr& second)
{
    return in_turn([&] { return value(first); }, [&] { return value(second); });
}

Value Expressions::truth(const TExpr& e)
{
    const Value zero = b().constant(0);
    switch (e.op) {
    case TOp::Not:
        return b().binary(Op::Xor, truth(*e.kids[0]), b().constant(1));
    case TOp::Equal:
    case TOp::NotEqual:
    case TOp::Less:
    case TOp::LessEqual:
    case TOp::Greater:
    case TOp::GreaterEqual: {
        const TExpr &l = *e.kids[0], &r = *e.kids[1];
        if (l.type->is_string() || r.type->is_string())
            return b().binary(Op::Ne, compare_text(e), zero);
        if (is_object(l.type))
            return b().binary(e.op == TOp::Equal ? Op::Eq : Op::Ne, objects_differ(l, r), zero);
        // Pointers that the verifier tracks are compared by their own instruction: other comparisons use arithmetic,
        // which the verifier forbids for these pointers.
        if (l.type->is_pointer())
            break;
        const auto [left, right] = values(l, r);
        bool swapped;
        const Op op = comparison_op(e.op, e.is_signed, swapped);
        return swapped ? b().binary(op, right, left) : b().binary(op, left, right);
    }
    case TOp::And:
    case TOp::Or:
        if (is_speculatable(*e.kids[1])) {
            const auto [left, right] = in_turn([&] { return truth(*e.kids[0]); }, [&] { return truth(*e.kids[1]); });
            return b().binary(e.op == TOp::And ? Op::And : Op::Or, left, right);
        }
        break;
    default:
        if (e.type->is_pointer())
            break;
        return b().binary(Op::Ne, value(e), zero);
    }
    const ir::BlockId yes = b().block(), no = b().block();
    condition(e, yes, no);
    return b().join(
        yes, no, [this] { return b().constant(1); }, [this] { return b().constant(0); });
}

namespace {

/// Returns the operands of a chain of && or of ||: a, b, c and d for a && b && c && d.
std::vector<const TExpr*> chain_of(const TExpr& e)
{
    std::vector<const TExpr*> links;
    const TExpr* left = &e;
    for (; left->op == e.op; left = left->kids[0])
        links.push_back(left->kids[1]);
    links.push_back(left);
    std::reverse(links.begin(), links.end());
    return links;
}

} // namespace

void Expressions::predicate(const TExpr& e, ir::BlockId yes, ir::BlockId no)
{
    if (e.op != TOp::And)
        return condition(e, yes, no);
    for (const TExpr* link : chain_of(e)) {
        const ir::BlockId next = link == e.kids[1] ? yes : b().block();
        condition(*link, next, no);
        b().enter(next);
    }
}

void Expressions::condition(const TExpr& e, ir::BlockId yes, ir::BlockId no)
{
    switch (e.op) {
    case TOp::Not:
        return condition(*e.kids[0], no, yes);
    case TOp::And:
    case TOp::Or: {
        const std::vector<const TExpr*> links = chain_of(e);
        const auto link = [&](std::size_t i) {
            const ir::BlockId next = i + 1 == links.size() ? (e.op == TOp::And ? yes : no) : b().block();
            condition(*links[i], e.op == TOp::And ? next : yes, e.op == TOp::And ? no : next);
            if (i + 1 != links.size())
                b().enter(next);
        };
        link(0);
        return clause.arm([&] { // runs conditionally; only the first operand is always evaluated
            for (std::size_t i = 1; i < links.size(); ++i)
                link(i);
        });
    }
    case TOp::Equal:
    case TOp::NotEqual:
    case TOp::Less:
    case TOp::LessEqual:
    case TOp::Greater:
    case TOp::GreaterEqual: {
        const TExpr &l = *e.kids[0], &r = *e.kids[1];
        if (l.type->is_string() || r.type->is_string())
            return branch_on_text(e, yes, no);
        if (is_object(l.type))
            return b().branch(e.op == TOp::Equal ? Op::Eq : Op::Ne, objects_differ(l, r), b().constant(0), yes, no);
        auto [left, right] = values(l, r);
        bool swapped;
        const Op op = comparison_op(e.op, e.is_signed, swapped);
        if (swapped)
            std::swap(left, right);
        return b().branch(op, left, right, yes, no);
    }
    default: {
        // The condition is a number here: semantic analysis has replaced the strings in operands of ! and ^^ by
        // comparisons with NULL.
        const Value v = value(e);
        if (!b().terminated())
            b().branch(Op::Ne, v, b().constant(0), yes, no);
    }
    }
}

/// Lowers an expression. A number is in a register, so the temporaries of its computation are freed. If the result is a
/// pointer, they stay allocated, because the pointer may refer to them.
Operand Expressions::expression(const TExpr& e)
{
    const auto taken = clause.mark();
    const Operand result = evaluate(e);
    if (result.kind == Operand::Kind::Number && e.type->is_integer())
        clause.give_back(taken);
    return result;
}

Operand Expressions::literal(const TExpr& e)
{
    Operand text{
        Operand::Kind::Text, kNone, Mem::MapValue, static_cast<uint32_t>(e.text.size()) + 1, false, true, e.text};
    text.value = b().data_addr(module().data.literal(e.text), align_up(text.size, 8));
    return text;
}

Operand Expressions::variable(const TExpr& e)
{
    const Operand found = clause.variables.read(target(e));
    return found.kind == Operand::Kind::Text && clause.is_assigned(e.variable) ? own_copy(found) : found;
}

Operand Expressions::address_of(const TExpr& e)
{
    const Place at = place(e);
    Operand object{Operand::Kind::Bytes, at.address, at.mem, at.size, false, false, {}};
    if (at.offset)
        object.value = b().binary(Op::Add, at.address, b().constant(at.offset));
    return number(clause.values.address_number(object));
}

Operand Expressions::cast(const TExpr& e)
{
    const bool from_text = e.kids[0]->type->is_string();
    const Operand operand = from_text ? text(*e.kids[0]) : expression(*e.kids[0]);
    if (operand.kind == Operand::Kind::Number)
        return number(clause.values.narrow(operand.value, e.type));
    return e.type->resolve()->kind == TypeKind::Void ? number(b().constant(0))
                                                     : number(clause.values.address_number(operand));
}

Operand Expressions::evaluate(const TExpr& e)
{
    const Span outer = b().at();
    b().at(e.at);
    const Operand result = evaluate_here(e);
    b().at(outer);
    return result;
}

Operand Expressions::evaluate_here(const TExpr& e)
{
    switch (e.op) {
    case TOp::Integer:
        return number(b().constant(e.value));
    case TOp::String:
        return literal(e);
    case TOp::Variable:
        return variable(e);
    case TOp::Builtin:
        return hooked(hook(*e.builtin), e);
    case TOp::Member:
        if (is_curcpu_member(e))
            return clause.builtins.curcpu_member(e);
        return clause.memory.load(place(e));
    case TOp::KernelSymbol:
    case TOp::Deref:
    case TOp::Index:
        return clause.memory.load(place(e));
    case TOp::AddressOf:
        return address_of(*e.kids[0]);
    case TOp::Cast:
        return cast(e);
    case TOp::StringOf:
        return text(e);
    case TOp::Negate:
        return number(b().unary(Op::Neg, value(*e.kids[0])));
    case TOp::BitNot:
        return number(b().binary(Op::Xor, value(*e.kids[0]), b().constant(-1)));
    case TOp::Multiply:
    case TOp::Add:
    case TOp::Subtract:
    case TOp::ShiftLeft:
    case TOp::ShiftRight:
    case TOp::BitAnd:
    case TOp::BitOr:
    case TOp::BitXor:
    case TOp::Divide:
    case TOp::Modulo:
    case TOp::PointerAdd:
    case TOp::PointerDistance: {
        const auto [left, right] = values(*e.kids[0], *e.kids[1]);
        return number(arithmetic(e.op, left, right, e.is_signed, e.value));
    }
    case TOp::Bounded: {
        const auto [index, length] = values(*e.kids[0], *e.kids[1]);
        clause.fault_if(Op::ULe, length, index, kFaultBadIndex, index);
        return number(index);
    }
    case TOp::Not:
    case TOp::And:
    case TOp::Or:
    case TOp::Equal:
    case TOp::NotEqual:
    case TOp::Less:
    case TOp::LessEqual:
    case TOp::Greater:
    case TOp::GreaterEqual:
        return number(truth(e));
    case TOp::Xor: {
        const auto [left, right] = in_turn([&] { return truth(*e.kids[0]); }, [&] { return truth(*e.kids[1]); });
        return number(b().binary(Op::Xor, left, right));
    }
    case TOp::Conditional:
        return conditional(e);
    case TOp::Comma:
        expression(*e.kids[0]);
        return expression(*e.kids[1]);
    case TOp::Assign:
        return assign(e);
    case TOp::Call:
        return hooked(hook(*e.subroutine), e);
    case TOp::Address:
        return e.action->has(kOfWaker) ? waker_stack(clause, e) : clause.stacks.stack_value(e);
    }
    return number(b().constant(0));
}

/// Lowers `e` by the function of its built-in. A function that yields a string may write it directly into the buffer
/// that the caller has requested.
Operand Expressions::hooked(LowerExpr lower, const TExpr& e)
{
    clause.strings.begin_call();
    const Operand result = lower(clause, e);
    clause.strings.end_call();
    return result;
}

Value Expressions::arithmetic(TOp op, Value left, Value right, bool is_signed, int64_t scale)
{
    switch (op) {
    case TOp::Divide:
    case TOp::Modulo: {
        clause.fault_if(Op::Eq, right, b().constant(0), kFaultDivideByZero, b().constant(0));
        if (is_signed)
            return signed_divide(module().world, b(), left, right, op == TOp::Modulo);
        return b().binary(op == TOp::Modulo ? Op::UMod : Op::UDiv, left, right);
    }
    case TOp::PointerAdd:
        return b().binary(Op::Add, left, scale == 1 ? right : b().binary(Op::Mul, right, b().constant(scale)));
    case TOp::PointerDistance: {
        const Value bytes = b().binary(Op::Sub, left, right);
        return scale <= 1 ? bytes : signed_divide(module().world, b(), bytes, b().constant(scale), false);
    }
    case TOp::ShiftLeft:
    case TOp::ShiftRight:
        // Only the low six bits of the shift count are used, as 64-bit processors do.
        return b().binary(arithmetic_op(op, is_signed), left, b().binary(Op::And, right, b().constant(63)));
    default:
        return b().binary(arithmetic_op(op, is_signed), left, right);
    }
}

Operand Expressions::conditional(const TExpr& e)
{
    if (!e.type->is_pointer() && !e.type->is_string() && is_speculatable(*e.kids[1]) && is_speculatable(*e.kids[2])) {
        // computes `no ^ ((yes ^ no) & mask)`, where the mask has all bits set for `yes` and is 0 for `no`
        Value one = kNone, other = kNone;
        const auto choice = [&] {
            std::tie(one, other) = values(*e.kids[1], *e.kids[2]);
            return b().binary(Op::Xor, one, other);
        };
        const auto [mask, differs] = in_turn([&] { return b().unary(Op::Neg, truth(*e.kids[0])); }, choice);
        return number(b().binary(Op::Xor, other, b().binary(Op::And, differs, mask)));
    }
    const ir::BlockId yes = b().block(), no = b().block(), join = b().block();
    if (e.type->is_string()) {
        // Both arms write their string to the same buffer, so the code after the join needs to know only one address.
        const uint32_t size = clause.values.text_size(e.type);
        // The result may be 0 (NULL). It then has the verifier type of a map pointer or NULL, so the buffer must not be
        // on the stack.
        Mem mem = Mem::MapValue;
        const bool nullable = module().layout.may_be_null(e);
        const Value buffer = nullable ? clause.scratch_temporary(size) : clause.strings.text_temporary(size, mem);
        condition(*e.kids[0], yes, no);
        std::vector<Value> results;
        for (int i = 0; i < 2; ++i) {
            b().enter(i == 0 ? yes : no);
            clause.arm([&] { text_or_null(*e.kids[i + 1], buffer, size, join, results); });
        }
        b().enter(join);
        if (nullable)
            return {Operand::Kind::Text, b().phi(results, Mem::MapOrNull, size), Mem::MapOrNull, size, true, false, {}};
        return {Operand::Kind::Text, buffer, mem, size, false, false, {}};
    }
    condition(*e.kids[0], yes, no);
    Operand chosen;
    Value values[2];
    int i = 0;
    for (const ir::BlockId block : {yes, no}) {
        b().enter(block);
        clause.arm([&] {
            chosen = expression(*e.kids[i + 1]);
            values[i] = chosen.value;
        });
        b().jump(join);
        ++i;
    }
    b().enter(join);
    chosen.value = b().phi({values[0], values[1]}, chosen.mem);
    chosen.constant = false;
    return chosen;
}

/// Copies the string to the buffer and jumps to `join`. Appends to `results` the buffer's address, or 0 if the string
/// is NULL.
void Expressions::text_or_null(const TExpr& e, Value buffer, uint32_t size, ir::BlockId join,
                               std::vector<Value>& results)
{
    if (module().layout.may_be_null(e))
        return text_or_null(text(e), buffer, size, join, results);
    text_into(e, buffer, 0, size, false);
    results.push_back(buffer);
    b().jump(join);
}

void Expressions::text_or_null(Operand from, Value buffer, uint32_t size, ir::BlockId join, std::vector<Value>& results)
{
    if (from.may_be_null) {
        const ir::BlockId null = b().block(), present = b().block();
        b().branch(Op::Eq, from.value, b().constant(0), null, present);
        b().enter(null);
        results.push_back(b().constant(0));
        b().jump(join);
        b().enter(present);
        from = clause.strings.present(from);
    }
    clause.strings.text_into(from, buffer, 0, size, false);
    results.push_back(buffer);
    b().jump(join);
}

/// Copies the string, so that assignments later in the same statement do not change it.
Operand Expressions::own_copy(const Operand& from)
{
    const uint32_t size = align_up(std::max<uint32_t>(from.size, 1), 8);
    Mem mem = Mem::MapValue;
    const Value buffer = from.may_be_null ? clause.scratch_temporary(size) : clause.strings.text_temporary(size, mem);
    const ir::BlockId join = b().block();
    std::vector<Value> results;
    clause.arm([&] { text_or_null(from, buffer, size, join, results); });
    b().enter(join);
    if (!from.may_be_null)
        return {Operand::Kind::Text, buffer, mem, from.size, false, false, {}};
    return {Operand::Kind::Text, b().phi(results, Mem::MapOrNull, size), Mem::MapOrNull, from.size, true, false, {}};
}

// Lowers lvalues, keys of arrays, and assignments.

namespace {

Mem mem_of(AddressSpace space)
{
    return space == AddressSpace::User ? Mem::User : Mem::Kernel;
}

} // namespace

Place Expressions::place(const TExpr& e, bool write)
{
    Place at;
    switch (e.op) {
    case TOp::KernelSymbol:
        at.address = b().constant(e.value);
        at.type = e.type;
        return at;
    case TOp::Deref: {
        const Type* pointer = e.kids[0]->type->resolve();
        const Operand target = expression(*e.kids[0]);
        at.address = at.origin = target.value;
        at.mem = target.kind == Operand::Kind::Number ? mem_of(pointer->space) : target.mem;
        at.size = target.size;
        at.scratch = e.kids[0]->scratch;
        at.type = e.type;
        return at;
    }
    case TOp::Member: {
        at = place(*e.kids[0], write);
        const uint64_t bit = e.member->bit_offset;
        at.offset += static_cast<int64_t>(
            e.member->bit_size ? bit / 8 / e.type->resolve()->size * e.type->resolve()->size : bit / 8);
        at.bits = e.member->bit_size ? e.member : nullptr;
        at.type = e.type;
        return at;
    }
    case TOp::Index: {
        if (e.kids[0]->type->is_string())
            return write ? own_character(e) : character(e);
        at = place(*e.kids[0], write);
        const Type* array = e.kids[0]->type->resolve();
        const Value index = value(*e.kids[1]);
        // An array that is declared with one element may in fact be longer, in memory of the kernel or of a process.
        const bool own = at.mem == Mem::MapValue || at.mem == Mem::Stack;
        if (array->kind == TypeKind::Array && (own || array->count > 1))
            clause.fault_if(Op::ULe, b().constant(static_cast<int64_t>(array->count)), index, kFaultBadIndex, index);
        const Value bytes = b().binary(Op::Mul, index, b().constant(static_cast<int64_t>(e.type->resolve()->size)));
        const Mem mem = at.mem;
        at.address = b().binary(Op::Add, at.address, bytes);
        b().instr(at.address).mem = mem;
        b().instr(at.address).region = at.size;
        at.type = e.type;
        return at;
    }
    case TOp::Variable:
        return clause.places.variable_place(target(e), write);
    default: {
        const Operand object = expression(e);
        at.address = object.value;
        at.mem = object.kind == Operand::Kind::Number ? Mem::Kernel : object.mem;
        at.size = object.size;
        at.type = e.type;
        return at;
    }
    }
}

/// Returns one character of a string. The load is made like one from kernel memory, because the verifier knows no bound
/// of the index.
Place Expressions::character(const TExpr& e)
{
    const Operand string = text(*e.kids[0]);
    const Value index = value(*e.kids[1]);
    Place at;
    at.origin = string.value;
    at.address = b().binary(Op::Add, clause.values.address_number(string), index);
    at.mem = string.mem == Mem::User ? Mem::User : Mem::Kernel;
    at.type = e.type;
    return at;
}

/// Returns the location of one character of a string variable, for an assignment to it. Programs cannot assign the
/// variable's last byte, which must remain a NUL.
Place Expressions::own_character(const TExpr& e)
{
    const Value index = value(*e.kids[1]);
    Operand string = clause.variables.read(target(*e.kids[0]));
    if (string.may_be_null) {
        clause.fault_if(Op::Eq, string.value, b().constant(0), kFaultBadAddress, index);
        string = clause.strings.present(string);
    }
    clause.fault_if(Op::ULe, b().constant(static_cast<int64_t>(string.size) - 1), index, kFaultBadIndex, index);
    Place at;
    at.address = b().binary(Op::Add, string.value, index);
    at.mem = b().instr(at.address).mem = string.mem;
    at.size = b().instr(at.address).region = string.size;
    at.type = e.type;
    return at;
}

Target Expressions::target(const TExpr& e)
{
    Target t;
    t.variable = e.variable;
    if (e.kids.empty())
        return t;
    const uint32_t prefix = module().layout.tuple_prefix(*e.variable);
    const uint32_t size = module().layout.tuple_size(*e.variable);
    // Keys of an array may contain array elements with keys of their own. All their tuples use one base address with
    // different offsets. With separate base addresses, each address would occupy stack until the inner keys are
    // computed.
    const bool is_digested = module().layout.needs_digest(size);
    const auto [base, offset] = clause.temporary_place(size + (is_digested ? CpuElements::kDigestSize : 0));
    if (e.variable->scope == Scope::Self)
        b().store(8, base, offset, b().call_helper(kGetCurrentTask, {}));
    if (module().layout.shares_maps())
        b().store(8, base, offset + prefix - 8,
                  b().constant(static_cast<int64_t>(e.variable->scope) << 32 | e.variable->index));
    tuple_into(e.kids, e.variable->keys, base, offset + prefix);
    t.key = clause.values.interior(base, offset, size);
    if (is_digested) {
        const Value digest = clause.values.interior(base, offset + size, CpuElements::kDigestSize);
        clause.values.digest_key(t.key, size, digest);
        t.key = digest;
    }
    return t;
}

void Expressions::tuple_into(const std::vector<TExpr*>& keys, const std::vector<const Type*>& types, Value dst,
                             int64_t offset)
{
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const uint32_t size = module().layout.storage_size(types[i]), room = align_up(size, 8);
        if (size < room && types[i]->is_scalar()) {
            // One store of 8 bytes writes the number and its padding, so the number is zero-extended.
            b().store(8, dst, offset, b().unary(Op::ZExt, value(*keys[i]), static_cast<uint8_t>(size)));
            offset += room;
            continue;
        }
        if (size < room)
            clause.values.zero(dst, offset, room);
        key_into(*keys[i], types[i], dst, offset, size);
        offset += room;
    }
}

void Expressions::key_into(const TExpr& e, const Type* type, Value dst, int64_t offset, uint32_t size)
{
    if (type->is_string())
        return text_into(e, dst, offset, size, true);
    const Operand operand = expression(e);
    if (operand.kind == Operand::Kind::Number) {
        b().store(static_cast<uint8_t>(std::min<uint32_t>(size, 8)), dst, offset, operand.value);
        return;
    }
    Place from;
    from.address = from.origin = operand.value;
    from.mem = operand.mem;
    from.type = type;
    const Type* real = type->resolve();
    if (real->kind == TypeKind::Array && real->target->resolve()->is_char)
        return clause.memory.characters_into(from, dst, offset, size);
    clause.memory.copy_bytes(from, dst, offset, size);
}

Operand Expressions::assign(const TExpr& e)
{
    const TExpr &left = *e.kids[0], &right = *e.kids[1];
    const bool plain = e.compound == TOp::Integer;
    if (left.op != TOp::Variable) {
        const Place at = place(left, true);
        Operand fresh = left.type->is_string() ? text(right) : expression(right);
        const Operand old = plain ? fresh : clause.memory.load(at);
        if (!plain)
            fresh = compound(e, old, fresh.value);
        else if (fresh.kind == Operand::Kind::Number)
            fresh.value = stored(fresh.value, left);
        clause.memory.store(at, fresh);
        return e.post ? old : fresh;
    }
    const Target t = target(left);
    const bool zero_constant = right.op == TOp::Integer && right.value == 0;
    if (plain && zero_constant && (left.type->is_string() || left.variable->scope == Scope::Self || t.key != kNone)) {
        clause.variables.erase(t);
        return number(b().constant(0));
    }
    if (plain) {
        Operand fresh = left.type->is_string() ? text(right) : expression(right);
        if (fresh.kind == Operand::Kind::Number)
            fresh.value = stored(fresh.value, left);
        const bool takes_null =
            t.key != kNone || left.variable->scope != Scope::Global || module().layout.nullable(*left.variable);
        if (fresh.kind == Operand::Kind::Text && fresh.may_be_null && takes_null)
            return clause.variables.assign_nullable(t, fresh);
        clause.variables.write(t, fresh);
        return fresh;
    }
    const Operand old = clause.variables.read(t);
    const Operand fresh = compound(e, old, value(right));
    clause.variables.write(t, fresh);
    return e.post ? old : fresh;
}

/// Yields the new value of a compound assignment such as +=: computes it from the old value and the right operand, and
/// narrows it to the type of the left side.
Operand Expressions::compound(const TExpr& e, const Operand& old, Value right)
{
    return number(stored(arithmetic(e.compound, old.value, right, e.is_signed, e.value), *e.kids[0]));
}

/// Yields the value of an assignment expression: the number as the left side stores it.
Value Expressions::stored(Value v, const TExpr& left)
{
    if (left.op == TOp::Member && left.member->bit_size)
        return clause.values.extend_bits(v, 0, left.member->bit_size, left.type);
    return clause.values.narrow(v, left.op == TOp::Variable ? left.variable->stored : left.type);
}

} // namespace dt::lower
