// Hints for names that programs bring from other systems: kernel symbols, types, struct members, system calls,
// providers, modules, and probe descriptions that match nothing. Published scripts contain many such names, and a hint
// with the Linux name spares the user a search. dtrace-porting(7) contains the same list.
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/interface/probes.hpp"
#include "dcompiler/interface/world.hpp"

namespace dt {

enum class ForeignKind { Symbol, Type, Member, SystemCall, Provider, Module };

/// Returns a hint such as "on Linux that is `avenrun", or nothing if the tables do not contain the name.
std::string_view foreign_name(ForeignKind kind, std::string_view name);

/// Returns the system call that C libraries now use instead of the obsolete call `name`, or nothing.
std::string_view superseding_call(std::string_view name);

} // namespace dt

// Hints for probe descriptions that match nothing.

namespace dt::sema {

/// Returns a hint for a probe description that matches nothing, or an empty string. Can be slow, because it may list
/// all probes.
std::string suggest_description(const ProbePattern& description, World& world);

/// Returns a hint if option -Z in the script's first line is ignored because the script was started with dtrace -s;
/// else an empty string. -Z allows probe descriptions without a match.
std::string missing_option_hint(std::string_view script);

/// Returns a hint that names the newer system call, if the description contains a call that C libraries no longer use.
/// Returns an empty string for other descriptions.
std::string renamed_call(const ProbePattern& description);

/// Returns a hint if the description names a module of another system's kernel, but otherwise matches the Linux probe
/// `probe`. Returns an empty string for other descriptions.
std::string foreign_module(const ProbePattern& description, const Probe& probe);

} // namespace dt::sema
