// Generates D programs that are well typed by construction. They avoid two unspecified cases: effects of the right side
// of `x op= e` on x, and the type of a ?: with a constant condition. They also avoid divisors that the compiler can
// compute as 0, because that is an error.
// A seed gives the same program with every C++ compiler: no call has two arguments that use random numbers, because C++
// does not specify the order in which arguments are evaluated.
#include "test/verify/differential/generate.hpp"

#include <algorithm>
#include <iterator>

#include "test/verify/differential/nodes.hpp"

namespace dt::differential {

namespace {

constexpr Op kBinaryOps[] = {Op::Multiply, Op::Add,   Op::Subtract, Op::ShiftLeft, Op::ShiftRight, Op::BitAnd,
                             Op::BitXor,   Op::BitOr, Op::Add,      Op::Subtract,  Op::Multiply};
constexpr Op kComparisons[] = {Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::Equal, Op::NotEqual};
constexpr Op kCompounds[] = {Op::Multiply,  Op::Divide,     Op::Modulo, Op::Add,    Op::Subtract,
                             Op::ShiftLeft, Op::ShiftRight, Op::BitAnd, Op::BitXor, Op::BitOr};
constexpr const char* kTexts[] = {"",      "a",  "b",     "ab",     "abc",  "hello", "hello, sir", "x/y", "/usr/bin/",
                                  "a/b/c", "//", "Zebra", "\377\1", "a\nb", "q\"\\", "12",         "-7x", " 42"};

constexpr Function kOfOneText[] = {Function::Toupper, Function::Tolower, Function::Basename, Function::Dirname};
constexpr AggKind kAggregating[] = {AggKind::Count,    AggKind::Sum,       AggKind::Min,
                                    AggKind::Max,      AggKind::Avg,       AggKind::Stddev,
                                    AggKind::Quantize, AggKind::Lquantize, AggKind::Hquantize};
constexpr std::pair<const char*, Scope> kScalars[] = {
    {"g0", Scope::Global}, {"g1", Scope::Global}, {"g2", Scope::Global}, {"g3", Scope::Global}, {"s0", Scope::Self},
    {"s1", Scope::Self},   {"t0", Scope::This},   {"t1", Scope::This},   {"t2", Scope::This}};

class Generator {
public:
    Generator(uint64_t seed, const Wanted& wanted) : random_(seed), wanted_(wanted) {}

    Program run()
    {
        if (wanted_.texts && (wanted_.short_texts ? !one_in(8) : one_in(4)))
            program_.strsize = 16u + 8 * below(6);
        declare();
        first_clause();
        // Some programs get so many clauses that their code does not fit into one BPF function.
        const unsigned clauses = one_in(40) ? 20 + below(20) : 1 + below(3);
        const unsigned error_clauses = wanted_.faults && one_in(4) ? 1 + below(2) : 0;
        for (unsigned i = 0; i < clauses + error_clauses; ++i) {
            Clause clause;
            clause.on_error = i >= clauses;
            if (one_in(3))
                clause.predicate = integer(2, true);
            clause.body = block(2 + below(6), 2);
            program_.clauses.push_back(std::move(clause));
        }
        return std::move(program_);
    }

private:
    unsigned below(unsigned n) { return random_.below(n); }
    bool one_in(unsigned n) { return random_.one_in(n); }
    TypeId integer_type() { return static_cast<TypeId>(below(kText)); }
    template <typename T, std::size_t N> const T& pick(const T (&from)[N]) { return from[below(N)]; }

    // ---- declarations

    void variable(Scope scope, const char* name, TypeId type, std::vector<TypeId> keys = {}, uint32_t count = 0)
    {
        const auto index = static_cast<uint32_t>(program_.variables.size());
        (type == kText ? texts_ : integers_).push_back(index);
        program_.variables.push_back({scope, name, type, std::move(keys), count, true, false});
    }

    /// Declares an associative array. The first of `types` is the type of the elements, the others are those of the
    /// keys.
    void associative(Scope scope, const char* name, std::vector<TypeId> types)
    {
        const TypeId type = types.front();
        types.erase(types.begin());
        variable(scope, name, type, std::move(types));
    }

