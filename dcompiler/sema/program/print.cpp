// Prints statements and expressions of the typed program: operators, types and operands.
#include "dcompiler/sema/program/program.hpp"

#include "dcompiler/sema/program/builtins.hpp"

namespace dt {

namespace {

constexpr const char* kNames[] = {"Integer",         "String",       "Variable", "Builtin",   "KernelSymbol",
                                  "Deref",           "Index",        "Member",   "AddressOf", "Cast",
                                  "StringOf",        "Negate",       "BitNot",   "Not",       "Multiply",
                                  "Divide",          "Modulo",       "Add",      "Subtract",  "ShiftLeft",
                                  "ShiftRight",      "BitAnd",       "BitOr",    "BitXor",    "PointerAdd",
                                  "PointerDistance", "Equal",        "NotEqual", "Less",      "LessEqual",
                                  "Greater",         "GreaterEqual", "And",      "Or",        "Xor",
                                  "Conditional",     "Comma",        "Assign",   "Call",      "Address",
                                  "Bounded"};

std::string type_text(const Type* type)
{
    std::string text = to_string(type);
    if (type && type->resolve()->kind == TypeKind::String)
        text.append("(").append(std::to_string(type->resolve()->size)).append(")");
    if (type && type->resolve()->kind == TypeKind::Pointer && type->resolve()->space == AddressSpace::Scratch)
        text.insert(0, "scratch ");
    return text;
}

std::string quoted(const std::string& text)
{
    return std::string(1, '"').append(text).append(1, '"');
}

std::string scoped(const Variable& variable)
{
    const char* prefix = variable.scope == Scope::Self ? "self->" : variable.scope == Scope::This ? "this->" : "";
    return std::string(prefix).append(variable.name);
}

std::string head(const TExpr& e)
{
    switch (e.op) {
    case TOp::Integer:
        return std::to_string(e.value);
    case TOp::String:
        return quoted(e.text);
    case TOp::Variable:
        return scoped(*e.variable);
    case TOp::Builtin: {
        std::string name = e.builtin ? std::string(e.builtin->name) : "parameter";
        if (e.builtin && e.builtin->is_array())
            name.append("[").append(std::to_string(e.value)).append("]");
        return name;
    }
    case TOp::KernelSymbol:
        return std::string("`").append(e.text);
    case TOp::Member:
        return std::string("Member.").append(e.member->name);
    case TOp::Call:
        return std::string(e.subroutine->name);
    case TOp::Address:
        return std::string(e.action->name);
    case TOp::PointerAdd:
    case TOp::PointerDistance:
        return std::string(kNames[static_cast<std::size_t>(e.op)]).append("*").append(std::to_string(e.value));
    case TOp::Assign:
        return std::string(e.post ? "PostAssign" : "Assign")
            .append(e.compound == TOp::Integer ? "" : kNames[static_cast<std::size_t>(e.compound)]);
    default:
        return kNames[static_cast<std::size_t>(e.op)];
    }
}

void append(std::string& text, const TExpr& e)
{
    const bool leaf = e.kids.empty() && e.op != TOp::Call && e.op != TOp::Address;
    text.append(leaf ? "" : "(").append(head(e)).append(":").append(type_text(e.type));
    for (const TExpr* kid : e.kids) {
        text += " ";
        append(text, *kid);
    }
    text += leaf ? "" : ")";
}

void append_list(std::string& text, const std::vector<TExpr*>& list, const char* separator)
{
    for (std::size_t i = 0; i < list.size(); ++i) {
        text += i ? separator : "";
        append(text, *list[i]);
    }
}

void append(std::string& text, const TStmt& s, const std::string& indent)
{
    text += indent;
    switch (s.kind) {
    case TStmtKind::Expression:
        append(text, *s.expr);
        break;
    case TStmtKind::Action:
        text += std::string(s.action->name) + "(";
        if (s.has_format)
            text += quoted(s.format) + (s.args.empty() && s.aggregations.empty() ? "" : ", ");
        for (std::size_t i = 0; i < s.aggregations.size(); ++i)
            text.append(i ? ", @" : "@")
                .append(s.aggregations[i]->name)
                .append(i + 1 == s.aggregations.size() && !s.args.empty() ? ", " : "");
        append_list(text, s.args, ", ");
        text += ")";
        break;
    case TStmtKind::Aggregate:
        text.append("@").append(s.aggregation->name).append("[");
        append_list(text, s.keys, ", ");
        text += "] = " + std::string(s.aggregation->function->name) + "(";
        append_list(text, s.args, ", ");
        text += ")";
        break;
    case TStmtKind::If:
        text += "if ";
        append(text, *s.expr);
        text += "\n";
        for (const TStmt* each : s.then)
            append(text, *each, indent + "  ");
        if (!s.otherwise.empty()) {
            text += indent + "else\n";
            for (const TStmt* each : s.otherwise)
                append(text, *each, indent + "  ");
        }
        return;
    }
    text += "\n";
}

} // namespace

std::string to_string(const TExpr& expr)
{
    std::string text;
    append(text, expr);
    return text;
}

std::string to_string(const TStmt& stmt)
{
    std::string text;
    append(text, stmt, "");
    return text;
}

std::string to_string(const Statement& statement)
{
    std::string text = statement.description;
    if (statement.predicate)
        text.append(" / ").append(to_string(*statement.predicate)).append(" /");
    text += "\n";
    for (const TStmt* each : statement.body)
        append(text, *each, "  ");
    return text;
}

} // namespace dt
