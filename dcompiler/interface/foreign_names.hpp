// Hints for names that programs bring from other systems: kernel symbols, types, struct members, system calls,
// providers, modules, and probe descriptions that match nothing. Published scripts contain many such names, and an
// error with the Linux equivalent saves a search. dtrace-porting(7) contains the same list.
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/interface/probes.hpp"
#include "dcompiler/interface/world.hpp"

namespace dt {

enum class ForeignKind { Symbol, Type, Member, SystemCall, Provider, Module };

/// Returns a hint such as "on Linux that is `avenrun", or nothing if the tables do not contain the name.
std::string_view foreign_name(ForeignKind kind, std::string_view name);

/// Returns the system call that libraries now use in place of an obsolete one, or nothing.
std::string_view superseding_call(std::string_view name);

} // namespace dt

// Hints for probe descriptions that match nothing.

namespace dt::sema {

/// Returns a hint, or an empty string. It may list all probes, which is slow but only needed for descriptions without a
/// match.
std::string suggest_description(const ProbePattern& description, World& world);

/// Returns a hint if the script's first line contains an option that allows descriptions without a match, but the
/// script was not started through this line; else an empty string.
std::string missing_option_hint(std::string_view script);

/// Returns the current replacement of an outdated system call in a description, or an empty string.
std::string renamed_call(const ProbePattern& description);

/// Returns a hint if the description names a module of another system's kernel, although it matches the Linux probe
/// `probe`. Returns an empty string if it names another module.
std::string foreign_module(const ProbePattern& description, const Probe& probe);

} // namespace dt::sema
