// Completes names. The tokens before the cursor determine which kind of name fits, such as a probe or a member. The
// compiler determines the types of expressions before the cursor.
#include "cmd/shell/complete.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "cmd/shell/commands.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/scan.hpp"
#include "dcompiler/driver/libraries.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::shell {
namespace {

class Finder {
public:
    Finder(Workbench& workbench, const Context& context) : workbench_(workbench), context_(context) {}

    std::vector<Candidate> run()
    {
        switch (context_.kind) {
        case Context::Kind::Nothing:
            break;
        case Context::Kind::FirstWord:
            for (const CommandEntry& command : command_table())
                if (!command.help.empty())
                    add(command.name, command.operands.empty() ? '\0' : ' ');
            for (const std::string_view word : {"inline", "self", "struct", "this", "translator", "typedef"})
                add(word, ' ');
            add_providers();
            break;
        case Context::Kind::Probe:
            context_.before.empty() ? add_providers() : add_parts();
            break;
        case Context::Kind::Name:
            add_names();
            break;
        case Context::Kind::Member:
            add_members();
            break;
        case Context::Kind::Aggregation:
            add_variables(Scope::Global, true);
            break;
        case Context::Kind::Option:
            for (const std::string_view name : Options::names())
                add(name, '\0');
            break;
        case Context::Kind::Operand:
            add_operands();
            break;
        }
        return std::move(found_);
    }

private:
    void add(std::string_view name, char behind)
    {
        const Candidate candidate{std::string(name), behind};
        if (!name.empty() && name.starts_with(context_.word) &&
            std::find(found_.begin(), found_.end(), candidate) == found_.end())
            found_.push_back(candidate);
    }

    /// Adds the names of providers, and of probes that scripts write without a provider, such as BEGIN.
    void add_providers()
    {
        const Result<Session*> session = workbench_.session();
        if (!session)
            return;
        for (const std::string_view name : session.value()->world().probes().provider_names())
            add(name, ':');
        for (const char* const provider : {"dtrace", "profile"})
            add_probes({provider, "", "", context_.word + "*"}, &Probe::name, ' ');
    }

    void add_parts()
    {
        static constexpr std::array<std::string ProbePattern::*, 4> kPattern = {
            &ProbePattern::provider, &ProbePattern::module, &ProbePattern::function, &ProbePattern::name};
        static constexpr std::array<std::string Probe::*, 4> kPart = {&Probe::provider, &Probe::module,
                                                                      &Probe::function, &Probe::name};
        const std::size_t part = context_.before.size();
        if (part >= kPart.size())
            return;
        ProbePattern pattern;
        for (std::size_t i = 0; i < part; ++i)
            pattern.*kPattern[i] = with_target(context_.before[i]);
        pattern.*kPattern[part] = context_.word + "*";
        add_probes(pattern, kPart[part], part + 1 < kPart.size() ? ':' : ' ');
    }

    /// Replaces $target, as in pid$target, by the pid of the traced process.
    std::string with_target(std::string text) const
    {
        static constexpr std::string_view kTarget = "$target";
        const Result<Session*> session = workbench_.session();
        if (const auto at = text.find(kTarget); at != std::string::npos && session)
            text.replace(at, kTarget.size(), std::to_string(session.value()->processes().first_pid()));
        return text;
    }

    void add_probes(const ProbePattern& pattern, std::string Probe::*part, char behind)
    {
        const Result<Session*> session = workbench_.session();
        std::vector<const Probe*> probes;
        if (!session || !session.value()->world().probes().find(pattern, probes))
            return;
        // a set, because ten thousand probes may have only a few distinct names
        std::set<std::string_view> names;
        for (const Probe* const probe : probes)
            names.insert(probe->*part);
        for (const std::string_view name : names)
            if (!name.empty() && name.starts_with(context_.word))
                found_.push_back({std::string(name), behind});
    }

    void add_names()
    {
        for (const BuiltinVariable& variable : builtin_variables())
            add(variable.name, variable.is_array() ? '[' : '\0');
        for (const Subroutine& subroutine : subroutines())
            if (subroutine.why_refused.empty() && !subroutine.name.starts_with('_'))
                add(subroutine.name, '(');
        for (const Action& action : actions())
            if (action.why_refused.empty())
                add(action.name, '(');
        for (const AggFunction& function : agg_functions())
            add(function.name, '(');
        for (const std::string_view name : sema::library_names())
            add(name, '\0');
        for (const std::string_view word : {"else", "if", "offsetof", "sizeof", "stringof", "struct", "xlate"})
            add(word, '\0');
        for (const std::string_view word : {"self", "this"})
            add(word, '\0');
        add_variables(Scope::Global, false);
    }

