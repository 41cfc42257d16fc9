// Random whole programs: clauses with predicates, variables of every class, strings, aggregations, conditions.
//
// Nothing is computed here; what counts is that the kernel accepts whatever the compiler accepted. Divisions may fault, which is a legal end
// of a clause.
#include <iterator>

#include "test/verify/generate.hpp"

namespace dt::verify {

namespace {

// The fixed cast of each program: names with their kinds, so that every statement is well typed by construction.
const char* const declarations = R"(int8_t g0; uint16_t g1; int g2; uint64_t g3; string s0; string s1;
self int t0; self uint64_t t1; self string ts;
this int8_t l0; this uint32_t l1; this int64_t l2; this string ls;
)";

const char* const integers[] = {"g0", "g1", "g2", "g3", "self->t0", "self->t1", "this->l0", "this->l1", "this->l2"};
const char* const strings[] = {"s0", "s1", "this->ls"};
const char* const builtins[] = {"pid", "tid", "uid", "arg0", "arg1", "timestamp", "id", "errno"};
const char* const string_values[] = {"execname", "probename", "probefunc", "\"\"", "\"literal\"", "\"another, longer literal\"", "s0", "s1"};
const char* const operators[] = {"+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", "==", ">=", "&&", "||", "^^"};
const char* const assignments[] = {"=", "+=", "-=", "*=", "|=", "&=", "^="};

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    std::string program()
    {
        std::string text = declarations;
        text += "BEGIN { g2 = 3; g3 = 7; s0 = \"start\"; }\n";
        for (unsigned i = 0, count = 1 + random_.below(6); i < count; i++)
            text += clause();
        return text + "tick-10ms { exit(0); }\n";
    }

private:
    template <typename Array>
    std::string pick(const Array& from)
    {
        return from[random_.below(std::size(from))];
    }

    std::string integer(unsigned depth)
    {
        if (depth == 0 || random_.one_in(4)) {
            unsigned kind = random_.below(5);
            if (kind == 0)
                return pick(builtins);
            if (kind == 1)
                return std::to_string(static_cast<int>(random_.below(100000)) - 50000);
            return pick(integers);
        }
        switch (random_.below(10)) {
        case 0:
            return "(" + integer(depth - 1) + " ? " + integer(depth - 1) + " : " + integer(depth - 1) + ")";
        case 1:
            return "(" + string_value() + (random_.one_in(2) ? " == " : " < ") + string_value() + ")";
        case 2:
            return std::string("(") + types[random_.below(8)].name + ")" + integer(depth - 1);
        case 3:
            return (random_.one_in(2) ? "~" : "!") + pick(integers);
        default: {
            auto op = pick(operators);
            if (op == "<<" || op == ">>")
                return "(" + integer(depth - 1) + " " + op + " " + std::to_string(random_.below(64)) + ")";
            if (op == "/" || op == "%") // a constant zero is an error, so the divisor is a variable
                return "(" + integer(depth - 1) + " " + op + " " + pick(integers) + ")";
            return "(" + integer(depth - 1) + " " + op + " " + integer(depth - 1) + ")";
        }
        }
    }

    std::string string_value()
    {
        if (random_.one_in(8))
            return "(" + pick(integers) + " ? " + pick(string_values) + " : " + pick(string_values) + ")";
        return pick(string_values);
    }

    std::string aggregation()
    {
        auto name = std::to_string(random_.below(2));
        switch (random_.below(7)) {
        case 0:
            return "@count" + name + "[" + pick(builtins) + "] = count();";
        case 1:
            return "@sum" + name + " = sum(" + integer(2) + ");";
        case 2:
            return "@avg" + name + "[execname] = avg(" + integer(2) + ");";
        case 3:
            return "@quantize" + name + "[probefunc, (int)" + pick(integers) + "] = quantize(" + integer(2) + ");";
        case 4:
            return "@lquantize" + name + " = lquantize(" + integer(2) + ", 0, 100, 10);";
        case 5:
            return "@stddev" + name + "[" + string_value() + "] = stddev(" + integer(1) + ");";
        default:
            return random_.one_in(2) ? "@min" + name + "[(int)id] = min(" + integer(2) + ");" : "@max" + name + " = max(" + integer(2) + ");";
        }
    }

    std::string record()
    {
        switch (random_.below(4)) {
        case 0:
            return "trace(" + integer(2) + ");";
        case 1:
            return "trace(" + string_value() + ");";
        case 2:
            return "printf(\"%d %x %s\\n\", " + integer(2) + ", " + integer(1) + ", " + string_value() + ");";
        default:
            return "printf(\"%s %d\\n\", " + string_value() + ", (char)" + pick(integers) + ");";
        }
    }

    std::string statement(unsigned depth)
    {
        switch (random_.below(depth > 0 ? 7 : 6)) {
        case 0:
        case 1:
            return pick(integers) + " " + pick(assignments) + " " + integer(3) + ";";
        case 2:
            return pick(strings) + " = " + string_value() + ";";
        case 3:
            return aggregation();
        case 4:
            return record();
        case 5:
            return pick(integers) + (random_.one_in(2) ? "++;" : "--;");
        default:
            return "if (" + integer(2) + ") { " + statement(depth - 1) + " }" +
                   (random_.one_in(2) ? " else { " + statement(depth - 1) + " }" : "");
        }
    }

    std::string clause()
    {
        static const char* const probes[] = {"BEGIN", "syscall::getppid:entry", "syscall::getppid:return", "syscall:::entry", "tick-2ms",
                                             "profile-997", "BEGIN, END", "syscall::getppid:"};
        auto probe = pick(probes);
        std::string predicate;
        if (probe.find("syscall") == 0 || probe == "profile-997")
            predicate = " /pid == $target" + (random_.one_in(2) ? " && " + integer(2) : std::string()) + "/";
        else if (random_.one_in(2))
            predicate = " /" + integer(2) + "/";
        std::string text = probe + predicate + "\n{\n";
        for (unsigned i = 0, count = 1 + random_.below(6); i < count; i++)
            text += "    " + statement(2) + "\n";
        return text + "}\n";
    }

    Random random_;
};

} // namespace

std::string any_program(std::uint64_t seed)
{
    return Generator(seed).program();
}

} // namespace dt::verify
