// What stands before the place where the grammar was at a loss, and what it tells of what was meant.
#pragma once

#include <string>
#include <string_view>

namespace dt::syntax {

class TypeNames;

/// "unknown type nge_t" where the text ends with a word that looks like a type's name, perhaps with stars behind it,
/// and is none; else empty.
std::string unknown_type_hint(std::string_view before, TypeNames& types);
/// "unknown type kmutex_t: on Linux that is struct mutex".
std::string unknown_type_text(const std::string& name);
/// How D writes the probe point of SystemTap that an item begins with, or nothing: it is none.
std::string systemtap_hint(std::string_view item);

/// "0x1g is no number" where letters begin at `at` right behind a number; else empty.
std::string number_hint(std::string_view text, std::size_t at);

/// Of `uprobe:/bin/bash:readline` and its like, whose path begins a predicate in D: how D writes it. `description` is
/// what stands before the slash, `path` what follows, slash included; empty when it is something else.
std::string bpftrace_path_hint(std::string_view description, std::string_view path);

} // namespace dt::syntax