    void add_variables(Scope scope, bool aggregations)
    {
        for (const ProgramName& name : workbench_.names())
            if (name.scope == scope && name.is_aggregation == aggregations)
                add(name.name, '\0');
    }

    void add_members()
    {
        if (context_.expression == "self" || context_.expression == "this")
            return add_variables(context_.expression == "self" ? Scope::Self : Scope::This, false);
        const auto use = [this](const Type* type) {
            for (const std::string& name : member_names(type))
                add(name, '\0');
        };
        with_type(workbench_, {context_.clause, context_.closing}, context_.expression, use);
    }

    void add_operands()
    {
        if (context_.operand == Operand::Type)
            for (const std::string_view name : sema::library_names())
                add(name, '\0');
        if (context_.operand != Operand::Topic)
            return;
        for (const std::string_view topic : help_topics())
            add(topic, '\0');
        for (const CommandEntry& command : command_table())
            add(command.name, '\0');
        if (!context_.word.empty()) // completing an empty word would list every name
            add_names();
    }

    Workbench& workbench_;
    const Context& context_;
    std::vector<Candidate> found_;
};

} // namespace

Completion complete(Workbench& workbench, std::string_view text)
{
    const Context context = context_of(text);
    return {context.word, Finder(workbench, context).run(),
            context.kind == Context::Kind::Operand && context.operand == Operand::File};
}

namespace {

using syntax::TokenKind;
using Pieces = std::vector<Piece>;

bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Returns the name at the end of the text.
std::string_view last_name(std::string_view text)
{
    std::size_t begin = text.size();
    while (begin > 0 && is_name_char(text[begin - 1]))
        --begin;
    return text.substr(begin);
}

std::string_view last_word(std::string_view text)
{
    // without white space, find_last_of() + 1 is 0, so the result is the whole text
    return text.substr(text.find_last_of(" \t\n") + 1);
}

Context of_kind(Context::Kind kind, std::string_view word)
{
    Context context;
    context.kind = kind;
    context.word = word;
    return context;
}

/// Splits a probe description at its colons, including colons in brackets of patterns.
Context of_description(Context::Kind kind, std::string_view text)
{
    Context context = of_kind(kind, text);
    for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':')) {
        context.kind = Context::Kind::Probe;
        context.before.emplace_back(text.substr(0, colon));
        text.remove_prefix(colon + 1);
    }
    context.word = text;
    return context;
}

std::size_t opening(const Pieces& pieces, std::size_t closing, TokenKind open, TokenKind close)
{
    std::size_t depth = 0;
    for (std::size_t i = closing + 1; i-- > 0;) {
        depth += pieces[i].kind == close;
        if (pieces[i].kind == open && --depth == 0)
            return i;
    }
    return pieces.size();
}

/// Searches backward for the operand that ends before the token `end`: a name, call or subscript, with its members.
/// Returns the index of its first token, or the number of tokens if there is no operand.
std::size_t operand_begin(const Pieces& pieces, std::size_t end)
{
    const std::size_t none = pieces.size();
    for (std::size_t i = end; i-- > 0;) {
        bool needs_name = false;
        while (pieces[i].kind == TokenKind::RightBracket || pieces[i].kind == TokenKind::RightParen) {
            const bool is_subscript = pieces[i].kind == TokenKind::RightBracket;
            i = is_subscript ? opening(pieces, i, TokenKind::LeftBracket, TokenKind::RightBracket)
                             : opening(pieces, i, TokenKind::LeftParen, TokenKind::RightParen);
            if (i == none)
                return none;
            const bool has_name =
                i > 0 && (pieces[i - 1].kind == TokenKind::Identifier || pieces[i - 1].kind == TokenKind::RightBracket);
            if (!is_subscript && !has_name)
                return i; // an expression in parentheses is the operand
            if (i == 0)
                return none;
            --i;
            needs_name = true;
        }
        const TokenKind kind = pieces[i].kind;
        if (kind != TokenKind::Identifier && kind != TokenKind::Keyword)
            return needs_name ? none : i + 1 < end ? i + 1 : none;
        if (i == 0 || (pieces[i - 1].kind != TokenKind::Dot && pieces[i - 1].kind != TokenKind::Arrow))
            return i;
        --i; // continues with the operand on the left side of the dot or arrow
    }
    return none;
}

