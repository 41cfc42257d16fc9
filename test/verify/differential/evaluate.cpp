#include "bpf-runtime/abi.h"
#include "test/verify/differential/evaluate.hpp"

#include <algorithm>
#include <optional>

#include "test/verify/differential/texts.hpp"

namespace dt::differential {

namespace {

struct Fault {
    uint32_t code;
};

using MaybeText = std::optional<std::string>; ///< a D string; nullopt is NULL
using Key = std::vector<std::string>;

// Buckets of lquantize(v, -10, 50, 7), the call that program.cpp prints.
constexpr int64_t kLqBase = -10;
constexpr uint64_t kLqStep = 7, kLqLevels = (50 - kLqBase) / kLqStep;
constexpr int kHqSchema = 1; // schema of hquantize(v, 1)

class Evaluator {
public:
    explicit Evaluator(const Program& program) : program_(program)
    {
        outcome_.aggregations.resize(program.aggregations.size());
    }

    Outcome run()
    {
        outcome_.clauses.resize(program_.clauses.size());
        for (std::size_t i = 0; i < program_.clauses.size(); ++i)
            if (!program_.clauses[i].on_error)
                fire(i);
        return std::move(outcome_);
    }

private:
    void fire(std::size_t i)
    {
        const Clause& clause = program_.clauses[i];
        now_.clear();
        try {
            if (!clause.predicate || number(*clause.predicate) != 0)
                statements(clause.body);
            auto& values = outcome_.clauses[i].values;
            values.insert(values.end(), now_.begin(), now_.end());
        } catch (const Fault& fault) {
            if (clause.on_error) {
                ++outcome_.double_errors;
                return;
            }
            outcome_.clauses[i].fault = fault.code;
            for (std::size_t e = i; e < program_.clauses.size(); ++e)
                if (program_.clauses[e].on_error)
                    fire(e);
        }
    }

    const Variable& variable(const Expr& e) const { return program_.variables[e.variable]; }

    std::string cut(std::string text) const
    {
        if (text.size() > program_.strsize)
            text.resize(program_.strsize);
        return text;
    }

    // ---- statements

    void statements(const std::vector<StmtPtr>& list)
    {
        for (const StmtPtr& s : list)
            statement(*s);
    }

    void statement(const Stmt& s)
    {
        switch (s.kind) {
        case Stmt::Kind::Expression:
            value(*s.exprs[0]);
            break;
        case Stmt::Kind::Trace:
        case Stmt::Kind::Printf:
            for (const ExprPtr& e : s.exprs)
                now_.push_back(recorded(*e));
            break;
        case Stmt::Kind::If:
            statements(number(*s.exprs[0]) != 0 ? s.then : s.otherwise);
            break;
        case Stmt::Kind::Aggregate:
            aggregate(s);
            break;
        }
    }

    Value recorded(const Expr& e)
    {
        return e.type == kText ? Value{kText, 0, text(e)} : Value{e.type, narrow(number(e), e.type), {}};
    }

    /// Returns a component of a key, narrowed to the declared type of this component.
    std::string key_component(const Expr& e, TypeId type)
    {
        return key_text(type == kText ? recorded(e) : Value{type, narrow(number(e), type), {}});
    }

    void value(const Expr& e)
    {
        if (e.type == kText)
            maybe_text(e);
        else
            number(e);
    }

