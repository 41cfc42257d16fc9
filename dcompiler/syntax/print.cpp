#include "dcompiler/syntax/print.hpp"

#include <iterator>

namespace dt::syntax {

namespace {

using namespace ast;

constexpr std::string_view kSpellings[] = {
    "",  "+", "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~", "!",  "<<", ">>", "<",  "<=", ">",   ">=", "==",
    "!=", "&&", "||", "^^", "++", "--", "=",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
};
static_assert(std::size(kSpellings) == static_cast<std::size_t>(Operator::AssignShr) + 1);

std::string quoted(std::string_view text)
{
    constexpr std::string_view hex = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (c == '\n')
            result += "\\n";
        else if (byte < 0x20 || byte == 0x7f)
            result += std::string("\\x") + hex[byte >> 4] + hex[byte & 15];
        else
            result += c;
    }
    return result + '"';
}

std::string integer(const Expr& expr)
{
    return std::to_string(expr.number) + (expr.unsigned_suffix ? "u" : "") + std::string(expr.longs, 'l');
}

std::string list(std::string_view head, const Expr& expr, std::string_view tail = {})
{
    std::string result = "(" + std::string(head);
    for (const Expr* kid : expr.kids)
        result += " " + print(*kid);
    if (!tail.empty())
        result += " " + std::string(tail);
    return result + ")";
}

std::string parameters(const std::vector<Parameter>& list, bool variadic)
{
    std::string result;
    for (const Parameter& parameter : list) {
        const std::string declarator = print(*parameter.declarator);
        result += (result.empty() ? "" : ", ") + print(*parameter.spec) + (declarator.empty() ? "" : " ") + declarator;
    }
    if (variadic)
        result += result.empty() ? "..." : ", ...";
    return result;
}

std::string suffix(const DeclPart& part)
{
    switch (part.kind) {
    case DeclPart::Kind::Array: return "[" + (part.size ? print(*part.size) : "") + "]";
    case DeclPart::Kind::Associative: return "[" + parameters(part.parameters, part.variadic) + "]";
    default: return "(" + parameters(part.parameters, part.variadic) + ")";
    }
}

std::string_view storage(StorageClass storage)
{
    constexpr std::string_view names[] = {"", "auto ", "register ", "static ", "extern ", "typedef ", "self ", "this "};
    return names[static_cast<std::size_t>(storage)];
}

std::string_view base(BaseKind kind)
{
    constexpr std::string_view names[] = {"",       "void",   "_Bool",  "char",  "int",  "float",
                                          "double", "string", "struct", "union", "enum", ""};
    return names[static_cast<std::size_t>(kind)];
}

std::string declared(const DeclSpec& spec, const std::vector<Declarator*>& declarators)
{
    std::string result = print(spec);
    for (std::size_t i = 0; i < declarators.size(); ++i) {
        result += (i == 0 ? " " : ", ") + print(*declarators[i]);
        if (declarators[i]->bits)
            result += " : " + print(*declarators[i]->bits);
    }
    return result;
}

std::string body(const DeclSpec& spec)
{
    std::string result = " {";
    for (const MemberDecl* member : spec.members)
        result += " " + declared(*member->spec, member->declarators) + ";";
    for (std::size_t i = 0; i < spec.enumerators.size(); ++i) {
        result += (i == 0 ? " " : ", ") + spec.enumerators[i].name;
        if (spec.enumerators[i].value)
            result += " = " + print(*spec.enumerators[i].value);
    }
    return result + " }";
}

// Writes items and statements, one a line.
class TreePrinter {
public:
    std::string text;

    void item(const Item& item)
    {
        switch (item.kind) {
        case Item::Kind::Clause: return clause(*item.clause);
        case Item::Kind::Declaration: return line(0, declared(*item.declaration->spec, item.declaration->declarators));
        case Item::Kind::Inline:
            return line(0, "inline " + print(*item.inline_->spec) + " " + print(*item.inline_->declarator) + " = " +
                               print(*item.inline_->value));
        case Item::Kind::Translator: return translator(*item.translator);
        case Item::Kind::Provider: return provider(*item.provider);
        case Item::Kind::Pragma: return pragma(*item.pragma);
        }
    }

private:
    void line(unsigned depth, const std::string& content)
    {
        text.append(2 * static_cast<std::size_t>(depth), ' ');
        text += content;
        text += '\n';
    }

    void clause(const Clause& clause)
    {
        std::string head = "clause";
        for (const ProbeDesc& description : clause.descriptions) {
            head += &description == &clause.descriptions.front() ? " " : ", ";
            head += description.id ? std::to_string(*description.id)
                                   : description.provider + ":" + description.module + ":" + description.function + ":" + description.name;
        }
        line(0, head);
        if (clause.predicate)
            line(1, "predicate " + print(*clause.predicate));
        for (const Stmt* statement : clause.body)
            this->statement(*statement, 1);
    }