    TypeId key_type() { return wanted_.texts && one_in(3) ? kText : integer_type(); }

    void declare()
    {
        for (const auto& [name, scope] : kScalars)
            variable(scope, name, integer_type());
        associative(Scope::Global, "m0", {integer_type(), key_type()});
        associative(Scope::Global, "m1", {integer_type(), key_type(), key_type()});
        associative(Scope::Self, "sm", {integer_type(), integer_type()});
        variable(Scope::Global, "a0", integer_type(), {}, 5);
        variable(Scope::This, "ta", integer_type(), {}, 3);
        for (const char* name : {"f0", "f1", "f2", "f3"}) {
            fixed_.push_back(static_cast<uint32_t>(program_.variables.size()));
            program_.variables.push_back({Scope::Global, name, integer_type(), {}, 0, one_in(2), true});
        }
        if (wanted_.texts) {
            for (const char* name : {"gs", "gz"})
                variable(Scope::Global, name, kText);
            variable(Scope::Self, "ss", kText);
            variable(Scope::This, "ts", kText);
            variable(Scope::Global, "ms", kText, {key_type()});
        }
        if (!wanted_.aggregations)
            return;
        for (const char* name : {"x", "y", "z"}) {
            Aggregation a{name, pick(kAggregating), {}};
            for (unsigned keys = below(3); keys; --keys)
                a.keys.push_back(key_type());
            program_.aggregations.push_back(std::move(a));
        }
    }

    /// Assigns a value to each "fixed" variable: a variable that no later clause changes. A variable without a
    /// declaration gets the type of its value.
    void first_clause()
    {
        Clause clause;
        for (const uint32_t index : fixed_) {
            const Variable& v = program_.variables[index];
            fixed_values_.push_back(literal(v.type));
            auto s = std::make_unique<Stmt>();
            s->exprs.push_back(make(Op::Assign, v.type, reference(index), clone(*fixed_values_.back())));
            clause.body.push_back(std::move(s));
        }
        // Assigns initial values to most variables.
        for (const uint32_t index : integers_) {
            const Variable& v = program_.variables[index];
            if (!v.plain() || one_in(3))
                continue;
            auto s = std::make_unique<Stmt>();
            s->exprs.push_back(make(Op::Assign, v.type, reference(index), literal(v.type)));
            clause.body.push_back(std::move(s));
        }
        program_.clauses.push_back(std::move(clause));
    }

    ExprPtr reference(uint32_t index)
    {
        ExprPtr e = node(Op::Variable, program_.variables[index].type);
        e->variable = index;
        return e;
    }

    // ---- leaves

    ExprPtr literal(TypeId type) { return spelled(edge_value(type, random_), type, random_); }

    /// Returns an lvalue of integer or text type. Keys and indices have no side effects.
    ExprPtr lvalue(const std::vector<uint32_t>& among, int depth)
    {
        const uint32_t index = among[below(static_cast<unsigned>(among.size()))];
        const Variable v = program_.variables[index];
        if (v.plain())
            return reference(index);
        ExprPtr e = node(Op::Element, v.type);
        e->variable = index;
        if (v.count)
            e->kids.push_back(array_index(v.count, depth));
        for (const TypeId key : v.keys)
            e->kids.push_back(key == kText ? text(std::min(depth, 1), true) : small_integer(depth));
        return e;
    }

    /// Returns an array index that is usually inside the array.
    ExprPtr array_index(uint32_t count, int depth)
    {
        const uint32_t constant = below(count);
        if (depth <= 0 || one_in(2))
            return literal_of(std::to_string(constant), constant, kInt);
        ExprPtr e = integer(depth - 1, true);
        if (is_constant(*e))
            return literal_of(std::to_string(constant), constant, kInt);
        if (wanted_.faults && one_in(10))
            return e;
        const TypeId type = usual(e->type, kInt);
        return make(Op::BitAnd, type, std::move(e), literal_of("1", 1, kInt));
    }

