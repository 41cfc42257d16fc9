// Variables of traced programs at probes of provider pid. A probe may have several instructions, for example one in
// each copy of an inlined function, and a variable may have a different location at each of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "probes/kernel_view.hpp"
#include "probes/process_view.hpp"

namespace dt::probes {

class PidVariables {
public:
    explicit PidVariables(KernelView& kernel) : kernel_(kernel) {}

    struct Instruction {
        std::string file;
        ProcessView::Identity identity = {};
        uint64_t offset = 0; ///< offset in the file
        auto operator<=>(const Instruction&) const = default;
    };
    using Locations = std::map<std::string, VariableLocation>;

    /// Returns the variables that are visible at all instructions: the one with this name, or all of the function if
    /// the name is empty.
    ProbeVariables find(const std::vector<Instruction>& instructions, const std::string& name);
    /// Returns the locations of variables at an instruction, without those that cannot be read there.
    Locations locations(const Instruction& instruction, const std::set<std::string>& names);

private:
    const ProcessView::Variables& at(const Instruction& instruction, const std::string& name);

    KernelView& kernel_;
    std::map<std::tuple<Instruction, std::string>, ProcessView::Variables> known_;
};

} // namespace dt::probes
