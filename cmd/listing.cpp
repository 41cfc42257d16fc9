// -S: the generated code, stage by stage (output reference 2.7).
//
// Clauses are functions of their own only where a program has too many for one; else they are part of the program of their probe, and that
// program is then what the stage of clauses shows, under the clauses' names.
#include <algorithm>
#include <cstdio>

#include "cmd/modes.hpp"

namespace dt::cmd {
namespace {

/// disasm option: which stages are shown.
constexpr uint64_t kClauses = 1;

/// lower/ calls a function of clauses dt_chunk_P_C, where P is the number in the name of the program that calls it.
constexpr std::string_view kProgramPrefix = "dt_program_", kChunkPrefix = "dt_chunk_";

class Listing {
public:
    explicit Listing(const Command& command)
        : module_(command.session.compiler().module()), program_(command.session.compiler().program()),
          plans_(command.session.object().schema.programs), stages_(command.options.disasm)
    {
    }

    std::string text() const
    {
        std::string text;
        for (std::size_t i = 0; i < module_.functions.size(); ++i) {
            const ir::Function& function = module_.functions[i];
            const ProgramPlan* plan = plan_of(function);
            if (function.section.empty() && stages_ & kClauses)
                text += disassemble(module_, i, plan ? "clauses of program " + probes_of(*plan) : "");
            if (function.section.empty())
                continue;
            if (stages_ & kClauses && plan && !has_chunks(*plan))
                text += disassemble(module_, i, "clause " + clauses_of(*plan));
            if (stages_ & ~kClauses)
                text += disassemble(module_, i, plan ? "program " + probes_of(*plan) : "");
        }
        return text;
    }

private:
    /// The program that a function is, or that it is called by.
    const ProgramPlan* plan_of(const ir::Function& function) const
    {
        const auto found = std::find_if(plans_.begin(), plans_.end(), [&](const ProgramPlan& plan) {
            return function.name == plan.name || function.name.starts_with(chunk_prefix(plan));
        });
        return found == plans_.end() ? nullptr : &*found;
    }

    static std::string chunk_prefix(const ProgramPlan& plan)
    {
        const std::string_view name = plan.name;
        return name.starts_with(kProgramPrefix) ? std::string(kChunkPrefix) + std::string(name.substr(kProgramPrefix.size())) + "_" : plan.name;
    }

    bool has_chunks(const ProgramPlan& plan) const
    {
        const auto& functions = module_.functions;
        return std::any_of(functions.begin(), functions.end(), [&](const ir::Function& function) {
            return function.section.empty() && function.name.starts_with(chunk_prefix(plan));
        });
    }

    static bool serves(const ProgramPlan& plan, const Probe* probe)
    {
        return std::find(plan.probes.begin(), plan.probes.end(), probe->id) != plan.probes.end();
    }

    std::string clauses_of(const ProgramPlan& plan) const
    {
        std::string names;
        for (const Statement& statement : program_.statements)
            if (std::any_of(statement.probes.begin(), statement.probes.end(), [&](const Probe* probe) { return serves(plan, probe); }))
                names += (names.empty() ? "" : ", ") + statement.description;
        return names;
    }

    /// The first probe, and how many others have the same program.
    std::string probes_of(const ProgramPlan& plan) const
    {
        for (const Statement& statement : program_.statements)
            for (const Probe* probe : statement.probes)
                if (serves(plan, probe))
                    return probe->provider + ":" + probe->module + ":" + probe->function + ":" + probe->name +
                           (plan.probes.size() > 1 ? " and " + std::to_string(plan.probes.size() - 1) + " more" : "");
        return plan.name;
    }

    const ir::Module& module_;
    const Program& program_;
    const std::vector<ProgramPlan>& plans_;
    const uint64_t stages_;
};

} // namespace

void print_listing(const Command& command)
{
    const std::string text = Listing(command).text();
    std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace dt::cmd