    /// Returns one of few values, so that keys repeat.
    ExprPtr small_integer(int depth)
    {
        if (one_in(2) || depth <= 0) {
            const uint32_t n = below(3);
            return literal_of(std::to_string(n), n, kInt);
        }
        return integer(depth - 1, true);
    }

    ExprPtr leaf(bool pure)
    {
        (void)pure;
        if (one_in(3))
            return literal(integer_type());
        if (one_in(3))
            return reference(fixed_[below(static_cast<unsigned>(fixed_.size()))]);
        return lvalue(integers_, 0);
    }

    // ---- integer expressions

    ExprPtr integer(int depth, bool pure)
    {
        ExprPtr e = depth <= 0 || one_in(8) ? leaf(pure) : operation(depth, pure);
        e->parentheses = one_in(6);
        return e;
    }

    ExprPtr cast_to_any(ExprPtr e) { return cast(std::move(e), integer_type()); }

    ExprPtr operation(int depth, bool pure)
    {
        switch (below(pure ? 14 : 17)) {
        case 0: {
            constexpr Op ops[] = {Op::Negate, Op::BitNot, Op::Plus};
            ExprPtr kid = integer(depth - 1, pure);
            const TypeId type = kid->type;
            return make(pick(ops), type, std::move(kid));
        }
        case 1:
            return make(Op::Not, kInt, integer(depth - 1, pure));
        case 2:
            return cast_to_any(integer(depth - 1, pure));
        case 3:
        case 4:
            return division(depth, pure);
        case 5:
        case 6: {
            const Op op = pick(kComparisons);
            ExprPtr a = integer(depth - 1, pure), b = integer(depth - 1, pure);
            return make(op, kInt, std::move(a), std::move(b));
        }
        case 7: {
            constexpr Op ops[] = {Op::And, Op::Or, Op::Xor};
            const Op op = pick(ops);
            ExprPtr a = integer(depth - 1, pure), b = integer(depth - 1, pure);
            return make(op, kInt, std::move(a), std::move(b));
        }
        case 8:
            return conditional(depth, pure);
        case 9:
            return wanted_.texts ? about_text(depth, pure) : integer(depth - 1, pure);
        case 10:
            return one_in(3) ? make(Op::SizeOf, kUnsignedLong, integer(depth - 1, true)) : integer(depth - 1, pure);
        case 14:
        case 15:
            return assignment(depth);
        case 16: {
            constexpr Op ops[] = {Op::PreIncrement, Op::PreDecrement, Op::PostIncrement, Op::PostDecrement};
            ExprPtr target = lvalue(integers_, 1);
            const TypeId type = target->type;
            return make(pick(ops), type, std::move(target));
        }
        default: {
            const Op op = pick(kBinaryOps);
            ExprPtr a = integer(depth - 1, pure), b = integer(depth - 1, pure);
            const TypeId type = op == Op::ShiftLeft || op == Op::ShiftRight ? a->type : usual(a->type, b->type);
            return make(op, type, std::move(a), std::move(b));
        }
        }
    }

    ExprPtr nonzero_literal(TypeId type)
    {
        for (;;) {
            ExprPtr e = literal(type);
            const int64_t value = e->op == Op::Literal ? e->value : 1;
            if (value != 0)
                return e;
        }
    }

    /// Returns a divisor. It is never 0, unless the options allow faults.
    ExprPtr divisor(int depth, bool pure)
    {
        ExprPtr e = integer(depth - 1, pure);
        if (is_constant(*e))
            return nonzero_literal(one_in(2) ? kInt : kUnsigned);
        if (wanted_.faults && one_in(8))
            return e;
        // Makes the divisor odd: an odd number is never 0, even when it is narrowed to fewer bits.
        const TypeId type = usual(e->type, kInt);
        return make(Op::BitOr, type, std::move(e), literal_of("1", 1, kInt));
    }

    ExprPtr division(int depth, bool pure)
    {
        ExprPtr a = integer(depth - 1, pure), b = divisor(depth, pure);
        const TypeId type = usual(a->type, b->type);
        return make(one_in(2) ? Op::Divide : Op::Modulo, type, std::move(a), std::move(b));
    }

