// Where processes unwind their stacks: calls of functions that are probed at their return instructions may end there
// instead.
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
    /// Looks through the files of a process, wherever the unwinder may be: mostly in a library that all others use.
    void look(KernelView& kernel, int64_t process, const std::vector<ProcessView::Object>& objects);

    /// How the unwinders are hooked in the processes whose code `of` tells of, by the same kind of program.
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
