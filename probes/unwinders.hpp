// Finds the functions by which processes unwind their stacks. A function that is probed at its return instructions may
// end by unwinding instead.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dcompiler/plan.hpp"
#include "probes/kernel_view.hpp"

namespace dt::probes {

class Unwinders {
public:
    /// Searches all files of a process; the unwinder is mostly in a shared library.
    void look(KernelView& kernel, int64_t process, const std::vector<ProcessView::Object>& objects);

    /// Plans the hooks of unwinders in the processes of `of`, with the same kind of program.
    std::shared_ptr<const AttachPlan> plan(ProcessView& processes, const AttachPlan& of) const;

private:
    struct Place {
        uint32_t which = 0;
        std::string file;
        ProcessView::Identity identity = {};
        uint64_t address = 0;
    };

    std::map<int64_t, std::vector<Place>> places_; ///< by process
};

} // namespace dt::probes