    ExprPtr conditional(int depth, bool pure)
    {
        ExprPtr condition = integer(depth - 1, pure), a = integer(depth - 1, pure), b = integer(depth - 1, pure);
        const TypeId type = usual(a->type, b->type);
        // Avoids a constant condition: the compiler would keep only one branch, so the type of the expression would be
        // unspecified.
        if (is_constant(*condition)) {
            a = cast(std::move(a), type);
            b = cast(std::move(b), type);
        }
        return make(Op::Conditional, type, std::move(condition), std::move(a), std::move(b));
    }

    ExprPtr assignment(int depth)
    {
        ExprPtr target = lvalue(integers_, 1);
        const TypeId type = target->type;
        if (one_in(2))
            return make(Op::Assign, type, std::move(target), integer(depth - 1, false));
        const Op op = pick(kCompounds);
        const bool divides = op == Op::Divide || op == Op::Modulo;
        ExprPtr e =
            make(Op::Assign, type, std::move(target), divides ? divisor(depth, true) : integer(depth - 1, true));
        e->compound = op;
        return e;
    }

    ExprPtr call(Function f, TypeId type, std::vector<ExprPtr> kids)
    {
        ExprPtr e = node(Op::Call, type, std::move(kids));
        e->function = f;
        return e;
    }

    template <typename... Kids> static std::vector<ExprPtr> list(Kids... kids)
    {
        std::vector<ExprPtr> all;
        (all.push_back(std::move(kids)), ...);
        return all;
    }

    /// Returns an integer expression whose operands are strings, such as strlen() or a comparison.
    ExprPtr about_text(int depth, bool pure)
    {
        switch (below(wanted_.subroutines ? 7 : 4)) {
        case 0: {
            ExprPtr e = nullable(depth - 1);
            return make(one_in(2) ? Op::Equal : Op::NotEqual, kInt, std::move(e), node(Op::Null, kText));
        }
        case 4:
            return call(Function::Strlen, kUnsignedLong, list(text(depth - 1, pure)));
        case 5: {
            ExprPtr a = text(depth - 1, pure), b = text(0, pure);
            auto kids = list(std::move(a), std::move(b));
            if (one_in(2))
                kids.push_back(small_signed(depth));
            return call(one_in(2) ? Function::Index : Function::Rindex, kInt, std::move(kids));
        }
        case 6:
            return call(Function::Strtoll, kLong, list(text(depth - 1, pure)));
        default: {
            ExprPtr a = one_in(4) ? nullable(depth - 1) : text(depth - 1, pure);
            ExprPtr b = one_in(4) ? nullable(depth - 1) : text(depth - 1, pure);
            return make(pick(kComparisons), kInt, std::move(a), std::move(b));
        }
        }
    }

    ExprPtr small_signed(int depth)
    {
        if (depth > 0 && one_in(3))
            return integer(depth - 1, true);
        const int n = static_cast<int>(below(14)) - 5;
        ExprPtr e = literal_of(std::to_string(n < 0 ? -n : n), n < 0 ? -n : n, kInt);
        return n < 0 ? make(Op::Negate, kInt, std::move(e)) : std::move(e);
    }

    // ---- text expressions

    /// Returns a string expression that may be NULL.
    ExprPtr nullable(int depth)
    {
        if (wanted_.subroutines && depth > 0 && one_in(3)) {
            if (one_in(2)) {
                ExprPtr a = text(depth - 1, true), b = text(0, true);
                return call(one_in(2) ? Function::Strstr : Function::Strcasestr, kText,
                            list(std::move(a), std::move(b)));
            }
            ExprPtr a = text(depth - 1, true);
            return call(one_in(2) ? Function::Strchr : Function::Strrchr, kText,
                        list(std::move(a), literal_of("'a'", 'a', kInt)));
        }
        if (depth > 0 && one_in(5)) {
            ExprPtr condition = integer(depth - 1, true), a = nullable(depth - 1), b = text(depth - 1, true);
            return make(Op::Conditional, kText, std::move(condition), std::move(a), std::move(b));
        }
        return lvalue(texts_, depth);
    }

