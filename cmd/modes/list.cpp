// -S: prints the generated code by stage (dtrace(8), disasm).
//
// Clauses are separate functions only if a program has too many for one function. Otherwise they are part of their
// probe's program, which the stage of clauses then shows under their names.
#include <algorithm>
#include <cstdio>

#include "cmd/listing_variables.hpp"
#include "cmd/modes.hpp"
#include "dcompiler/object/functions.hpp"

namespace dt::cmd {
namespace {

/// Bits of the option disasm: the stages to show.
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

    /// Lists a function that contains clauses: a program, a part of one, or the handler of a clause's faults.
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

    /// Returns the program that the function is, or whose clauses it contains.
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

    /// Returns the first probe and the number of others that share the program.
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
    const std::string text = Listing(command).final(command.trace.final_code());
    std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace dt::cmd
