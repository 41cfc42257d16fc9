#include "test/verify/differential/program.hpp"

#include <cstdio>

namespace dt::differential {

namespace {

// Precedence levels of dtrace-language(7), OPERATORS, in reverse order: higher levels bind tighter.
enum Level {
    kComma = 1,
    kAssign,
    kConditional,
    kOr,
    kXor,
    kAnd,
    kBitOr,
    kBitXor,
    kBitAnd,
    kEquality,
    kRelation,
    kShift,
    kSum,
    kProduct,
    kUnary,
    kPrimary
};

struct Spelling {
    Op op;
    const char* text;
    int level;
};
constexpr Spelling kBinary[] = {
    {Op::Multiply, "*", kProduct},
    {Op::Divide, "/", kProduct},
    {Op::Modulo, "%", kProduct},
    {Op::Add, "+", kSum},
    {Op::Subtract, "-", kSum},
    {Op::ShiftLeft, "<<", kShift},
    {Op::ShiftRight, ">>", kShift},
    {Op::Less, "<", kRelation},
    {Op::LessEqual, "<=", kRelation},
    {Op::Greater, ">", kRelation},
    {Op::GreaterEqual, ">=", kRelation},
    {Op::Equal, "==", kEquality},
    {Op::NotEqual, "!=", kEquality},
    {Op::BitAnd, "&", kBitAnd},
    {Op::BitXor, "^", kBitXor},
    {Op::BitOr, "|", kBitOr},
    {Op::And, "&&", kAnd},
    {Op::Xor, "^^", kXor},
    {Op::Or, "||", kOr},
    {Op::Comma, ",", kComma},
};
constexpr Spelling kPrefix[] = {
    {Op::Plus, "+", kUnary}, {Op::Negate, "-", kUnary},        {Op::BitNot, "~", kUnary},
    {Op::Not, "!", kUnary},  {Op::PreIncrement, "++", kUnary}, {Op::PreDecrement, "--", kUnary},
};

template <std::size_t N> const Spelling* find(const Spelling (&table)[N], Op op)
{
    for (const Spelling& s : table)
        if (s.op == op)
            return &s;
    return nullptr;
}

const char* function_name(Function f)
{
    constexpr const char* names[] = {"strlen",     "index",   "rindex",  "strtoll",  "substr",
                                     "strjoin",    "lltostr", "toupper", "tolower",  "strstr",
                                     "strcasestr", "strchr",  "strrchr", "basename", "dirname"};
    return names[static_cast<int>(f)];
}

std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (c == '\n')
            out += "\\n";
        else if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') {
            char octal[8];
            std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned char>(c));
            out += octal;
        } else
            out += c;
    }
    return out + "\"";
}

std::string type_name(TypeId type)
{
    return type == kText ? "string" : kIntegers[type].name;
}

std::string scope_name(const Variable& v)
{
    constexpr const char* prefix[] = {"", "self->", "this->"};
    return prefix[static_cast<int>(v.scope)] + v.name;
}

class Printer {
public:
    explicit Printer(const Program& program) : program_(program) {}

    std::string print(const Expr& e, int least = kComma)
    {
        int level = kPrimary;
        const std::string text = bare(e, level);
        return level < least || (e.parentheses && level < kPrimary) ? "(" + text + ")" : text;
    }

    std::string list(const std::vector<ExprPtr>& kids, std::size_t first = 0)
    {
        std::string text;
        for (std::size_t i = first; i < kids.size(); ++i)
            text += (i > first ? ", " : "") + print(*kids[i], kAssign);
        return text;
    }

private:
    std::string bare(const Expr& e, int& level)
    {
        if (const Spelling* s = find(kBinary, e.op)) {
            level = s->level;
            return print(*e.kids[0], s->level) + (e.op == Op::Comma ? "" : " ") + s->text + " " +
                   print(*e.kids[1], s->level + 1);
        }
        if (const Spelling* s = find(kPrefix, e.op)) {
            level = kUnary;
            // a blank keeps "- -x" from becoming "--x"
            return s->text + print(*e.kids[0], find(kPrefix, e.kids[0]->op) ? kPrimary : kUnary);
        }
        switch (e.op) {
        case Op::Literal:
            return e.text;
        case Op::Text:
            return quoted(e.text);
        case Op::Null:
            return "NULL";
        case Op::Variable:
            return scope_name(program_.variables[e.variable]);
        case Op::Element:
            return scope_name(program_.variables[e.variable]) + "[" + list(e.kids) + "]";
        case Op::Cast:
            level = kUnary;
            return "(" + type_name(e.type) + ")" + print(*e.kids[0], kUnary);
        case Op::SizeOf:
            return "sizeof(" + print(*e.kids[0]) + ")";
        case Op::Conditional:
            level = kConditional;
            return print(*e.kids[0], kOr) + " ? " + print(*e.kids[1], kConditional) + " : " +
                   print(*e.kids[2], kConditional);
        case Op::Assign: {
            level = kAssign;
            const Spelling* s = find(kBinary, e.compound);
            return print(*e.kids[0], kPrimary) + " " + (s ? s->text : "") + "= " + print(*e.kids[1], kAssign);
        }
        case Op::PostIncrement:
            return print(*e.kids[0], kPrimary) + "++";
        case Op::PostDecrement:
            return print(*e.kids[0], kPrimary) + "--";
        default:
            return std::string(function_name(e.function)) + "(" + list(e.kids) + ")";
        }
    }

