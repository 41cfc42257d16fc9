// Prints the syntax tree as it was parsed.
#include "dcompiler/syntax/print.hpp"

#include <iterator>

namespace dt::syntax {

namespace {

using namespace ast;

constexpr std::string_view kSpellings[] = {
    "",   "+",  "-",  "*",  "/",  "%",  "&", "|",  "^",  "~",  "!",  "<<", ">>", "<",  "<=", ">",   ">=",  "==",
    "!=", "&&", "||", "^^", "++", "--", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
};
static_assert(std::size(kSpellings) == static_cast<std::size_t>(Operator::AssignShr) + 1);

constexpr std::string_view kStorage[] = {"", "auto ", "register ", "static ", "extern ", "typedef ", "self ", "this "};
constexpr std::string_view kBase[] = {"",       "void",   "_Bool",  "char",  "int",  "float",
                                      "double", "string", "struct", "union", "enum", ""};

// Prints by appending to one string, so that the time is linear.
class Printer {
public:
    explicit Printer(std::string& text) : text_(text) {}

    void expr(const Expr& expr);
    void spec(const DeclSpec& spec);
    void type(const TypeName& type) { spec_and(*type.spec, *type.declarator); }
    void declarator(const Declarator& declarator);
    void declared(const DeclSpec& spec, const std::vector<Declarator*>& declarators);
    void parameters(const std::vector<Parameter>& list, bool variadic);

private:
    void add(std::string_view piece) { text_.append(piece); }
    void quoted(std::string_view text);
    void list(std::string_view head, const Expr& expr, const TypeName* type = nullptr);
    void body(const DeclSpec& spec);
    void suffix(const DeclPart& part);
    void spec_and(const DeclSpec& spec, const Declarator& declarator);

    std::string& text_;
};

void Printer::quoted(std::string_view text)
{
    constexpr std::string_view hex = "0123456789abcdef";
    text_ += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            text_ += '\\';
            text_ += c;
        } else if (c == '\n') {
            add("\\n");
        } else if (byte < 0x20 || byte == 0x7f) {
            add("\\x");
            text_ += hex[byte >> 4];
            text_ += hex[byte & 15];
        } else {
            text_ += c;
        }
    }
    text_ += '"';
}

// prints `(head type kids text)`
void Printer::list(std::string_view head, const Expr& expr, const TypeName* type)
{
    text_ += '(';
    add(head);
    if (type) {
        text_ += ' ';
        this->type(*type);
    }
    for (const Expr* kid : expr.kids) {
        text_ += ' ';
        this->expr(*kid);
    }
    if (!expr.text.empty() && expr.kind != ExprKind::SizeofExpr) { // in a SizeofExpr, `text` is redundant
        text_ += ' ';
        add(expr.text);
    }
    text_ += ')';
}

void Printer::expr(const Expr& expr)
{
    switch (expr.kind) {
    case ExprKind::Integer:
        add(std::to_string(expr.number));
        add(expr.unsigned_suffix ? "u" : "");
        return add(std::string_view("lll").substr(0, expr.longs));
    case ExprKind::String:
        return quoted(expr.text);
    case ExprKind::Identifier:
    case ExprKind::Macro:
        return add(expr.text);
    case ExprKind::Self:
        add("self->");
        return add(expr.text);
    case ExprKind::This:
        add("this->");
        return add(expr.text);
    case ExprKind::Aggregation:
        add("@");
        return add(expr.text);
    case ExprKind::Index:
        return list("[]", expr);
    case ExprKind::Call:
        return list("call", expr);
    case ExprKind::Member:
        return list(".", expr);
    case ExprKind::Arrow:
        return list("->", expr);
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Assign:
        return list(spelling(expr.op), expr);
    case ExprKind::Postfix:
        return list(expr.op == Operator::Increment ? "post ++" : "post --", expr);
    case ExprKind::Conditional:
        return list("?:", expr);
    case ExprKind::Comma:
        return list(",", expr);
    case ExprKind::Cast:
        return list("cast", expr, expr.type);
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
        return list("sizeof", expr, expr.type);
    case ExprKind::Offsetof:
        return list("offsetof", expr, expr.type);
    case ExprKind::Stringof:
        return list("stringof", expr);
    case ExprKind::Xlate:
        return list("xlate", expr, expr.type);
    }
}

void Printer::spec(const DeclSpec& spec)
{
    add(kStorage[static_cast<std::size_t>(spec.storage)]);
    add(spec.is_userland ? "userland " : "");
    add(spec.is_const ? "const " : "");
    add(spec.is_volatile ? "volatile " : "");
    add(spec.is_restrict ? "restrict " : "");
    add(spec.is_signed ? "signed " : "");
    add(spec.is_unsigned ? "unsigned " : "");
    add(spec.is_short ? "short " : "");
    for (unsigned i = 0; i < spec.longs; ++i)
        add("long ");
    add(kBase[static_cast<std::size_t>(spec.base)]);
    if (!spec.name.empty() && spec.base != BaseKind::Named)
        text_ += ' ';
    add(spec.name);
    if (spec.defines)
        body(spec);
    while (!text_.empty() && text_.back() == ' ')
        text_.pop_back();
}

void Printer::body(const DeclSpec& spec)
{
    add(" {");
    for (const MemberDecl* member : spec.members) {
        text_ += ' ';
        declared(*member->spec, member->declarators);
        text_ += ';';
    }
    for (const EnumeratorDecl& enumerator : spec.enumerators) {
        add(&enumerator == &spec.enumerators.front() ? " " : ", ");
        add(enumerator.name);
        if (enumerator.value) {
            add(" = ");
            expr(*enumerator.value);
        }
    }
    add(" }");
}