/// Removes the statement that contains the token `at`, and all later text, so that another statement can be appended to
/// the clause.
void cut_clause(std::string_view text, const Scan& scan, std::size_t at, Context& context)
{
    std::size_t cut = 0, depth = 0;
    for (std::size_t i = 0; i < at; ++i) {
        const TokenKind kind = scan.pieces[i].kind;
        // The first operator of a clause is the slash that begins its predicate, because probe descriptions contain no
        // operators.
        if (scan.where == Where::Predicate && kind == TokenKind::Operator) {
            context.clause = std::string(text.substr(scan.begin, scan.pieces[i].begin - scan.begin)) + "{";
            context.closing = "}";
            return;
        }
        if (kind != TokenKind::LeftBrace && kind != TokenKind::RightBrace && kind != TokenKind::Semicolon)
            continue;
        depth += kind == TokenKind::LeftBrace;
        depth -= kind == TokenKind::RightBrace && depth > 0;
        cut = scan.pieces[i].end;
    }
    context.clause = text.substr(scan.begin, cut > scan.begin ? cut - scan.begin : 0);
    context.closing.assign(depth, '}');
}

Context in_clause(std::string_view text, const Scan& scan)
{
    const std::string_view word = last_name(text);
    const Pieces& pieces = scan.pieces;
    std::size_t end = pieces.size(); // number of tokens before the word to complete
    if (!word.empty() && end > 0 && pieces[end - 1].end >= text.size())
        --end;
    if (end < pieces.size() && pieces[end].kind == TokenKind::Aggregation)
        return of_kind(Context::Kind::Aggregation, word);
    if (text.ends_with('@'))
        return of_kind(Context::Kind::Aggregation, "");
    if (!word.empty() && word[0] >= '0' && word[0] <= '9')
        return {};
    const bool is_member =
        end > 0 && (pieces[end - 1].kind == TokenKind::Dot || pieces[end - 1].kind == TokenKind::Arrow);
    if (!is_member)
        return of_kind(Context::Kind::Name, word);
    const std::size_t begin = operand_begin(pieces, end - 1);
    if (begin >= pieces.size())
        return {};
    Context context = of_kind(Context::Kind::Member, word);
    context.expression = text.substr(pieces[begin].begin, pieces[end - 1].begin - pieces[begin].begin);
    cut_clause(text, scan, begin, context);
    return context;
}

Context in_control_line(std::string_view line)
{
    std::array<std::string_view, 3> words;
    for (std::string_view& word : words) {
        line = line.substr(std::min(line.find_first_not_of(" \t#"), line.size()));
        word = line.substr(0, line.find_first_of(" \t"));
        line.remove_prefix(word.size());
    }
    const bool sets_option = words == std::array<std::string_view, 3>{"pragma", "D", "option"} && !line.empty();
    return sets_option ? of_kind(Context::Kind::Option, last_word(line)) : Context{};
}

Context of_command(const CommandEntry& command, std::string_view text)
{
    if (command.operand == Operand::Probe)
        return of_description(Context::Kind::Probe, last_word(text));
    Context context =
        of_kind(command.operand == Operand::Option ? Context::Kind::Option : Context::Kind::Operand, last_word(text));
    context.operand = command.operand;
    return context;
}

} // namespace

Context context_of(std::string_view text)
{
    if (const CommandEntry* command = find_command(text);
        command && text.find_first_of(" \t") != std::string_view::npos)
        return of_command(*command, text);
    // without a newline, rfind() + 1 is 0, so the result is the whole text
    const std::string_view line = text.substr(text.rfind('\n') + 1);
    if (trimmed(line).starts_with('#'))
        return in_control_line(line);
    const Scan scanned = scan(text);
    if (scanned.in_comment || scanned.in_literal)
        return {};
    switch (scanned.where) {
    case Where::Outer:
        return of_kind(scanned.items.empty() ? Context::Kind::FirstWord : Context::Kind::Probe, "");
    case Where::Descriptions: {
        const Piece& last = scanned.pieces.back();
        const bool at_end = last.end == text.size();
        if (at_end && last.kind == TokenKind::Description)
            return of_description(scanned.items.empty() && scanned.pieces.size() == 1 ? Context::Kind::FirstWord
                                                                                      : Context::Kind::Probe,
                                  text.substr(last.begin));
        return last.kind == TokenKind::Comma ? of_kind(Context::Kind::Probe, "") : Context{};
    }
    case Where::Declaration:
        if (scanned.pieces.size() == 1 && scanned.pieces[0].end == text.size())
            return of_kind(Context::Kind::FirstWord, text.substr(scanned.pieces[0].begin));
        return in_clause(text, scanned);
    case Where::Predicate:
    case Where::Body:
        return in_clause(text, scanned);
    }
    return {};
}