    /// Returns whether the expression is gz, the global string variable to which NULL is never assigned.
    bool never_null(const Expr& e) { return e.op == Op::Variable && program_.variables[e.variable].name == "gz"; }

    /// Returns a string expression that is not NULL. If the options allow faults, rarely returns one that may be NULL.
    ExprPtr text(int depth, bool pure)
    {
        if (depth <= 0 || one_in(4)) {
            if (one_in(2))
                return text_literal(pick(kTexts));
            ExprPtr e = lvalue(texts_, 0);
            if (never_null(*e) || (wanted_.faults && one_in(12)))
                return e;
            return guarded(std::move(e));
        }
        switch (below(wanted_.subroutines ? 9 : 3)) {
        case 0:
            return guarded(nullable(depth - 1));
        case 1: {
            ExprPtr condition = integer(depth - 1, pure), a = text(depth - 1, pure), b = text(depth - 1, pure);
            return make(Op::Conditional, kText, std::move(condition), std::move(a), std::move(b));
        }
        case 2:
            return pure ? text(depth - 1, pure) : text_assignment(depth);
        case 3: {
            ExprPtr s = text(depth - 1, pure), i = small_signed(depth);
            auto kids = list(std::move(s), std::move(i));
            if (one_in(2))
                kids.push_back(small_signed(depth));
            return call(Function::Substr, kText, std::move(kids));
        }
        case 4: {
            auto kids = list(integer(depth - 1, pure));
            if (one_in(3)) {
                const uint32_t base = 2 + below(35);
                kids.push_back(literal_of(std::to_string(base), base, kInt));
            }
            return call(Function::Lltostr, kText, std::move(kids));
        }
        case 5:
        case 6: {
            ExprPtr a = text(depth - 1, pure);
            return call(pick(kOfOneText), kText, list(std::move(a)));
        }
        default: {
            ExprPtr a = text(depth - 1, pure), b = text(depth - 1, pure);
            return call(Function::Strjoin, kText, list(std::move(a), std::move(b)));
        }
        }
    }

    /// Returns the expression `e == NULL ? "…" : e`, which is never NULL.
    ExprPtr guarded(ExprPtr e)
    {
        if (never_null(*e))
            return e;
        ExprPtr again = clone(*e);
        ExprPtr test = make(Op::Equal, kInt, std::move(e), node(Op::Null, kText));
        ExprPtr instead = text_literal(pick(kTexts));
        return make(Op::Conditional, kText, std::move(test), std::move(instead), std::move(again));
    }

    ExprPtr text_assignment(int depth)
    {
        ExprPtr target = lvalue(texts_, 1);
        return make(Op::Assign, kText, std::move(target), text(depth - 1, false));
    }

    // ---- statements

    std::vector<StmtPtr> block(unsigned count, int depth)
    {
        std::vector<StmtPtr> list;
        for (unsigned i = 0; i < count; ++i)
            statement(list, depth);
        return list;
    }

    void statement(std::vector<StmtPtr>& to, int depth)
    {
        auto s = std::make_unique<Stmt>();
        switch (below(10)) {
        case 0:
            if (depth > 0) {
                s->kind = Stmt::Kind::If;
                s->exprs.push_back(integer(2, true));
                s->then = block(1 + below(3), depth - 1);
                if (one_in(2))
                    s->otherwise = block(1 + below(2), depth - 1);
                break;
            }
            [[fallthrough]];
        case 1:
        case 2:
            s->exprs.push_back(assignment(4));
            break;
        case 3:
            s->exprs.push_back(wanted_.texts ? text_statement() : assignment(3));
            break;
        case 4:
            if (wanted_.aggregations) {
                aggregate(*s);
                break;
            }
            [[fallthrough]];
        case 5:
            return twins(to);
        case 6:
            if (wanted_.texts) {
                s->kind = Stmt::Kind::Trace;
                s->exprs.push_back(text(3, false));
                break;
            }
            [[fallthrough]];
        case 7:
            s->kind = Stmt::Kind::Printf;
            for (unsigned n = 1 + below(3); n; --n)
                s->exprs.push_back(wanted_.texts && one_in(4) ? text(2, false) : integer(3, false));
            break;
        default:
            s->kind = Stmt::Kind::Trace;
            s->exprs.push_back(integer(4, false));
            break;
        }
        to.push_back(std::move(s));
    }