void Printer::declared(const DeclSpec& spec, const std::vector<Declarator*>& declarators)
{
    this->spec(spec);
    for (const Declarator* one : declarators) {
        add(one == declarators.front() ? " " : ", ");
        declarator(*one);
        if (one->bits) {
            add(" : ");
            expr(*one->bits);
        }
    }
}

void Printer::spec_and(const DeclSpec& spec, const Declarator& declarator)
{
    this->spec(spec);
    if (declarator.name.empty() && declarator.parts.empty())
        return;
    text_ += ' ';
    this->declarator(declarator);
}

// Prints a declarator: pointers to the left of the name, from the last to the first, and other parts to its right.
void Printer::declarator(const Declarator& declarator)
{
    const auto& parts = declarator.parts;
    const auto is_pointer = [&](std::size_t i) { return parts[i].kind == DeclPart::Kind::Pointer; };
    for (std::size_t i = parts.size(); i-- != 0;) {
        if (!is_pointer(i))
            continue;
        if (i + 1 < parts.size() && !is_pointer(i + 1))
            text_ += '(';
        text_ += '*';
    }
    add(declarator.name);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (is_pointer(i))
            continue;
        if (i != 0 && is_pointer(i - 1))
            text_ += ')';
        suffix(parts[i]);
    }
}

void Printer::suffix(const DeclPart& part)
{
    const bool function = part.kind == DeclPart::Kind::Function;
    text_ += function ? '(' : '[';
    if (part.size)
        expr(*part.size);
    parameters(part.parameters, part.variadic);
    text_ += function ? ')' : ']';
}

void Printer::parameters(const std::vector<Parameter>& list, bool variadic)
{
    for (const Parameter& parameter : list) {
        add(&parameter == &list.front() ? "" : ", ");
        spec_and(*parameter.spec, *parameter.declarator);
    }
    if (variadic)
        add(list.empty() ? "..." : ", ...");
}

// Prints the items and statements of a program, one per line.
class TreePrinter {
public:
    std::string text;

    void item(const Item& item)
    {
        switch (item.kind) {
        case Item::Kind::Clause:
            return clause(*item.clause);
        case Item::Kind::Declaration:
            printer_.declared(*item.declaration->spec, item.declaration->declarators);
            break;
        case Item::Kind::Inline:
            definition(*item.inline_);
            break;
        case Item::Kind::Translator:
            return translator(*item.translator);
        case Item::Kind::Provider:
            return provider(*item.provider);
        case Item::Kind::Pragma:
            text.append("pragma ").append(item.pragma->name);
            for (const std::string& word : item.pragma->words)
                text.append(" ").append(word);
        }
        text += '\n';
    }

private:
    void indent(unsigned depth) { text.append(2 * static_cast<std::size_t>(depth), ' '); }

    void line(unsigned depth, std::string_view head, const Expr* expr = nullptr)
    {
        indent(depth);
        text += head;
        if (expr)
            printer_.expr(*expr);
        text += '\n';
    }

    void clause(const Clause& clause)
    {
        text += "clause";
        for (const ProbeDesc& description : clause.descriptions) {
            text += &description == &clause.descriptions.front() ? " " : ", ";
            if (description.id)
                text += std::to_string(*description.id);
            else
                for (const std::string* part :
                     {&description.provider, &description.module, &description.function, &description.name})
                    text.append(part == &description.provider ? "" : ":").append(*part);
        }
        text += '\n';
        if (clause.predicate)
            line(1, "predicate ", clause.predicate);
        for (const Stmt* statement : clause.body)
            this->statement(*statement, 1);
    }

    void statement(const Stmt& statement, unsigned depth)
    {
        switch (statement.kind) {
        case StmtKind::Expression:
            return line(depth, statement.expr ? "" : "empty", statement.expr);
        case StmtKind::Block:
            line(depth, "block");
            for (const Stmt* inner : statement.body)
                this->statement(*inner, depth + 1);
            return;
        case StmtKind::If:
            line(depth, "if ", statement.expr);
            this->statement(*statement.body[0], depth + 1);
            if (statement.body.size() > 1) {
                line(depth, "else");
                this->statement(*statement.body[1], depth + 1);
            }
        }
    }

    void definition(const Inline& definition)
    {
        text += "inline ";
        printer_.declared(*definition.spec, {definition.declarator});
        text += " = ";
        printer_.expr(*definition.value);
    }

    void translator(const Translator& translator)
    {
        text += "translator ";
        printer_.type(*translator.output);
        text += " < ";
        printer_.type(*translator.input);
        text += " >\n";
        for (const TranslatorMember& member : translator.members)
            line(1, member.name + " = ", member.value);
    }

    void provider(const ProviderDef& provider)
    {
        text.append("provider ").append(provider.name).append("\n");
        for (const ProviderProbe& probe : provider.probes) {
            text.append("  probe ").append(probe.name).append("(");
            printer_.parameters(probe.input, false);
            if (probe.has_output) {
                text += ") : (";
                printer_.parameters(probe.output, false);
            }
            text += ")\n";
        }
    }

    Printer printer_{text};
};

} // namespace

std::string_view spelling(Operator op)
{
    return kSpellings[static_cast<std::size_t>(op)];
}

std::string print(const Expr& expr)
{
    std::string text;
    Printer(text).expr(expr);
    return text;
}

std::string print(const DeclSpec& spec)
{
    std::string text;
    Printer(text).spec(spec);
    return text;
}

std::string print(const Declarator& declarator)
{
    std::string text;
    Printer(text).declarator(declarator);
    return text;
}

std::string print(const TypeName& type)
{
    std::string text;
    Printer(text).type(type);
    return text;
}

std::string print(const Ast& ast)
{
    TreePrinter printer;
    for (const Item& item : ast.items)
        printer.item(item);
    return printer.text;
}

} // namespace dt::syntax
