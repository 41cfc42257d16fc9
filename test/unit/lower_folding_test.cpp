// Tests that a constant expression has the same result at compile time and at run time: every operator, with pairs of
// integer types and their extreme values. The programs run in the virtual machine.
#include <gmock/gmock.h>

#include <sstream>

#include "test/unit/lower_run.hpp"

namespace {

using dt::test::run_d;
using testing::ElementsAre;

struct Integer {
    std::string name;
    std::vector<std::string> edges;
};

const Integer kIntegers[] = {
    {"int8_t", {"-128", "-1", "127"}},
    {"uint8_t", {"0", "1", "255"}},
    {"int16_t", {"-32768", "-1", "32767"}},
    {"uint16_t", {"0", "3", "65535"}},
    {"int32_t", {"-2147483648", "-1", "2147483647"}},
    {"uint32_t", {"0", "1", "4294967295"}},
    {"int64_t", {"-9223372036854775807", "-1", "4294967295"}},
    {"uint64_t", {"0", "5", "18446744073709551615ull"}},
};
const std::string kOperators[] = {"+",  "-",  "*", "/",  "%", "&",  "|",  "^",  "<<", ">>",
                                  "==", "!=", "<", "<=", ">", ">=", "&&", "||", "^^"};

std::string constant(const Integer& type, std::size_t edge)
{
    return "(" + type.name + ")" + type.edges[edge];
}

/// Returns statements that apply every operator to two integers: as constants if `folded` is set, otherwise as
/// variables with these values.
std::string statements(const Integer& left, const Integer& right, bool folded)
{
    std::ostringstream text;
    const auto record = [&text](const std::string& expression) {
        text << "trace((int64_t)(" << expression << ")); trace((" << expression << ") == -1ll); ";
    };
    for (std::size_t i = 0; i < left.edges.size(); ++i) {
        const std::string a = folded ? constant(left, i) : "a" + std::to_string(i);
        for (const char* op : {"-", "~", "!", "+"})
            record(op + a);
        for (std::size_t j = 0; j < right.edges.size(); ++j) {
            const std::string b = folded ? constant(right, j) : "b" + std::to_string(j);
            for (const std::string& op : kOperators)
                if (right.edges[j] != "0" || (op != "/" && op != "%"))
                    record(a + " " + op + " " + b);
        }
    }
    return text.str();
}

std::string variables(const Integer& left, const Integer& right)
{
    std::string declared, set;
    for (std::size_t i = 0; i < left.edges.size(); ++i) {
        const std::string n = std::to_string(i);
        declared += left.name + " a" + n + "; " + right.name + " b" + n + "; ";
        set += "a" + n + " = " + left.edges[i] + "; b" + n + " = " + right.edges[i] + "; ";
    }
    return declared + "BEGIN { " + set + "} ";
}

class ConstantFolding : public testing::TestWithParam<std::size_t> {};

TEST_P(ConstantFolding, FoldedExpressionsHaveTheSameResultAsAtRunTime)
{
    const Integer& left = kIntegers[GetParam()];
    for (const Integer& right : kIntegers) {
        const auto folded = run_d("BEGIN { " + statements(left, right, true) + "}");
        const auto computed = run_d(variables(left, right) + "BEGIN { " + statements(left, right, false) + "}");
        ASSERT_EQ(folded.problem + computed.problem, "");
        ASSERT_GT(folded.values.size(), 300u);
        EXPECT_EQ(folded.values, computed.values) << left.name << ", " << right.name;
    }
}
INSTANTIATE_TEST_SUITE_P(Types, ConstantFolding, testing::Range<std::size_t>(0, std::size(kIntegers)));

TEST(ConstantFolding, AnUnsignedIntIsNeverNegative)
{
    EXPECT_THAT(run_d("this int64_t x; this unsigned u; BEGIN { this->x = 4294967295; this->u = 1; trace(this->x == "
                      "-1u); trace(this->x == ~0u); "
                      "trace(this->x == 0u - 1u); trace(this->x == -this->u); trace(this->x == ~(this->u - 1)); "
                      "trace((int64_t)(this->u - 2)); "
                      "this->u = -1; trace(this->u == -1); trace(this->u / -1); }")
                    .values,
                ElementsAre("1", "1", "1", "1", "1", "4294967295", "1", "1"));
}

TEST(ConstantFolding, ProductsAndUndeclaredVariablesKeepSixtyFourBits)
{
    EXPECT_THAT(
        run_d(
            "unsigned u; BEGIN { u = 4000000; n = u; n += 4294967295u; trace((int64_t)(u * 10000)); trace((int64_t)n); "
            "trace((int64_t)(n + u)); trace((int64_t)((u + 4294967295u) ^ 1)); trace((int64_t)((4000000u + "
            "4294967295u) ^ 1)); }")
            .values,
        ElementsAre("40000000000", "4298967295", "4302967295", "4298967294", "4298967294"));
}

} // namespace
