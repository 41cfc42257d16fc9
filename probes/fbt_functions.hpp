// Which functions of the kernel probes are made for, and where they are.
//
// A name is not a function: the compiler may have made clones of it only ("foo.isra.0", whose arguments differ from
// foo's), and several files may have a static function of the same name. What is attached is therefore an address.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/plan.hpp"
#include "probes/kernel_view.hpp"

namespace dt::probes {

/// Why a pattern had better leave a function alone; empty: it need not. With `all`: only what is no function at all.
std::string_view why_left_out(std::string_view function, bool all);

/// May a program call it, through what it asks of the kernel?
bool is_used_by_programs(std::string_view function);

/// "foo" of "foo.isra.0", and of "foo".
std::string_view base_name(std::string_view function);

/// Is it a function, or a copy of one? The unlikely part of one ("foo.cold") is entered by a jump: it is neither.
bool is_function(std::string_view name);

/// Targets for a probe of each function: every place that has the name, else every clone of it; the name alone where
/// the kernel hides its addresses. `spelled`: a name is a name, dots and all.
std::vector<std::vector<AttachTarget>> targets_of(KernelView& kernel, const std::vector<const Probe*>& probes,
                                                  bool spelled);

} // namespace dt::probes
