// Hints for syntax errors: guess from the text near the error what the user intended.
#pragma once

#include <string>
#include <string_view>

namespace dt::syntax {

class TypeNames;

/// Returns "unknown type nge_t" if the text ends with a word that looks like the name of a type but is none. Stars may
/// follow the word. Otherwise returns an empty string.
std::string unknown_type_hint(std::string_view before, TypeNames& types);
/// Returns a hint for an unknown type, such as "unknown type kmutex_t: on Linux that is struct mutex".
std::string unknown_type_text(const std::string& name);
/// If an item starts with a SystemTap probe point, returns its D form, otherwise an empty string.
std::string systemtap_hint(std::string_view item);

/// Returns "0x1g is not a number" if the text at `at` is a number and letters follow it directly, else an empty string.
std::string number_hint(std::string_view text, std::size_t at);

/// Returns the D form of a bpftrace probe such as `uprobe:/bin/bash:readline`, where D would take the path's first
/// slash for the start of a predicate. `description` is the text that precedes the slash; `path` begins with the slash.
/// Returns an empty string for other text.
std::string bpftrace_path_hint(std::string_view description, std::string_view path);

} // namespace dt::syntax
