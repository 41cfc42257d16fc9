// Generates random integer expressions, and computes their values by the definition of the language.
//
// Rules:
// - The result of a binary operator has the type of the operand of higher rank (width, plus one if unsigned). Integers
//   are not promoted to int.
// - Every operator works on 64 bits, signed if its type is signed. A value is narrowed to its type only when it is cast
//   or printed. Exceptions are differences, - and ~ of uint32_t, its sums with another type, and operands that are
//   compared, divided or combined with it.
// - Shifts have the type of their left operand and count modulo 64. Comparisons and logical operators yield an int.
#include <iterator>

#include "test/verify/generate.hpp"

namespace dt::verify {

const Type types[8] = {{"int8_t", 8, true},   {"uint8_t", 8, false},   {"int16_t", 16, true}, {"uint16_t", 16, false},
                       {"int32_t", 32, true}, {"uint32_t", 32, false}, {"int64_t", 64, true}, {"uint64_t", 64, false}};

namespace {

const Type& int_type = types[4];

std::uint64_t narrowed(const Type& type, std::uint64_t value)
{
    unsigned drop = 64 - type.bits;
    if (type.is_signed)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << drop) >> drop);
    return value << drop >> drop;
}

unsigned rank(const Type& type)
{
    return type.bits + (type.is_signed ? 0 : 1);
}

const Type& common(const Type& a, const Type& b)
{
    return rank(a) >= rank(b) ? a : b;
}

/// Narrows an operand to 32 bits if the other operand has the type uint32_t. Not used for sums (see as_sum()), products
/// and shifts.
std::uint64_t as_operand(const Type& common, const Expression& e)
{
    return &common == &types[5] && e.type != &types[5] ? narrowed(common, e.value) : e.value;
}
std::uint64_t as_sum(const Type& type, std::uint64_t value)
{
    return &type == &types[5] ? narrowed(type, value) : value;
}
std::uint64_t added(const Type& type, const Expression& a, const Expression& b)
{
    const bool only_grows = a.type == &types[5] && b.type == &types[5];
    return only_grows ? a.value + b.value : as_sum(type, a.value + b.value);
}

bool less(const Type& type, std::uint64_t a, std::uint64_t b)
{
    return type.is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
}

// Returns a random value, often near the limits of a type, where most errors of compilers are.
std::uint64_t random_value(Random& random, const Type& type)
{
    const std::uint64_t edges[] = {
        0, 1, 2, 7, ~0ull, ~1ull, 1ull << (type.bits - 1), (1ull << (type.bits - 1)) - 1, 0x7f, 0x80, 0xff, 0x100};
    std::uint64_t value = random.one_in(3) ? random.next() : edges[random.below(std::size(edges))];
    return narrowed(type, value);
}

Expression leaf(Random& random, std::vector<Variable>& variables)
{
    const Type& type = types[random.below(8)];
    std::uint64_t value = random_value(random, type);
    variables.push_back({&type, value});
    return {literal(type, value), "v" + std::to_string(variables.size() - 1), &type, value};
}

Expression joined(const Expression& a, const char* op, const Expression& b, const Type& type, std::uint64_t value)
{
    return {"(" + a.constant + " " + op + " " + b.constant + ")", "(" + a.variable + " " + op + " " + b.variable + ")",
            &type, value};
}

Expression prefixed(const std::string& op, const Expression& a, const Type& type, std::uint64_t value)
{
    return {"(" + op + a.constant + ")", "(" + op + a.variable + ")", &type, value};
}

using Combine = std::uint64_t (*)(const Type&, std::uint64_t, std::uint64_t);

struct Binary {
    const char* text;
    Combine combine;
};

const Binary arithmetic[] = {
    {"+", [](const Type&, std::uint64_t a, std::uint64_t b) { return a + b; }},
    {"-", [](const Type&, std::uint64_t a, std::uint64_t b) { return a - b; }},
    {"*", [](const Type&, std::uint64_t a, std::uint64_t b) { return a * b; }},
    {"&", [](const Type&, std::uint64_t a, std::uint64_t b) { return a & b; }},
    {"|", [](const Type&, std::uint64_t a, std::uint64_t b) { return a | b; }},
    {"^", [](const Type&, std::uint64_t a, std::uint64_t b) { return a ^ b; }},
};

const Binary comparison[] = {
    {"<", [](const Type& t, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return less(t, a, b); }},
    {"<=", [](const Type& t, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return !less(t, b, a); }},
    {">", [](const Type& t, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return less(t, b, a); }},
    {">=", [](const Type& t, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return !less(t, a, b); }},
    {"==", [](const Type&, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return a == b; }},
    {"!=", [](const Type&, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return a != b; }},
};

const Binary logic[] = {
    {"&&", [](const Type&, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return a != 0 && b != 0; }},
    {"||", [](const Type&, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return a != 0 || b != 0; }},
    {"^^", [](const Type&, std::uint64_t a, std::uint64_t b) -> std::uint64_t { return (a != 0) != (b != 0); }},
};

