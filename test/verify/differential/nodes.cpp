#include "test/verify/differential/nodes.hpp"

#include <cstdio>
#include <iterator>

namespace dt::differential {

namespace {

std::string octal(uint64_t value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%llo", static_cast<unsigned long long>(value));
    return text;
}

} // namespace

int64_t edge_value(TypeId type, verify::Random& random)
{
    const unsigned bits = kIntegers[type].bits;
    const int64_t edges[] = {0,
                             1,
                             2,
                             3,
                             5,
                             7,
                             10,
                             -1,
                             -2,
                             int64_t{1} << (bits - 2),
                             static_cast<int64_t>(uint64_t{1} << (bits - 1)),
                             static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1),
                             127,
                             128,
                             255,
                             256,
                             0x7fffffff};
    if (random.one_in(4))
        return narrow(static_cast<int64_t>(random.next()), type);
    return narrow(edges[random.below(static_cast<unsigned>(std::size(edges)))], type);
}

ExprPtr spelled(int64_t value, TypeId type, verify::Random& random)
{
    const auto digits = [](uint64_t v, bool hex) {
        char text[32];
        std::snprintf(text, sizeof text, hex ? "0x%llx" : "%llu", static_cast<unsigned long long>(v));
        return std::string(text);
    };
    const auto unsigned_value = static_cast<uint64_t>(value);
    const bool hex = random.one_in(4);
    if (type == kUnsigned)
        return literal_of(digits(unsigned_value, hex) + "u", value, type);
    if (type == kUnsignedLong)
        return literal_of(digits(unsigned_value, hex) + (random.one_in(2) ? "ul" : "ull"), value, type);
    if (type == kInt && value >= 0 && value < 128 && value >= ' ' && value != '\'' && value != '\\' && value != '"' &&
        random.one_in(4))
        return literal_of(std::string("'") + static_cast<char>(value) + "'", value, type);
    if (type == kInt && value >= 0)
        return literal_of(value && random.one_in(6) ? "0" + octal(unsigned_value) : digits(unsigned_value, hex), value,
                          type);
    if (type == kLong && value >= 0)
        return literal_of(digits(unsigned_value, hex) + "l", value, type);
    if (type == kInt && value != INT32_MIN)
        return make(Op::Negate, type, literal_of(digits(0 - unsigned_value, hex), -value, type));
    if (type == kLong && value != INT64_MIN)
        return make(Op::Negate, type, literal_of(digits(0 - unsigned_value, hex) + "l", -value, type));
    return cast(literal_of(digits(unsigned_value, true) + "ul", value, kUnsignedLong), type);
}

ExprPtr with_values(const Expr& e, const std::vector<uint32_t>& variables, const std::vector<ExprPtr>& values)
{
    if (e.op == Op::Variable)
        for (std::size_t i = 0; i < variables.size(); ++i)
            if (variables[i] == e.variable)
                return clone(*values[i]);
    ExprPtr copy = clone(e);
    for (std::size_t i = 0; i < e.kids.size(); ++i)
        copy->kids[i] = with_values(*e.kids[i], variables, values);
    return copy;
}

} // namespace dt::differential
