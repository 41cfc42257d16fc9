// Maps a function's parameters to a probe's arguments (arg0, …) by their types and the calling convention.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dcompiler/interface/types.hpp"
#include "machine/machine.hpp"
#include "probes/process_view.hpp"

namespace dt {

/// The position of a parameter or result: the index of the probe's argument word (argN) that contains the value, or the
/// reason why none does. A structure occupies consecutive words from `word` on.
struct Passed {
    uint8_t word = 0;
    std::string refusal; ///< why no word contains the value; empty if `word` contains it
    StructureForm form = StructureForm::Bytes;
};

/// Returns the position of each parameter. `result` is the function's result type, which is void or null if there is no
/// result. A large result is stored in memory whose address is a hidden first argument, so it changes the positions. If
/// the type of a parameter is unknown, its pointer is null.
std::vector<Passed> passed_parameters(probes::ProcessView::Calls calls, bool is_rust, const Type* result,
                                      const std::vector<const Type*>& parameters,
                                      const machine::Machine& machine = machine::native());
/// Returns the position of a function's result in a return probe.
Passed passed_result(probes::ProcessView::Calls calls, const Type* result,
                     const machine::Machine& machine = machine::native());
/// Returns the position of a parameter that is in `registers` (DWARF numbers) at the function's entry.
Passed passed_in(probes::ProcessView::Calls calls, const Type* type, const std::vector<unsigned>& registers,
                 const machine::Machine& machine = machine::native());

} // namespace dt
