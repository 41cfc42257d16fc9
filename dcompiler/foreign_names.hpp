// Linux equivalents of names from other systems: kernel symbols, types, struct members, system calls, providers,
// modules. Published scripts contain many such names. dtrace-porting(7) has the same list.
#pragma once

#include <string_view>

namespace dt {

enum class ForeignKind { Symbol, Type, Member, SystemCall, Provider, Module };

/// Returns a hint such as "on Linux that is `avenrun", or nothing for an unknown name.
std::string_view foreign_name(ForeignKind kind, std::string_view name);

/// Returns the system call that libraries now use in place of an obsolete one, or nothing.
std::string_view superseding_call(std::string_view name);

} // namespace dt
