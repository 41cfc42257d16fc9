// Finds and plans hooks of unwinder functions. They are probed after their prologue, where a uprobe is cheaper.
#include "probes/unwinders.hpp"

#include <set>

#include "probes/uprobe_placement.hpp"

namespace dt::probes {

void Unwinders::look(KernelView& kernel, int64_t process, const std::vector<ProcessView::Object>& objects)
{
    ProcessView& processes = kernel.processes();
    std::vector<Place>& places = places_[process];
    places.clear();
    for (const ProcessView::Object& object : objects)
        for (const ProcessView::UnwinderFunction& function : processes.unwinder(object)) {
            const FunctionCode code(kernel.machine(), processes.bytes(object.file, function.offset, function.size));
            places.push_back(
                {function.which, object.file, processes.identity(object.file), function.offset + code.entry_place()});
        }
}

std::shared_ptr<const AttachPlan> Unwinders::plan(ProcessView& processes, const AttachPlan& of) const
{
    auto plan = std::make_shared<AttachPlan>();
    plan->kind = of.kind;
    plan->has_fallback = of.has_fallback;
    plan->fires_in = of.fires_in;
    std::set<int64_t> seen;
    for (const LeftCode& code : of.left_code) {
        const auto known = seen.insert(code.seen_in).second ? places_.find(code.seen_in) : places_.end();
        if (known == places_.end())
            continue;
        const int64_t process = of.fires_in == FiresIn::Tree ? 0 : code.process;
        for (const Place& place : known->second)
            if (processes.identity(place.file) == place.identity) // another file is mapped there by now
                plan->targets.push_back({place.file, static_cast<uint64_t>(process) << 32 | place.which, place.address,
                                         nullptr, 0, attached_process(processes, code.process, of.fires_in)});
    }
    return plan;
}

} // namespace dt::probes
