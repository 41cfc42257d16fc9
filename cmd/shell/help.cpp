// Writes the help texts. Most are made from the tables of commands, built-ins, providers and options.
#include "cmd/shell/help.hpp"

#include "cmd/shell/commands.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "dcompiler/syntax/macros.hpp"
#include "dcompiler/syntax/parser.hpp"

namespace dt::shell {
namespace {

constexpr std::size_t kColumn = 24, kWidth = 80;

std::string row(std::string_view left, std::string_view right)
{
    std::string text = "  " + std::string(left);
    text += text.size() < kColumn ? std::string(kColumn - text.size(), ' ') : "  ";
    return text + std::string(right) + "\n";
}

/// Inserts the name into a prototype: "size_t (const char *)" becomes a C declaration.
std::string prototype(std::string_view name, std::string_view text)
{
    const auto open = text.find(" (");
    const std::string_view result = text.substr(0, open);
    const std::string parameters(text.substr(open + 1));
    return (result == "void" ? "" : std::string(result) + (result.ends_with('*') ? "" : " ")) + std::string(name) +
           parameters;
}

std::string words(const std::vector<std::string_view>& all)
{
    std::string text, line = " ";
    for (const std::string_view word : all) {
        if (line.size() + word.size() >= kWidth) {
            text += line + "\n";
            line = " ";
        }
        line += " " + std::string(word);
    }
    return text + line + "\n";
}

std::string commands_text(Workbench&)
{
    std::string text = "Type a clause, on one or more lines, then `run`; ^C ends the run. TAB completes.\n\n";
    for (const CommandEntry& command : command_table())
        if (!command.help.empty())
            text +=
                row(std::string(command.name) + (command.operands.empty() ? "" : " ") + std::string(command.operands),
                    command.help);
    return text + "\nhelp TOPIC, for one of:\n" + words(help_topics()) +
           "or any variable, function, action or option of D.\n";
}

std::string clauses_text(Workbench&)
{
    return "A program is a list of clauses:\n\n"
           "  PROBE, ... /PREDICATE/ { STATEMENTS }\n\n"
           "A probe is PROVIDER:MODULE:FUNCTION:NAME. Parts may be left out from the left, an empty\n"
           "part matches anything, and each may be a pattern. Whenever one of the probes fires, the\n"
           "statements run if the predicate is true. BEGIN fires first, END last, ERROR after a fault.\n\n"
           "  syscall::openat:entry { printf(\"%s %s\\n\", execname, copyinstr(arg1)); }\n";
}

std::string predicates_text(Workbench&)
{
    return "A predicate is an expression between slashes; the clause runs when it is not 0:\n\n"
           "  syscall::read:return /execname == \"sshd\" && arg0 > 0/ { @ = quantize(arg0); }\n\n"
           "There are no loops in D; `if (...) ... else ...` works inside a clause.\n";
}

std::string types_text(Workbench&)
{
    return "D has C's integers, pointers, structs and enums, and `string`. Types of the kernel are\n"
           "known by their names: `type struct file` shows one. Variables have the type of the first\n"
           "value that is assigned to them:\n\n"
           "  n = 1;               global\n"
           "  self->start = ...;   of the thread\n"
           "  this->x = ...;       of the clause, until all clauses of the probe have run\n"
           "  seen[pid, execname]  an associative array\n";
}

std::string printf_text(Workbench&)
{
    return "printf(\"FORMAT\", ...) as in C; %d takes integers of every size. Besides C's conversions:\n\n" +
           row("%s", "a string, or a value converted by stringof()") +
           row("%a %A", "a kernel address, a user address: as a symbol") + row("%k", "a stack") +
           row("%p", "a pointer") + row("%Y", "a time of walltimestamp") + row("%S", "a string, escaped") +
           row("%@d", "in printa(): the aggregation's value");
}

std::string variables_text(Workbench&)
{
    std::string text = "Built-in variables:\n\n";
    for (const BuiltinVariable& variable : builtin_variables())
        text += row(variable.name, variable.type);
    return text + "\nSee also: help types.\n";
}

template <typename Table> std::string table_text(const char* title, const Table& table)
{
    std::string text = title;
    for (const auto& entry : table)
        text += "  " + prototype(entry.name, entry.prototype) + "\n";
    return text;
}

std::string actions_text(Workbench&)
{
    return table_text("Actions: statements that record or do something. @ stands for a value of any type; arguments in "
                      "[] may be left out.\n\n",
                      actions());
}

std::string functions_text(Workbench&)
{
    return table_text("Functions, for any expression. Arguments in [] may be left out.\n\n", subroutines());
}

std::string aggregations_text(Workbench&)
{
    return table_text("An aggregation is @NAME[KEYS] = FUNCTION(...); it is printed at the end of the run, and\n"
                      "`clear` resets it. The functions:\n\n",
                      agg_functions()) +
           "\nprinta(), trunc(), clear(), normalize() work on them.\n";
}

std::string providers_text(Workbench& workbench)
{
    const Result<Session*> session = workbench.session();
    const std::string providers = session ? words(session.value()->world().probes().provider_names()) : std::string();
    return "Providers of probes:\n\n" + providers +
           "\n`list PROVIDER:::` shows the probes of one, `args PROBE` their arguments.\n";
}

std::string options_text(Workbench&)
{
    return "Options, for `option NAME=VALUE` and `#pragma D option NAME=VALUE`:\n\n" + words(Options::names());
}

struct Topic {
    std::string_view name;
    std::string (*text)(Workbench&);
};

constexpr Topic kTopics[] = {
    {"actions", actions_text},       {"aggregations", aggregations_text},
    {"clauses", clauses_text},       {"commands", commands_text},
    {"functions", functions_text},   {"options", options_text},
    {"predicates", predicates_text}, {"printf", printf_text},
    {"providers", providers_text},   {"types", types_text},
    {"variables", variables_text},
};

std::string notes(std::string_view why_refused, bool is_destructive)
{
    return (why_refused.empty() ? "" : "             not available: " + std::string(why_refused) + "\n") +
           (is_destructive ? "             destructive: needs option destructive\n" : "");
}

} // namespace

std::string name_help(std::string_view name)
{
    std::string text;
    if (const BuiltinVariable* const variable = find_variable(name))
        text += "  variable   " + std::string(variable->type) + (variable->type.empty() ? "" : " ") +
                std::string(name) + "\n";
    if (const Subroutine* const subroutine = find_subroutine(name))
        text += "  function   " + prototype(name, subroutine->prototype) + "\n" +
                notes(subroutine->why_refused, subroutine->has(kDestructive));
    if (const Action* const action = find_action(name))
        text += "  action     " + prototype(name, action->prototype) + "\n" +
                notes(action->why_refused, action->has(kDestructive));
    if (const AggFunction* const function = find_agg_function(name))
        text += "  aggregates " + prototype(name, function->prototype) + "\n";
    if (const OptionHead* const option = Options::find(name)) {
        const std::string values = Options::meant(name);
        text += "  option     option " + std::string(name) + (option->syntax == OptionSyntax::Flag ? "" : "=VALUE") +
                ": " + std::string(option->text) + (values.empty() ? "" : " (" + values + ")") + "; see dtrace(8)\n";
    }
    return text;
}

std::vector<std::string_view> help_topics()
{
    std::vector<std::string_view> names;
    for (const Topic& topic : kTopics)
        names.push_back(topic.name);
    return names;
}

std::string help_text(Workbench& workbench, std::string_view name)
{
    if (name.empty())
        return commands_text(workbench);
    std::string text;
    for (const CommandEntry& command : command_table())
        if (command.name == name && !command.help.empty())
            text += row(std::string(name) + (command.operands.empty() ? "" : " ") + std::string(command.operands),
                        command.help);
    for (const Topic& topic : kTopics) // accepts "aggregation" for "aggregations"
        if (topic.name == name || (topic.name.ends_with('s') && topic.name.substr(0, topic.name.size() - 1) == name))
            return text + topic.text(workbench);
    return text + name_help(name);
}

Result<ProbePattern> parse_pattern(Session& session, std::string_view text)
{
    Macros macros;
    macros.target = session.processes().first_pid();
    const CompileOptions options;
    syntax::MacroTable table(macros, options);
    const Result<ast::ProbeDesc> parsed = syntax::parse_description(text, SpecKind::Script, table);
    if (!parsed)
        return parsed.error();
    return ProbePattern{parsed.value().provider, parsed.value().module, parsed.value().function, parsed.value().name};
}

} // namespace dt::shell
