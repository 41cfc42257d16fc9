// Hints for probe descriptions that match nothing.
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/probes.hpp"
#include "dcompiler/world.hpp"

namespace dt::sema {

/// Returns a hint, or an empty string. May list all probes, which only happens for descriptions without a match.
std::string meant_description(const ProbePattern& description, World& world);

/// Returns a hint if the script's first line allows descriptions without a match but was not used as the interpreter
/// line; else an empty string.
std::string forgotten_option(std::string_view script);

/// Returns the current replacement of an outdated system call in a description, or an empty string.
std::string outdated_call(const ProbePattern& description);

/// Returns the meaning here of a module of another system's kernel in a description that matches `probe`, or an empty
/// string.
std::string foreign_module(const ProbePattern& description, const Probe& probe);

} // namespace dt::sema