    void aggregate(const Stmt& s)
    {
        const Aggregation& a = program_.aggregations[s.aggregation];
        Key key;
        for (std::size_t i = 0; i < a.keys.size(); ++i) {
            key.push_back(key_component(*s.exprs[i], a.keys[i]));
        }
        const int64_t v = s.exprs.size() > a.keys.size() ? number(*s.exprs.back()) : 0;
        auto& words = outcome_.aggregations[s.aggregation][key];
        const bool first = words.empty();
        const auto add = [&words](std::size_t i, int64_t n) {
            words[i] = static_cast<int64_t>(static_cast<uint64_t>(words[i]) + static_cast<uint64_t>(n));
        };
        switch (a.kind) {
        case AggKind::Count:
            words.resize(1);
            add(0, 1);
            break;
        case AggKind::Sum:
            words.resize(1);
            add(0, v);
            break;
        case AggKind::Min:
            words = {first ? v : std::min(words[0], v)};
            break;
        case AggKind::Max:
            words = {first ? v : std::max(words[0], v)};
            break;
        case AggKind::Avg:
        case AggKind::Stddev:
            words.resize(a.kind == AggKind::Avg ? DT_AVG_WORDS : DT_STDDEV_WORDS);
            add(0, 1);
            add_wide(words, v);
            break;
        case AggKind::Quantize:
            words.resize(127);
            add(quantize_bucket(v), 1);
            break;
        case AggKind::Lquantize:
            words.resize(kLqLevels + 2);
            add(v < kLqBase
                    ? 0
                    : std::min((static_cast<uint64_t>(v) - static_cast<uint64_t>(kLqBase)) / kLqStep, kLqLevels) + 1,
                1);
            break;
        case AggKind::Hquantize:
            words.resize(DT_HQUANTIZE_WORDS(kHqSchema));
            add(hquantize_bucket(v), 1);
            add(words.size() - 1, v);
            break;
        }
    }

    /// Adds the value to the sum, which is stored in words 1 and 2. If there are three more words (stddev()), adds the
    /// square of the value to them.
    static void add_wide(std::vector<int64_t>& words, int64_t v)
    {
        __extension__ using Wide = __int128;
        __extension__ using UnsignedWide = unsigned __int128;
        const Wide sum = Wide{words[2]} * (Wide{1} << 64) + words[1] + v;
        words[1] = static_cast<int64_t>(sum);
        words[2] = static_cast<int64_t>((sum - words[1]) / (Wide{1} << 64));
        UnsignedWide more = static_cast<UnsignedWide>(Wide{v} * v);
        uint64_t carry = 0;
        for (std::size_t i = 3; i < words.size(); ++i, more >>= 64) {
            const UnsignedWide limb =
                UnsignedWide{static_cast<uint64_t>(words[i])} + static_cast<uint64_t>(more) + carry;
            words[i] = static_cast<int64_t>(static_cast<uint64_t>(limb));
            carry = static_cast<uint64_t>(limb >> 64);
        }
    }

    static std::size_t quantize_bucket(int64_t v)
    {
        if (v == 0)
            return 63;
        const uint64_t magnitude = v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
        std::size_t power = 0;
        while (power < 63 && magnitude >> (power + 1))
            ++power;
        return v > 0 ? 64 + power : static_cast<std::size_t>(std::max<int64_t>(0, 62 - static_cast<int64_t>(power)));
    }

    /// Returns the bucket of hquantize(v, 1): the square of each upper bound is a power of two.
    static std::size_t hquantize_bucket(int64_t v)
    {
        __extension__ using UnsignedWide = unsigned __int128;
        const uint64_t magnitude = v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
        int n = magnitude == 0 ? 0 : 1;
        for (UnsignedWide end = 1; UnsignedWide{magnitude} * magnitude > end; end *= 2)
            ++n;
        return static_cast<std::size_t>(DT_HQUANTIZE_SIDE(kHqSchema) + (v < 0 ? -n : n));
    }

    // ---- variables

    struct Place {
        uint32_t variable;
        Key key;
    };

    Place place(const Expr& e)
    {
        Place at{e.variable, {}};
        const Variable& v = variable(e);
        for (std::size_t i = 0; i < e.kids.size(); ++i) {
            if (!v.count) {
                at.key.push_back(key_component(*e.kids[i], v.keys[i]));
                continue;
            }
            const int64_t index = number(*e.kids[i]);
            if (index < 0 || index >= static_cast<int64_t>(v.count))
                throw Fault{kBadIndex};
            at.key.push_back(key_text({kLong, index, {}}));
        }
        return at;
    }

    int64_t read(const Place& at) const
    {
        const auto found = numbers_.find({at.variable, at.key});
        return found == numbers_.end() ? 0 : found->second;
    }

    void write(const Place& at, int64_t n) { numbers_[{at.variable, at.key}] = n; }

    MaybeText read_text(const Place& at) const
    {
        const auto found = texts_.find({at.variable, at.key});
        if (found != texts_.end())
            return found->second;
        const Variable& v = program_.variables[at.variable];
        return v.scope == Scope::Global && v.plain() ? MaybeText("") : std::nullopt;
    }

