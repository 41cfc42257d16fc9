// Text of -l and -v (dtrace(8), verbose, and dtrace-language(7), STABILITY).
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/compiler.hpp"

namespace dt::cmd {

/// Returns "   ID   PROVIDER            MODULE                          FUNCTION NAME\n".
std::string list_heading();
std::string list_row(const Probe& probe);

/// Returns the block after a row of -lv: stability attributes and argument types.
std::string probe_information(const Probe& probe, const ProbeSignature& signature, TypeTable& types);

/// Returns only the argument types of that block.
std::string argument_types(const ProbeSignature& signature, TypeTable& types);

/// Returns the stability blocks of -v for one program: minima over its statements. `subject` is "description BEGIN" or
/// "script FILE". The caller appends an empty line when running, or description_report() with -e.
std::string stability_report(const Program& program, uint32_t index, std::string_view subject);

/// Returns every distinct probe description of the program with its information, for -e -v.
std::string description_report(const Program& program, uint32_t index, ProbeSource& source);

/// Returns the part of a command-line program that messages show: the text before the first of { / ;
std::string_view spec_of(std::string_view text);

} // namespace dt::cmd
