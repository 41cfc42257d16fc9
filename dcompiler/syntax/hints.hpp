// Hints for syntax errors: derive the probable intention from the text near the error.
#pragma once

#include <string>
#include <string_view>

namespace dt::syntax {

class TypeNames;

/// Returns "unknown type nge_t" if the given source text ends with a word that looks like a type name but is not one,
/// optionally followed by stars. Otherwise returns an empty string.
std::string unknown_type_hint(std::string_view before, TypeNames& types);
/// Returns a hint such as "unknown type kmutex_t: on Linux that is struct mutex" for a type's name.
std::string unknown_type_text(const std::string& name);
/// Returns the D form of the SystemTap probe point at the start of an item, or an empty string.
std::string systemtap_hint(std::string_view item);

/// Returns "0x1g is not a number" if letters at `at` directly follow a number, else an empty string.
std::string number_hint(std::string_view text, std::size_t at);

/// Returns the D form of a bpftrace probe such as `uprobe:/bin/bash:readline`, whose path would begin a predicate in D.
/// `description` is the text that precedes the slash; `path` begins with the slash. Returns an empty string for other
/// text.
std::string bpftrace_path_hint(std::string_view description, std::string_view path);

} // namespace dt::syntax