    int64_t assign(const Expr& e)
    {
        const Expr& left = *e.kids[0];
        const Place at = place(left);
        if (e.compound == Op::Assign) {
            const int64_t fresh = narrow(number(*e.kids[1]), left.type);
            write(at, fresh);
            return fresh;
        }
        const int64_t old = read(at);
        int64_t right = number(*e.kids[1]);
        const bool shift = e.compound == Op::ShiftLeft || e.compound == Op::ShiftRight;
        const TypeId in = shift ? left.type : usual(left.type, e.kids[1]->type);
        const bool whole = e.compound == Op::Add || e.compound == Op::Subtract || e.compound == Op::Multiply || shift;
        if (!whole && goes_round(in, left, *e.kids[1]))
            right = unsigned_operand(right, e.kids[1]->type);
        const int64_t fresh = narrow(arithmetic(e.compound, old, right, in), left.type);
        write(at, fresh);
        return fresh;
    }

    int64_t step(const Expr& e)
    {
        const Place at = place(*e.kids[0]);
        const int64_t old = read(at);
        const bool up = e.op == Op::PreIncrement || e.op == Op::PostIncrement;
        const int64_t fresh =
            narrow(static_cast<int64_t>(static_cast<uint64_t>(old) + (up ? 1 : ~uint64_t{0})), e.type);
        write(at, fresh);
        return e.op == Op::PostIncrement || e.op == Op::PostDecrement ? old : fresh;
    }

    // ---- integers: operators compute in 64 bits.
    // e.type has the signedness of the result, and the width to which a recorded result is narrowed.
    // Two kinds of results are narrowed to 32 bits: differences of unsigned int, and sums of unsigned int with another
    // type.
    // Operands are converted to unsigned int if they are compared, divided or combined with unsigned int.
    // Exception to both rules: variables that keep 64 bits.

    bool is_wide(const Expr& e) const
    {
        switch (e.op) {
        case Op::Variable:
        case Op::Element:
            return !variable(e).declared && e.type != kText && kIntegers[e.type].bits < 64;
        case Op::Assign:
        case Op::PreIncrement:
        case Op::PreDecrement:
        case Op::PostIncrement:
        case Op::PostDecrement:
        case Op::Plus:
        case Op::Negate:
        case Op::BitNot:
        case Op::ShiftLeft:
        case Op::ShiftRight:
            return is_wide(*e.kids[0]);
        case Op::Conditional:
            return is_wide(*e.kids[1]) || is_wide(*e.kids[2]);
        case Op::Comma:
            return is_wide(*e.kids[1]);
        case Op::Add:
        case Op::Subtract:
        case Op::Multiply:
        case Op::Divide:
        case Op::Modulo:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
            return is_wide(*e.kids[0]) || is_wide(*e.kids[1]);
        default:
            return false;
        }
    }

    bool goes_round(TypeId type, const Expr& a, const Expr& b) const
    {
        return type == kUnsigned && !is_wide(a) && !is_wide(b);
    }

    static int64_t unsigned_operand(int64_t value, TypeId own)
    {
        return own == kUnsigned ? value : narrow(value, kUnsigned);
    }

    int64_t operation(const Expr& e)
    {
        const Expr &l = *e.kids[0], &r = *e.kids[1];
        int64_t left = number(l), right = number(r);
        const bool sum = e.op == Op::Add || e.op == Op::Subtract;
        const bool grows = e.op == Op::Add && l.type == kUnsigned && r.type == kUnsigned;
        const bool carries = grows || e.op == Op::Multiply || e.op == Op::ShiftLeft || e.op == Op::ShiftRight;
        const bool round = !carries && goes_round(e.type, l, r);
        if (round && !sum) {
            left = unsigned_operand(left, l.type);
            right = unsigned_operand(right, r.type);
        }
        const int64_t result = arithmetic(e.op, left, right, e.type);
        return round && sum ? narrow(result, kUnsigned) : result;
    }

    int64_t cut_sum(const Expr& e, int64_t value) const
    {
        return goes_round(e.type, *e.kids[0], *e.kids[0]) ? narrow(value, kUnsigned) : value;
    }

