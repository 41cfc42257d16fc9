// Modes that print without tracing. -l lists all probes, or those that match the clauses. -S prints the generated code,
// with the variables of each clause.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/report.hpp"
#include "dcompiler/interface/foreign_names.hpp"
#include "dcompiler/interface/render.hpp"
#include "dcompiler/object/functions.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "libdtrace/trace/program_set.hpp"

namespace dt::cmd {

/// Returns one row for each variable that the statements read or write, in order of first use; an empty string if there
/// is none. Each row has a range of instructions in which the variable may be used. It is always the whole listing, up
/// to the instruction `last`: variables are accessed in too many ways to find exact ranges.
std::string variable_table(const std::vector<const Statement*>& statements, std::size_t last);

namespace {

void list(Command& command, const Probe& probe)
{
    const std::string row = list_row(probe);
    // control characters are replaced on a terminal, because names may come from untrusted files
    command.output.write(isatty(STDOUT_FILENO) ? printable(row) : row);
    if (command.arguments.verbose)
        command.output.write(probe_information(probe, command.session.world().probes().signature(probe),
                                               *command.trace.compiler().program().types));
    command.output.drain();
}

/// Counts listed probes that this kernel cannot attach, and reports them in an interactive or verbose run.
class Unattachable {
public:
    void see(Command& command, const Probe& probe)
    {
        const std::string_view why = command.session.world().probes().why_unattachable(probe);
        count_ += !why.empty();
        why_ = why.empty() ? why_ : why;
    }
    void tell(const Command& command) const
    {
        if (count_ != 0 && (command.arguments.verbose || isatty(STDERR_FILENO)))
            print_message(command.arguments,
                          std::to_string(count_) + " of these probes cannot be traced here: " + std::string(why_));
    }

private:
    std::size_t count_ = 0;
    std::string_view why_;
};

/// Returns the pattern of a description, or nothing if the description is a probe id.
std::optional<ProbePattern> pattern_of(const Statement& statement)
{
    std::string parts[4];
    std::size_t part = 0;
    for (const char c : statement.description)
        if (c != ':')
            parts[part] += c;
        else if (++part == std::size(parts))
            return std::nullopt;
    return ProbePattern{parts[0], parts[1], parts[2], parts[3]};
}

/// Returns a line that suggests a replacement for a description without matching probes, or an empty string. With -v,
/// omits the suggestion if the list of missing probes shows it.
std::string meant_instead(Command& command, const Statement& statement)
{
    const auto pattern = pattern_of(statement);
    probes::ProbeRegistry& registry = command.session.world().probes();
    const std::string hint = pattern ? sema::suggest_description(*pattern, command.session.world()) : "";
    const bool is_printed = command.arguments.verbose && hint == registry.why_absent(*pattern);
    return hint.empty() || is_printed ? "" : "\n\t" + hint;
}

/// With -v, reports why probes that a description names do not exist.
void explain_absent(Command& command, const Statement& statement)
{
    const auto pattern = pattern_of(statement);
    if (!pattern)
        return;
    command.session.world().probes().explain_absent(*pattern, [&](const std::string& what, std::string_view reason) {
        print_message(command.arguments, "no probe for " + what + ": " + std::string(reason));
    });
}

} // namespace

int list_mode(Command& command)
{
    if (command.arguments.programs.empty() && !command.arguments.operands.empty())
        return no_program(command);
    if (!add_programs(command))
        return kFailure;
    command.output.write(list_heading());
    Unattachable unattachable;
    if (command.arguments.programs.empty()) {
        std::vector<const Probe*> probes;
        if (const Result<void> found = command.session.world().probes().find({}, probes); !found)
            print_message(command.arguments, found.error().message);
        for (const Error& problem : command.session.world().probes().problems())
            print_message(command.arguments, problem.message);
        for (const Probe* probe : probes) {
            list(command, *probe);
            unattachable.see(command, *probe);
        }
        unattachable.tell(command);
        return flush_output(command) ? kSuccess : kFailure;
    }
    bool any = false;
    for (const Statement& statement : command.trace.compiler().program().statements) {
        if (statement.probes.empty())
            print_message(command.arguments, "failed to match " + statement.description +
                                                 ": No probe matches description" + meant_instead(command, statement));
        any |= !statement.probes.empty();
        for (const Probe* probe : statement.probes) {
            // a final * in a provider's name stands for processes that do not exist yet
            if (probe->provider.ends_with('*'))
                continue;
            list(command, *probe);
            unattachable.see(command, *probe);
        }
        if (command.arguments.verbose)
            explain_absent(command, statement);
    }
    unattachable.tell(command);
    return flush_output(command) && any ? kSuccess : kFailure;
}

// -S: prints the generated code after the compiler stages that -x disasm selects (dtrace(8), disasm).
//
// Clauses are separate functions only if a program has too many clauses for one function. Otherwise their code is part
// of the program of their probe, and the listing shows it under the clauses' names.

namespace {

/// Bits of the option -x disasm. Each selects a compiler stage whose code is shown.
enum Stage : uint64_t { kClauses = 1, kPrograms = 2, kLinked = 4, kFinal = 8 };

bool contains(const std::vector<uint32_t>& functions, std::size_t function)
{
    return std::find(functions.begin(), functions.end(), function) != functions.end();
}

class Listing {
public:
    explicit Listing(const Command& command)
        : module_(command.trace.compiler().module()), program_(command.trace.compiler().program()),
          schema_(command.trace.object().schema), plans_(schema_.programs),
          stages_(command.trace.options().print().disasm)
    {
    }