namespace {

const TStmt* last_statement(const std::vector<TStmt*>& statements)
{
    if (statements.empty())
        return nullptr;
    const TStmt* const last = statements.back();
    const TStmt* const inner = last_statement(last->otherwise.empty() ? last->then : last->otherwise);
    return inner ? inner : last;
}

/// name of a variable; the result of a translator is assigned to it, so that the compiler determines its type
constexpr char kCopy[] = "__copied";

/// Returns the type of the expression that the program's last statement prints or assigns.
const Type* last_type(const Program& program)
{
    for (const Variable& variable : program.variables)
        if (variable.name == kCopy)
            return variable.type;
    const TStmt* const statement =
        program.statements.empty() ? nullptr : last_statement(program.statements.back().body);
    return !statement || statement->args.empty() ? nullptr : statement->args[0]->type;
}

const Type* pointed_to(const Type* type)
{
    while (type->is_pointer())
        type = type->resolve()->target;
    return type;
}

void add_members(const Type* type, std::vector<std::string>& names)
{
    for (const Member& member : type->resolve()->members())
        if (!member.name.empty())
            names.push_back(member.name);
        else if (member.type->is_record())
            add_members(member.type, names);
}

/// Returns the C declaration of a name with this type. In C, the name may stand inside the type, as in "int a[3]".
std::string declaration(const Type* type, const std::string& name)
{
    std::string text = to_string(type);
    if (const auto star = text.find("(*"); star != std::string::npos)
        return text.insert(star + 2, name);
    if (const auto bracket = text.find(" ["); bracket != std::string::npos)
        return text.substr(0, bracket + 1) + name + text.substr(bracket + 1);
    return text + (text.ends_with('*') ? "" : " ") + name;
}

void describe_members(const Type* type, uint64_t base, const std::string& indent, std::string& text)
{
    for (const Member& member : type->resolve()->members()) {
        const uint64_t bit = base + member.bit_offset;
        char place[32];
        std::snprintf(place, sizeof place, "%6llu", static_cast<unsigned long long>(bit / 8));
        if (member.name.empty() && member.type->is_record()) {
            text += std::string(place) + indent +
                    (member.type->resolve()->kind == TypeKind::Union ? "union {\n" : "struct {\n");
            describe_members(member.type, bit, indent + "    ", text);
            text += "      " + indent + "};\n";
            continue;
        }
        text += place + indent + declaration(member.type, member.name) +
                (member.bit_size != 0 ? " : " + std::to_string(member.bit_size) : "") + ";\n";
    }
}

} // namespace

bool with_type(Workbench& workbench, const ExpressionContext& place, const std::string& expression,
               const std::function<void(const Type*)>& use)
{
    bool found = false;
    const auto look = [&](const Program& program) {
        if (const Type* const type = last_type(program)) {
            found = true;
            use(type);
        }
    };
    // An expression statement must have an effect, so the expression is passed to print(). The result of a translator
    // cannot be printed, so it is assigned to a variable.
    const std::string copy = std::string("this->") + kCopy + " = ";
    for (const std::string& statement :
         {"print(" + expression + ")", copy + "*(" + expression + ")", copy + "(" + expression + ")"})
        if (!found)
            workbench.try_text(place.before + "\n" + statement + ";\n" + place.after, look);
    return found;
}

std::vector<std::string> member_names(const Type* type)
{
    std::vector<std::string> names;
    const Type* const record = pointed_to(type);
    if (record->is_record())
        add_members(record, names);
    return names;
}

std::string describe(const Type* type)
{
    const Type* const resolved = type->resolve();
    std::string text = to_string(type);
    if (type->kind == TypeKind::Typedef)
        text = "typedef " + declaration(type->target, text);
    const std::string size =
        resolved->size != 0 ? "/* " + std::to_string(resolved->size) + (resolved->size == 1 ? " byte */" : " bytes */")
                            : "/* its size is unknown */";
    if (resolved->is_record()) {
        text += " { " + size + "\n";
        describe_members(resolved, 0, "  ", text);
        return text + "};\n";
    }
    if (resolved->kind != TypeKind::Enum)
        return text + "; " + size + "\n";
    text += " { " + size + "\n";
    for (const Enumerator& each : resolved->enumerators())
        text += "\t" + each.name + " = " + std::to_string(each.value) + ",\n";
    return text + "};\n";
}

bool with_named_type(Workbench& workbench, const std::string& name, const std::function<void(const Type*)>& use)
{
    bool found = false;
    const auto of_pointer = [&](const Type* type) {
        const Type* const target = type->is_pointer() ? type->resolve()->target : type;
        if (target->resolve()->incomplete) // a struct or enum that is named by its tag but not defined anywhere
            return;
        found = true;
        use(target);
    };
    for (const char* const tag : {"", "struct ", "union ", "enum "})
        if (with_type(workbench, {}, std::string("(") + tag + name + " *)0", of_pointer) && found)
            return true;
    return with_type(workbench, {}, name, use);
}

} // namespace dt::shell
