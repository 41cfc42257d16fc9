// Which of a probe's arguments (arg0, …) a function's parameters are, by their types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "dcompiler/sema/types.hpp"
#include "probes/process_view.hpp"

namespace dt {

/// Where a value is: in one of the probe's words, or why it is not.
struct Passed {
    uint8_t word = 0;
    std::string refusal; ///< empty: the value is that word
};

/// `result`: of the function, which may need a place that a first, hidden argument tells; void or null: none. A type
/// that is null is not known.
std::vector<Passed> passed_parameters(probes::ProcessView::Calls calls, bool is_rust, const Type* result,
                                      const std::vector<const Type*>& parameters,
                                      const machine::Machine& machine = machine::native());
/// What a function of that result gives back, by the words of a return probe.
Passed passed_result(probes::ProcessView::Calls calls, const Type* result,
                     const machine::Machine& machine = machine::native());
/// A parameter that is in these registers, by their numbers in DWARF, when the function begins.
Passed passed_in(probes::ProcessView::Calls calls, const Type* type, const std::vector<unsigned>& registers,
                 const machine::Machine& machine = machine::native());

} // namespace dt