    std::string compiled() const
    {
        std::string text;
        for (std::size_t i = 0; i < module_.functions.size(); ++i) {
            const ir::Function& function = module_.functions[i];
            const ProgramPlan* plan = plan_of(i);
            if (stages_ & kClauses && (function.section.empty() || (plan && plan->clause_functions.empty())))
                text += clauses(i, plan);
            if (stages_ & kPrograms && !function.section.empty())
                text += disassemble(module_, i, plan ? "program " + probes_of(*plan) : "");
        }
        return text;
    }

    std::string linked(std::span<const uint8_t> elf) const
    {
        const auto functions = read_functions(elf);
        std::string text;
        if (stages_ & kLinked && functions)
            for (const ObjectFunction& function : functions.value())
                text += heading("linked", function.name) + ebpf::instruction_rows(function.insns, function.references) +
                        ebpf::relocation_rows(function.insns, function.references);
        return text;
    }

    std::string final(const std::vector<ObjectFunction>& functions) const
    {
        std::string text;
        for (const ObjectFunction& function : functions)
            text += heading("final", function.name) + ebpf::instruction_rows(function.insns, function.references);
        return text;
    }

private:
    std::string heading(const char* stage, const std::string& function) const
    {
        const auto plan =
            std::find_if(plans_.begin(), plans_.end(), [&](const ProgramPlan& each) { return each.name == function; });
        const std::string what = plan != plans_.end() ? "program " + probes_of(*plan) : "function";
        return std::string("\nDisassembly of ") + stage + " " + what + ", <" + function + ">:\n";
    }

    /// Returns the listing of a BPF function with the names and variables of its clauses. The function may be a
    /// program, a part of a program, or the handler for faults.
    std::string clauses(std::size_t function, const ProgramPlan* plan) const
    {
        const ir::Function& f = module_.functions[function];
        const std::vector<const Statement*> statements = plan ? statements_of(*plan)
                                                         : contains(schema_.error_functions, function)
                                                             ? error_statements()
                                                             : kNone;
        std::string names;
        for (const Statement* statement : statements)
            names += (names.empty() ? "" : ", ") + statement->description;
        const bool is_chunk = plan && f.section.empty();
        const std::string what = is_chunk         ? "clauses of program " + probes_of(*plan)
                                 : !names.empty() ? "clause " + names
                                                  : "";
        return disassemble(module_, function, what, [&](std::size_t last) { return variable_table(statements, last); });
    }

    /// Returns the attach plan of the program to which the function belongs: the function is the program itself or one
    /// of its clauses.
    const ProgramPlan* plan_of(std::size_t function) const
    {
        const auto found = std::find_if(plans_.begin(), plans_.end(), [&](const ProgramPlan& plan) {
            return module_.functions[function].name == plan.name || contains(plan.clause_functions, function);
        });
        return found == plans_.end() ? nullptr : &*found;
    }

    static bool serves(const ProgramPlan& plan, const Probe* probe)
    {
        return std::find(plan.probes.begin(), plan.probes.end(), probe->id) != plan.probes.end();
    }

    std::vector<const Statement*> statements_of(const ProgramPlan& plan) const
    {
        return statements_if([&](const Probe* probe) { return serves(plan, probe); });
    }

    std::vector<const Statement*> error_statements() const
    {
        return statements_if([](const Probe* probe) { return probe->provider == "dtrace" && probe->name == "ERROR"; });
    }

    template <typename Wanted> std::vector<const Statement*> statements_if(Wanted wanted) const
    {
        std::vector<const Statement*> found;
        for (const Statement& statement : program_.statements)
            if (std::any_of(statement.probes.begin(), statement.probes.end(), wanted))
                found.push_back(&statement);
        return found;
    }

    /// Returns the name of the first probe, and the number of further probes that share the program.
    std::string probes_of(const ProgramPlan& plan) const
    {
        for (const Statement& statement : program_.statements)
            for (const Probe* probe : statement.probes)
                if (serves(plan, probe))
                    return probe->provider + ":" + probe->module + ":" + probe->function + ":" + probe->name +
                           (plan.probes.size() > 1 ? " and " + std::to_string(plan.probes.size() - 1) + " more" : "");
        return plan.name;
    }

