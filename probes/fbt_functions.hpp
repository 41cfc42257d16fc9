// Selects the kernel functions that get probes, and finds their addresses.
//
// A name may mean several functions: the compiler may have made only clones ("foo.isra.0", whose arguments differ from
// foo's), and several files may have a static function with that name. So probes are attached by address.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/plan.hpp"
#include "probes/kernel_view.hpp"

namespace dt::probes {

/// Returns why patterns exclude a function; empty if they do not. With `all`, only symbols that are no functions are
/// excluded.
std::string_view why_left_out(std::string_view function, bool all);

/// Returns whether a BPF program may call the function indirectly by its helpers.
bool is_used_by_programs(std::string_view function);

/// Returns "foo" for "foo.isra.0" and for "foo".
std::string_view base_name(std::string_view function);

/// Returns whether the symbol is a function or a clone of one. A cold part ("foo.cold") is entered by a jump and is
/// neither.
bool is_function(std::string_view name);

/// Returns targets for a probe of each function: every address with the name, else every clone. If the kernel hides
/// addresses, the target is the name. With `spelled`, names are literal, including dots.
std::vector<std::vector<AttachTarget>> targets_of(KernelView& kernel, const std::vector<const Probe*>& probes,
                                                  bool spelled);

} // namespace dt::probes