    void statement(const Stmt& statement, unsigned depth)
    {
        switch (statement.kind) {
        case StmtKind::Expression: return line(depth, statement.expr ? print(*statement.expr) : "empty");
        case StmtKind::Block:
            line(depth, "block");
            for (const Stmt* inner : statement.body)
                this->statement(*inner, depth + 1);
            return;
        case StmtKind::If:
            line(depth, "if " + print(*statement.expr));
            this->statement(*statement.body[0], depth + 1);
            if (statement.body.size() > 1) {
                line(depth, "else");
                this->statement(*statement.body[1], depth + 1);
            }
        }
    }

    void translator(const Translator& translator)
    {
        line(0, "translator " + print(*translator.output) + " < " + print(*translator.input) + " >");
        for (const TranslatorMember& member : translator.members)
            line(1, member.name + " = " + print(*member.value));
    }

    void provider(const ProviderDef& provider)
    {
        line(0, "provider " + provider.name);
        for (const ProviderProbe& probe : provider.probes)
            line(1, "probe " + probe.name + "(" + parameters(probe.input, false) + ")" +
                        (probe.has_output ? " : (" + parameters(probe.output, false) + ")" : ""));
    }

    void pragma(const Pragma& pragma)
    {
        std::string content = "pragma " + pragma.name;
        for (const std::string& word : pragma.words)
            content += " " + word;
        line(0, content);
    }
};

} // namespace

std::string_view spelling(Operator op) { return kSpellings[static_cast<std::size_t>(op)]; }

std::string print(const Expr& expr)
{
    switch (expr.kind) {
    case ExprKind::Integer: return integer(expr);
    case ExprKind::String: return quoted(expr.text);
    case ExprKind::Identifier:
    case ExprKind::Macro: return expr.text;
    case ExprKind::Self: return "self->" + expr.text;
    case ExprKind::This: return "this->" + expr.text;
    case ExprKind::Aggregation: return "@" + expr.text;
    case ExprKind::Index: return list("[]", expr);
    case ExprKind::Call: return list("call", expr);
    case ExprKind::Member: return list(".", expr, expr.text);
    case ExprKind::Arrow: return list("->", expr, expr.text);
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Assign: return list(spelling(expr.op), expr);
    case ExprKind::Postfix: return list("post " + std::string(spelling(expr.op)), expr);
    case ExprKind::Conditional: return list("?:", expr);
    case ExprKind::Comma: return list(",", expr);
    case ExprKind::Cast: return list("cast " + print(*expr.type), expr);
    case ExprKind::SizeofExpr: return list("sizeof", expr);
    case ExprKind::SizeofType: return "(sizeof " + print(*expr.type) + ")";
    case ExprKind::Offsetof: return "(offsetof " + print(*expr.type) + " " + expr.text + ")";
    case ExprKind::Stringof: return list("stringof", expr);
    case ExprKind::Xlate: return list("xlate " + print(*expr.type), expr);
    }
    return {};
}

std::string print(const DeclSpec& spec)
{
    std::string result(storage(spec.storage));
    const auto word = [&](bool present, std::string_view text) {
        if (present)
            result += text;
    };
    word(spec.is_userland, "userland ");
    word(spec.is_const, "const ");
    word(spec.is_volatile, "volatile ");
    word(spec.is_restrict, "restrict ");
    word(spec.is_signed, "signed ");
    word(spec.is_unsigned, "unsigned ");
    word(spec.is_short, "short ");
    for (unsigned i = 0; i < spec.longs; ++i)
        result += "long ";
    result += base(spec.base);
    if (!spec.name.empty())
        result += (spec.base == BaseKind::Named ? "" : " ") + spec.name;
    if (spec.defines)
        result += body(spec);
    while (!result.empty() && result.back() == ' ')
        result.pop_back();
    return result;
}

std::string print(const Declarator& declarator)
{
    std::string result = declarator.name;
    bool after_pointer = false;
    for (const DeclPart& part : declarator.parts) {
        const bool pointer = part.kind == DeclPart::Kind::Pointer;
        if (!pointer && after_pointer)
            result = "(" + result + ")";
        result = pointer ? "*" + result : result + suffix(part);
        after_pointer = pointer;
    }
    return result;
}

std::string print(const TypeName& type)
{
    const std::string declarator = print(*type.declarator);
    return print(*type.spec) + (declarator.empty() ? "" : " ") + declarator;
}

std::string print(const Ast& ast)
{
    TreePrinter printer;
    for (const Item& item : ast.items)
        printer.item(item);
    return printer.text;
}

} // namespace dt::syntax