    ExprPtr text_statement()
    {
        ExprPtr target = lvalue(texts_, 1);
        if (never_null(*target) || one_in(2))
            return make(Op::Assign, kText, std::move(target), text(3, false));
        return make(Op::Assign, kText, std::move(target), one_in(4) ? node(Op::Null, kText) : nullable(2));
    }

    void aggregate(Stmt& s)
    {
        s.kind = Stmt::Kind::Aggregate;
        s.aggregation = below(static_cast<unsigned>(program_.aggregations.size()));
        const Aggregation& a = program_.aggregations[s.aggregation];
        for (const TypeId key : a.keys)
            s.exprs.push_back(key == kText ? text(1, true) : cast(small_integer(2), key));
        if (a.kind != AggKind::Count)
            s.exprs.push_back(integer(3, true));
    }

    // ---- comparison of constant folding with computation at run time

    /// Adds two trace() statements whose values must be equal: an expression of fixed variables, which is computed at
    /// run time, and the same expression with the variables' values as constants, which the compiler folds.
    void twins(std::vector<StmtPtr>& to)
    {
        ExprPtr computed = closed(4);
        for (int i = 0; i < 2; ++i) {
            auto s = std::make_unique<Stmt>();
            s->kind = Stmt::Kind::Trace;
            s->exprs.push_back(i == 0 ? clone(*computed) : with_values(*computed, fixed_, fixed_values_));
            to.push_back(std::move(s));
        }
    }

    ExprPtr closed(int depth)
    {
        if (depth <= 0 || one_in(6))
            return one_in(3) ? literal(integer_type()) : reference(fixed_[below(static_cast<unsigned>(fixed_.size()))]);
        switch (below(8)) {
        case 0: {
            constexpr Op ops[] = {Op::Negate, Op::BitNot, Op::Plus};
            ExprPtr kid = closed(depth - 1);
            const TypeId type = kid->type;
            return make(pick(ops), type, std::move(kid));
        }
        case 1:
            return one_in(3) ? make(Op::Not, kInt, closed(depth - 1)) : cast_to_any(closed(depth - 1));
        case 2: {
            ExprPtr a = closed(depth - 1), b = nonzero_literal(one_in(2) ? kInt : kUnsignedLong);
            const TypeId type = usual(a->type, b->type);
            return make(one_in(2) ? Op::Divide : Op::Modulo, type, std::move(a), std::move(b));
        }
        case 3: {
            ExprPtr condition = closed(depth - 1), a = closed(depth - 1), b = closed(depth - 1);
            const TypeId type = usual(a->type, b->type);
            return make(Op::Conditional, type, std::move(condition), cast(std::move(a), type),
                        cast(std::move(b), type));
        }
        case 4: {
            constexpr Op ops[] = {Op::And,       Op::Or,      Op::Xor,   Op::Less,
                                  Op::LessEqual, Op::Greater, Op::Equal, Op::NotEqual};
            ExprPtr a = closed(depth - 1), b = closed(depth - 1);
            return make(pick(ops), kInt, std::move(a), std::move(b));
        }
        default: {
            const Op op = pick(kBinaryOps);
            ExprPtr a = closed(depth - 1), b = closed(depth - 1);
            const TypeId type = op == Op::ShiftLeft || op == Op::ShiftRight ? a->type : usual(a->type, b->type);
            return make(op, type, std::move(a), std::move(b));
        }
        }
    }

    verify::Random random_;
    const Wanted& wanted_;
    Program program_;
    std::vector<uint32_t> integers_, texts_, fixed_;
    std::vector<ExprPtr> fixed_values_;
};

} // namespace

Program generate(uint64_t seed, const Wanted& wanted)
{
    return Generator(seed, wanted).run();
}

} // namespace dt::differential