Expression divided(Random& random, const Expression& a, const Expression& b)
{
    const Type& type = common(*a.type, *b.type);
    std::uint64_t x = as_operand(type, a), y = as_operand(type, b);
    bool remainder = random.one_in(2);
    // Returns a sum instead of a division by zero, which is a fault, and instead of a signed division that may
    // overflow, which has no specified result.
    if (y == 0 || (type.is_signed && y == ~0ull))
        return joined(a, "+", b, type, added(type, a, b));
    std::uint64_t value;
    if (type.is_signed) {
        auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
        value = static_cast<std::uint64_t>(remainder ? sx % sy : sx / sy);
    } else {
        value = remainder ? x % y : x / y;
    }
    return joined(a, remainder ? "%" : "/", b, type, value);
}

Expression shifted(Random& random, const Expression& a)
{
    unsigned count = random.below(random.one_in(4) ? 64 : a.type->bits);
    Expression by{std::to_string(count), std::to_string(count), &int_type, count};
    if (random.one_in(2))
        return joined(a, "<<", by, *a.type, a.value << count);
    std::uint64_t value =
        a.type->is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(a.value) >> count) : a.value >> count;
    return joined(a, ">>", by, *a.type, value);
}

Expression unary(Random& random, const Expression& a)
{
    switch (random.below(4)) {
    case 0:
        return prefixed("-", a, *a.type, as_sum(*a.type, 0 - a.value));
    case 1:
        return prefixed("~", a, *a.type, as_sum(*a.type, ~a.value));
    case 2:
        return prefixed("!", a, int_type, a.value == 0);
    default: {
        const Type& type = types[random.below(8)];
        return prefixed(std::string("(") + type.name + ")", a, type, narrowed(type, a.value));
    }
    }
}

// Casts both branches to one type: with a constant condition, the compiler uses only the type of one branch.
Expression chosen(const Expression& condition, const Expression& a, const Expression& b, const Type& type)
{
    std::string cast = std::string("(") + type.name + ")";
    auto text = [&](auto part) {
        return "(" + condition.*part + " ? " + cast + a.*part + " : " + cast + b.*part + ")";
    };
    return {text(&Expression::constant), text(&Expression::variable), &type,
            narrowed(type, condition.value != 0 ? a.value : b.value)};
}

} // namespace

std::uint64_t Random::next()
{
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1dull;
}

std::string literal(const Type& type, std::uint64_t value)
{
    static const char digits[] = "0123456789abcdef";
    std::string hex;
    std::uint64_t bits = type.bits == 64 ? value : value & ((1ull << type.bits) - 1);
    do
        hex.insert(hex.begin(), digits[bits % 16]);
    while ((bits /= 16) != 0);
    return std::string("((") + type.name + ")0x" + hex + ")";
}

std::string shown(const Type& type, std::uint64_t value)
{
    value = narrowed(type, value);
    return type.is_signed ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value);
}

Expression random_expression(Random& random, unsigned depth, std::vector<Variable>& variables)
{
    if (depth == 0 || random.one_in(8))
        return leaf(random, variables);
    auto a = random_expression(random, depth - 1, variables);
    unsigned kind = random.below(10);
    if (kind == 0)
        return unary(random, a);
    if (kind == 1)
        return shifted(random, a);
    auto b = random_expression(random, depth - 1, variables);
    const Type& type = common(*a.type, *b.type);
    std::uint64_t x = as_operand(type, a), y = as_operand(type, b);
    if (kind == 2)
        return chosen(random_expression(random, depth - 1, variables), a, b, type);
    if (kind == 3)
        return divided(random, a, b);
    if (kind == 4) {
        const auto& op = comparison[random.below(std::size(comparison))];
        return joined(a, op.text, b, int_type, op.combine(type, x, y));
    }
    if (kind == 5) {
        const auto& op = logic[random.below(std::size(logic))];
        return joined(a, op.text, b, int_type, op.combine(type, a.value, b.value));
    }
    const auto& op = arithmetic[random.below(std::size(arithmetic))];
    if (op.text[0] == '+')
        return joined(a, op.text, b, type, added(type, a, b));
    if (op.text[0] == '-')
        return joined(a, op.text, b, type, as_sum(type, op.combine(type, a.value, b.value)));
    if (op.text[0] == '*')
        return joined(a, op.text, b, type, op.combine(type, a.value, b.value));
    return joined(a, op.text, b, type, op.combine(type, x, y));
}

std::string differential_program(std::uint64_t seed, unsigned count)
{
    Random random(seed);
    std::string declarations, assignments, prints;
    std::vector<Variable> variables;
    for (unsigned i = 0; i < count; i++) {
        auto expression = random_expression(random, 1 + random.below(4), variables);
        prints += "BEGIN { printf(\"%s %d %d\\n\", \"" + shown(*expression.type, expression.value) + "\",\n    " +
                  expression.constant + ",\n    " + expression.variable + "); }\n";
    }
    for (std::size_t i = 0; i < variables.size(); i++) {
        auto name = "v" + std::to_string(i);
        declarations += std::string(variables[i].type->name) + " " + name + ";\n";
        assignments += "    " + name + " = " + literal(*variables[i].type, variables[i].value) + ";\n";
    }
    return declarations + "BEGIN\n{\n" + assignments + "}\n" + prints + "BEGIN { exit(0); }\n";
}

} // namespace dt::verify