    const Program& program_;
};

std::string declaration(const Variable& v)
{
    constexpr const char* prefix[] = {"", "self ", "this "};
    std::string text = prefix[static_cast<int>(v.scope)] + type_name(v.type) + " " + v.name;
    if (v.count)
        text += "[" + std::to_string(v.count) + "]";
    for (std::size_t i = 0; i < v.keys.size(); ++i)
        text += (i ? ", " : "[") + type_name(v.keys[i]);
    return text + (v.keys.empty() ? ";\n" : "];\n");
}

void print_statements(std::string& out, const Program& program, const std::vector<StmtPtr>& list, int depth)
{
    constexpr const char* aggs[] = {"count",  "sum",      "min",       "max",      "avg",
                                    "stddev", "quantize", "lquantize", "hquantize"};
    Printer printer(program);
    const std::string indent(static_cast<std::size_t>(depth) * 4, ' ');
    for (const StmtPtr& s : list) {
        out += indent;
        switch (s->kind) {
        case Stmt::Kind::Expression:
            out += printer.print(*s->exprs[0]) + ";\n";
            break;
        case Stmt::Kind::Trace:
            out += "trace(" + printer.list(s->exprs) + ");\n";
            break;
        case Stmt::Kind::Printf: {
            std::string format;
            for (const ExprPtr& e : s->exprs)
                format += e->type == kText ? "%s " : "%d ";
            out += "printf(\"" + format + "\", " + printer.list(s->exprs) + ");\n";
            break;
        }
        case Stmt::Kind::If:
            out += "if (" + printer.print(*s->exprs[0]) + ") {\n";
            print_statements(out, program, s->then, depth + 1);
            out += indent + "}";
            if (!s->otherwise.empty()) {
                out += " else {\n";
                print_statements(out, program, s->otherwise, depth + 1);
                out += indent + "}";
            }
            out += "\n";
            break;
        case Stmt::Kind::Aggregate: {
            const Aggregation& a = program.aggregations[s->aggregation];
            out += "@" + a.name;
            for (std::size_t i = 0; i < a.keys.size(); ++i)
                out += (i ? ", " : "[") + Printer(program).print(*s->exprs[i], kAssign);
            out += a.keys.empty() ? " = " : "] = ";
            out += std::string(aggs[static_cast<int>(a.kind)]) + "(" + printer.list(s->exprs, a.keys.size());
            out += a.kind == AggKind::Lquantize   ? ", -10, 50, 7);\n"
                   : a.kind == AggKind::Hquantize ? ", 1);\n"
                                                  : ");\n";
            break;
        }
        }
    }
}

} // namespace

int64_t narrow(int64_t value, TypeId type)
{
    const unsigned drop = 64u - kIntegers[type].bits;
    const uint64_t high = static_cast<uint64_t>(value) << drop;
    return kIntegers[type].is_signed ? static_cast<int64_t>(high) >> drop : static_cast<int64_t>(high >> drop);
}

TypeId usual(TypeId a, TypeId b)
{
    const auto rank = [](TypeId t) { return kIntegers[t].bits + (kIntegers[t].is_signed ? 0 : 1); };
    return rank(a) >= rank(b) ? a : b;
}

ExprPtr clone(const Expr& e)
{
    auto copy = std::make_unique<Expr>();
    copy->op = e.op;
    copy->type = e.type;
    copy->value = e.value;
    copy->text = e.text;
    copy->variable = e.variable;
    copy->compound = e.compound;
    copy->function = e.function;
    copy->parentheses = e.parentheses;
    for (const ExprPtr& kid : e.kids)
        copy->kids.push_back(clone(*kid));
    return copy;
}

bool is_constant(const Expr& e)
{
    switch (e.op) {
    case Op::Literal:
    case Op::SizeOf:
        return true;
    case Op::Text:
    case Op::Null:
    case Op::Variable:
    case Op::Element:
    case Op::Assign:
    case Op::PreIncrement:
    case Op::PreDecrement:
    case Op::PostIncrement:
    case Op::PostDecrement:
    case Op::Call:
        return false;
    case Op::And:
    case Op::Or:
    case Op::Conditional:
    case Op::Comma:
        // The result may be constant even if only one operand is, such as 0 && x.
        for (const ExprPtr& kid : e.kids)
            if (is_constant(*kid))
                return true;
        return false;
    default:
        for (const ExprPtr& kid : e.kids)
            if (!is_constant(*kid))
                return false;
        return true;
    }
}

std::string to_d(const Expr& e, const Program& program)
{
    return Printer(program).print(e);
}

std::string to_d(const Program& program)
{
    std::string out;
    if (program.strsize != 256)
        out += "#pragma D option strsize=" + std::to_string(program.strsize) + "\n";
    for (const Variable& v : program.variables)
        if (v.declared)
            out += declaration(v);
    for (const Clause& clause : program.clauses) {
        out += clause.on_error ? "ERROR\n" : "BEGIN\n";
        if (clause.predicate)
            out += "/" + Printer(program).print(*clause.predicate) + "/\n";
        out += "{\n";
        print_statements(out, program, clause.body, 1);
        out += "}\n";
    }
    return out;
}

} // namespace dt::differential
