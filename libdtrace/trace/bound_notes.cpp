#include "libdtrace/trace/bound_notes.hpp"

#include "libdtrace/process/unwinder.hpp"
#include "libdtrace/world/cgroups.hpp"
#include "libdtrace/world/symbols.hpp"

namespace dt {

std::vector<output::Note> bound_notes(const Symbols& symbols, const Unwinder* unwinder, const ControlGroups* cgroups)
{
    std::vector<output::Note> notes;
    if (const uint64_t count = symbols.forgotten_processes(); count > 0)
        notes.push_back({"PROCESSES_FORGOTTEN",
                         {{"count", count}},
                         "addresses of " + std::to_string(count) + (count == 1 ? " process" : " processes") +
                             " without names: too many others came after, or events of the kernel were lost"});
    if (const uint64_t count = unwinder ? unwinder->times_full() : 0; count > 0)
        notes.push_back({"UNWIND_ROOM",
                         {{"count", count}},
                         "user stacks may be incomplete: there was no room for all unwind tables " +
                             std::to_string(count) + (count == 1 ? " time" : " times")});
    if (const uint64_t count = cgroups ? cgroups->unknown() : 0; count > 0)
        notes.push_back({"CGROUPS_UNKNOWN",
                         {{"count", count}},
                         std::to_string(count) + (count == 1 ? " control group" : " control groups") +
                             " without names: " +
                             (cgroups->is_anywhere() ? "they came and went unseen, or too many others came after"
                                                     : "no file system of type cgroup2 is mounted here")});
    return notes;
}

} // namespace dt