    static int64_t arithmetic(Op op, int64_t a, int64_t b, TypeId type)
    {
        const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
        const bool is_signed = kIntegers[type].is_signed;
        const auto wrap = [](uint64_t n) { return static_cast<int64_t>(n); };
        switch (op) {
        case Op::Multiply:
            return wrap(x * y);
        case Op::Add:
            return wrap(x + y);
        case Op::Subtract:
            return wrap(x - y);
        case Op::BitAnd:
            return a & b;
        case Op::BitOr:
            return a | b;
        case Op::BitXor:
            return a ^ b;
        case Op::ShiftLeft:
            return wrap(x << (y & 63));
        case Op::ShiftRight:
            return is_signed ? a >> (y & 63) : wrap(x >> (y & 63));
        default:
            break;
        }
        if (b == 0)
            throw Fault{kDivideByZero};
        if (!is_signed)
            return wrap(op == Op::Divide ? x / y : x % y);
        if (b == -1)
            return op == Op::Divide ? wrap(0 - x) : 0;
        return op == Op::Divide ? a / b : a % b;
    }

    int64_t compare(const Expr& e)
    {
        int order = 0;
        const Expr &l = *e.kids[0], &r = *e.kids[1];
        if (l.type == kText) {
            const MaybeText a = maybe_text(l), b = maybe_text(r);
            if (!a || !b) // compares the addresses of the characters; NULL is the lowest address
                order = (a ? 1 : 0) - (b ? 1 : 0);
            else // char_traits<char> compares characters as unsigned numbers
                order = a->compare(*b) < 0 ? -1 : a->compare(*b) > 0 ? 1 : 0;
        } else {
            const TypeId type = usual(l.type, r.type);
            int64_t a = number(l), b = number(r);
            if (goes_round(type, l, r)) {
                a = unsigned_operand(a, l.type);
                b = unsigned_operand(b, r.type);
            }
            const bool less = kIntegers[type].is_signed ? a < b : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
            order = less ? -1 : a == b ? 0 : 1;
        }
        switch (e.op) {
        case Op::Less:
            return order < 0;
        case Op::LessEqual:
            return order <= 0;
        case Op::Greater:
            return order > 0;
        case Op::GreaterEqual:
            return order >= 0;
        case Op::Equal:
            return order == 0;
        default:
            return order != 0;
        }
    }

    int64_t number(const Expr& e)
    {
        switch (e.op) {
        case Op::Literal:
            return e.value;
        case Op::SizeOf:
            return kIntegers[e.kids[0]->type].bits / 8;
        case Op::Variable:
        case Op::Element:
            return read(place(e));
        case Op::Plus:
            return number(*e.kids[0]);
        case Op::Negate:
            return cut_sum(e, static_cast<int64_t>(0 - static_cast<uint64_t>(number(*e.kids[0]))));
        case Op::BitNot:
            return cut_sum(e, ~number(*e.kids[0]));
        case Op::Not:
            return number(*e.kids[0]) == 0;
        case Op::Cast:
            return narrow(number(*e.kids[0]), e.type);
        case Op::And:
            return number(*e.kids[0]) != 0 && number(*e.kids[1]) != 0;
        case Op::Or:
            return number(*e.kids[0]) != 0 || number(*e.kids[1]) != 0;
        case Op::Xor: {
            const bool left = number(*e.kids[0]) != 0, right = number(*e.kids[1]) != 0;
            return left != right;
        }
        case Op::Conditional:
            return number(*e.kids[number(*e.kids[0]) != 0 ? 1 : 2]);
        case Op::Comma:
            value(*e.kids[0]);
            return number(*e.kids[1]);
        case Op::Assign:
            return assign(e);
        case Op::PreIncrement:
        case Op::PreDecrement:
        case Op::PostIncrement:
        case Op::PostDecrement:
            return step(e);
        case Op::Call:
            return call_number(e);
        case Op::Less:
        case Op::LessEqual:
        case Op::Greater:
        case Op::GreaterEqual:
        case Op::Equal:
        case Op::NotEqual:
            return compare(e);
        default:
            return operation(e);
        }
    }