    static inline const std::vector<const Statement*> kNone;
    const ir::Module& module_;
    const Program& program_;
    const Schema& schema_;
    const std::vector<ProgramPlan>& plans_;
    const uint64_t stages_;
};

} // namespace

void print_listing(const Command& command)
{
    const Listing listing(command);
    const std::string text = listing.compiled() + listing.linked(command.trace.object().elf);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_final_listing(const Command& command)
{
    if (!command.trace.options().compile().verbose || !(command.trace.options().print().disasm & kFinal))
        return;
    const std::string text = Listing(command).final(command.trace.programs().final_code());
    std::fwrite(text.data(), 1, text.size(), stderr);
}

// Finds the variables that a clause reads and writes. Searches its typed expressions, not its code.

namespace {

constexpr uint32_t kFirstUserId = 0x500; // smaller variable ids belong to built-in variables, as in DTrace

/// A variable of any kind. One of the pointers is set, according to the kind; all others are null.
struct Row {
    const Variable* variable = nullptr;
    const BuiltinVariable* builtin = nullptr;
    const Aggregation* aggregation = nullptr;
    const Type* type = nullptr;
    bool read = false, written = false;
};

class Uses {
public:
    void add(const Statement& statement)
    {
        add(statement.predicate, false);
        add(statement.body);
    }

    const std::vector<Row>& rows() const { return rows_; }

private:
    Row& row(Row wanted)
    {
        const auto known = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
            return row.variable == wanted.variable && row.builtin == wanted.builtin &&
                   row.aggregation == wanted.aggregation;
        });
        return known != rows_.end() ? *known : rows_.emplace_back(wanted);
    }

    void add(const std::vector<TStmt*>& statements)
    {
        for (const TStmt* statement : statements) {
            add(statement->expr, false);
            for (const std::vector<TExpr*>* list : {&statement->args, &statement->keys})
                for (const TExpr* expr : *list)
                    add(expr, false);
            if (statement->aggregation)
                row({nullptr, nullptr, statement->aggregation}).written = true;
            for (const Aggregation* aggregation : statement->aggregations)
                row({nullptr, nullptr, aggregation}).read = true;
            add(statement->then);
            add(statement->otherwise);
        }
    }

    /// `target`: whether the expression is the target of an assignment. In `a[k].m = 1`, a is the target, while k is
    /// read.
    void add(const TExpr* expr, bool target)
    {
        if (!expr)
            return;
        if (expr->op == TOp::Variable || expr->op == TOp::Builtin) {
            Row& used = row({expr->variable, expr->builtin, nullptr, expr->type});
            (target ? used.written : used.read) = true;
        }
        const bool assigns = expr->op == TOp::Assign, holds = expr->op == TOp::Member || expr->op == TOp::Index;
        for (std::size_t i = 0; i < expr->kids.size(); ++i)
            add(expr->kids[i], i == 0 && (assigns || (target && holds)));
        if (assigns && (expr->compound != TOp::Integer || expr->post))
            add(expr->kids[0], false);
    }

    std::vector<Row> rows_;
};

const char* kind_of(const Row& row)
{
    if (row.aggregation)
        return "agg";
    const bool is_array = row.variable ? !row.variable->keys.empty() : row.builtin && row.builtin->is_array();
    return is_array ? "arr" : "scl";
}

const char* scope_of(const Row& row)
{
    if (!row.variable || row.variable->scope == Scope::Global)
        return "glb";
    return row.variable->scope == Scope::Self ? "tls" : "loc";
}

std::string type_of(const Type* type)
{
    if (!type)
        return "D type";
    const char* const kind = type->is_integer() ? "integer" : type->is_string() ? "string" : nullptr;
    return "D type (" + (kind ? std::string(kind) : to_string(type)) + ") (size " + std::to_string(type->size) + ")";
}

std::string text_of(const Row& row, std::size_t last)
{
    const std::string name = row.variable  ? row.variable->name
                             : row.builtin ? std::string(row.builtin->name)
                                           : row.aggregation->name;
    const uint32_t id = row.variable ? kFirstUserId + row.variable->index : row.aggregation ? row.aggregation->id : 0;
    const std::string number = row.builtin ? "-" : std::to_string(id), range = "[0-" + std::to_string(last) + "]";
    char text[128];
    std::snprintf(text, sizeof text, "%-4s %-6s %-3s %-3s %-11s %c%c%-3s", number.c_str(), "", kind_of(row),
                  scope_of(row), range.c_str(), row.read ? 'r' : ' ', row.written ? 'w' : ' ', "");
    return name + std::string(name.size() < 16 ? 16 - name.size() : 0, ' ') + " " + text +
           (row.aggregation ? "aggregation" : type_of(row.variable ? row.variable->type : row.type)) + "\n";
}

} // namespace

std::string variable_table(const std::vector<const Statement*>& statements, std::size_t last)
{
    Uses uses;
    for (const Statement* statement : statements)
        uses.add(*statement);
    if (uses.rows().empty())
        return {};
    std::string text = "\nNAME             ID   OFFSET KND SCP RANGE       FLAG TYPE\n";
    for (const Row& row : uses.rows())
        text += text_of(row, last);
    return text;
}

} // namespace dt::cmd
