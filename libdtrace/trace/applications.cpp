#include "libdtrace/trace/applications.hpp"

#include <cerrno>
#include <map>

#include "dcompiler/object/saved.hpp"

namespace dt {
namespace {

/// Returns the probe ids of each process that runs clauses itself.
std::map<int64_t, std::vector<uint32_t>> probes_in_applications(const Schema& schema)
{
    std::map<int64_t, std::vector<uint32_t>> found;
    for (const ProgramPlan& program : schema.programs)
        if (program.plan->kind_info().in_application)
            for (const AttachTarget& target : program.plan->targets)
                found[target.process].push_back(target.probe->id);
    return found;
}

/// Returns the ids of the probes that the tracer runs explicitly (BEGIN, END, …).
std::vector<uint32_t> probes_by_hand(const Schema& schema)
{
    std::vector<uint32_t> found;
    for (const ProgramPlan& program : schema.programs)
        if (program.plan->kind == ProgramKind::TestRun)
            found.insert(found.end(), program.probes.begin(), program.probes.end());
    return found;
}

/// Returns the counters of -x firings and cost.
std::vector<consume::ApplicationHalf::Counters> counters_of(const LoadedObject& loaded)
{
    std::vector<consume::ApplicationHalf::Counters> all;
    for (const char* section : {DT_SECTION_FIRINGS, DT_SECTION_CLAUSE_FIRINGS, DT_SECTION_COSTS, DT_SECTION_COST_TIMES})
        if (const LoadedMap* const map = loaded.maps().section(section))
            all.push_back({section, map->value_size});
    return all;
}

} // namespace

Result<void> Applications::begin(const Object& object, const Program& program, World& world, const LoadedObject& loaded)
{
    const auto probes = probes_in_applications(object.schema);
    if (probes.empty())
        return {};
    const auto bytes = saved_object(object, program, world);
    if (!bytes)
        return bytes.error();
    for (const auto& [pid, of_process] : probes) {
        std::vector<uint32_t> ids = of_process;
        const std::vector<uint32_t> by_hand =
            loaded.is_in_kernel() ? std::vector<uint32_t>() : probes_by_hand(object.schema);
        ids.insert(ids.end(), by_hand.begin(), by_hand.end());
        ids.push_back(kErrorProbe); // for the clauses of ERROR, which a fault in this process runs
        auto application = Application::connect(pid);
        auto half = application ? consume::ApplicationHalf::begin(pid, std::move(*application), bytes.value(),
                                                                  loaded.state_descriptor(), object.schema, ids,
                                                                  counters_of(loaded))
                                : application.error();
        if (!half)
            return Error{"process " + std::to_string(pid) + " does not take the program: " + half.error().message,
                         half.error().code};
        halves_.push_back(std::move(*half));
    }
    return {};
}

Result<void> Applications::run(const std::string& probe)
{
    Result<void> ran = Error{"no program is there", ESRCH};
    for (const auto& half : halves_)
        if (ran = half->run(probe); ran)
            break;
    return ran;
}

void Applications::take_turn()
{
    for (const auto& half : halves_)
        half->take_turn();
}

std::vector<std::string> Applications::end()
{
    std::vector<std::string> told;
    for (const auto& half : halves_)
        if (std::string text = half->end(); !text.empty())
            told.push_back(std::move(text));
    return told;
}

} // namespace dt
