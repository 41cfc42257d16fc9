// The texts of -l and -v (dtrace(8), verbose, and dtrace-language(7), STABILITY).
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/compiler.hpp"

namespace dt::cmd {

/// "   ID   PROVIDER            MODULE                          FUNCTION NAME\n"
std::string list_heading();
std::string list_row(const Probe& probe);

/// The block behind a row of -lv: attributes and argument types.
std::string probe_information(const Probe& probe, const ProbeSignature& signature, TypeTable& types);

/// The last part of it alone.
std::string argument_types(const ProbeSignature& signature, TypeTable& types);

/// The blocks of -v for one program: minima over its statements. `subject` is "description BEGIN" or "script FILE". The
/// caller ends it: an empty line when running, description_report() with -e.
std::string stability_report(const Program& program, uint32_t index, std::string_view subject);

/// With -e -v: every distinct probe description of the program with its information.
std::string description_report(const Program& program, uint32_t index, ProbeSource& source);

/// What a message shows of a command-line program: the text before the first of { / ;
std::string_view spec_of(std::string_view text);

} // namespace dt::cmd