    int64_t call_number(const Expr& e)
    {
        const std::string s = text(*e.kids[0]);
        switch (e.function) {
        case Function::Strlen:
            return static_cast<int64_t>(s.size());
        case Function::Strtoll:
            return parse_number(s);
        default:
            break;
        }
        const std::string t = text(*e.kids[1]);
        std::optional<int64_t> start;
        if (e.kids.size() > 2)
            start = narrow(number(*e.kids[2]), kInt);
        return e.function == Function::Index ? index_of(s, t, start.value_or(0)) : rindex_of(s, t, start);
    }

    // ---- texts

    /// Evaluates a string expression for a place where NULL is not allowed. If the result is NULL, the clause faults.
    std::string text(const Expr& e)
    {
        MaybeText t = maybe_text(e);
        if (!t)
            throw Fault{kBadAddress};
        return std::move(*t);
    }

    MaybeText maybe_text(const Expr& e)
    {
        switch (e.op) {
        case Op::Text:
            return e.text;
        case Op::Null:
            return std::nullopt;
        case Op::Variable:
        case Op::Element:
            return read_text(place(e));
        case Op::Conditional:
            return maybe_text(*e.kids[number(*e.kids[0]) != 0 ? 1 : 2]);
        case Op::Comma:
            value(*e.kids[0]);
            return maybe_text(*e.kids[1]);
        case Op::Assign: {
            const Place at = place(*e.kids[0]);
            MaybeText t = maybe_text(*e.kids[1]);
            if (t)
                t = cut(std::move(*t));
            texts_[{at.variable, at.key}] = t;
            return t;
        }
        default:
            return call_text(e);
        }
    }

    MaybeText call_text(const Expr& e)
    {
        if (e.function == Function::Lltostr) {
            const int64_t v = number(*e.kids[0]);
            return cut(in_base(v, e.kids.size() > 1 ? static_cast<unsigned>(number(*e.kids[1])) : 10));
        }
        const std::string s = text(*e.kids[0]);
        switch (e.function) {
        case Function::Substr: {
            const int64_t i = narrow(number(*e.kids[1]), kInt);
            std::optional<int64_t> n;
            if (e.kids.size() > 2)
                n = narrow(number(*e.kids[2]), kInt);
            return cut(substring(s, i, n));
        }
        case Function::Strjoin:
            return cut(s + text(*e.kids[1]));
        case Function::Toupper:
        case Function::Tolower:
            return cut(mapped(s, e.function == Function::Toupper));
        case Function::Basename:
            return cut(base_name(s));
        case Function::Dirname:
            return cut(dir_name(s));
        case Function::Strstr: {
            const std::size_t at = s.find(text(*e.kids[1]));
            return at == std::string::npos ? MaybeText() : cut(s.substr(at));
        }
        case Function::Strcasestr: {
            const std::size_t at = mapped(s, false).find(mapped(text(*e.kids[1]), false));
            return at == std::string::npos ? MaybeText() : cut(s.substr(at));
        }
        default: { // only strchr() and strrchr() remain
            const char c = static_cast<char>(number(*e.kids[1]));
            const std::size_t at = e.function == Function::Strchr ? s.find(c) : s.rfind(c);
            return c == 0 || at == std::string::npos ? MaybeText() : cut(s.substr(at));
        }
        }
    }

    const Program& program_;
    Outcome outcome_;
    std::vector<Value> now_; ///< values that the clause has recorded so far
    std::map<std::pair<uint32_t, Key>, int64_t> numbers_;
    std::map<std::pair<uint32_t, Key>, MaybeText> texts_;
};

} // namespace

std::string to_string(const Value& value)
{
    if (value.type == kText)
        return "\"" + value.text + "\"";
    const std::string digits = kIntegers[value.type].is_signed ? std::to_string(value.number)
                                                               : std::to_string(static_cast<uint64_t>(value.number));
    return std::string("(") + kIntegers[value.type].name + ")" + digits;
}

std::string key_text(const Value& value)
{
    return value.type == kText ? "'" + value.text : std::to_string(value.number);
}

Outcome evaluate(const Program& program)
{
    return Evaluator(program).run();
}

} // namespace dt::differential
