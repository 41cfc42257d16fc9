// What other systems have under names that Linux does not know: kernel symbols, types, members of structs, system
// calls, providers, modules. Published scripts are full of them. The porting page of the manual lists the same.
#pragma once

#include <string_view>

namespace dt {

enum class ForeignKind { Symbol, Type, Member, SystemCall, Provider, Module };

/// "on Linux that is `avenrun"; empty: nothing is known of the name.
std::string_view foreign_name(ForeignKind kind, std::string_view name);

/// Of a system call that Linux has and hardly a program makes any more: the one that libraries make in its place; or
/// empty.
std::string_view superseding_call(std::string_view name);

} // namespace dt
