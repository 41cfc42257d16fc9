// Differences between the ordinary executable and the static one (`./dev package --static`). Both are linked from the
// same objects; one file of base/linkage/ is added to each. What a static executable opened would bring a second C
// library with it, so that one opens no library, and reads /etc/passwd and /etc/group itself where the C library would
// open the libraries of nsswitch.conf(5).
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace dt {

/// Whether this is the static executable.
bool is_static();

/// Opens a library for this process, which keeps it. Returns null if it cannot be opened.
void* open_library(const std::string& name);

/// Finds a function or variable of a library that open_library() opened. Null: it has none of that name.
void* find_symbol(void* library, const char* name);

/// Returns false if the library has no function of that name.
template <typename Function> bool find_function(void* library, Function& function, const char* name)
{
    function = reinterpret_cast<Function>(find_symbol(library, name));
    return function != nullptr;
}

/// Returns a message for a library that could not be opened: what needs it, why it is not there, what to do next.
std::string missing_library(std::string_view what_needs_it, std::string_view library, std::string_view debian_package);

std::optional<uid_t> find_user(const std::string& name);
std::optional<gid_t> find_group(const std::string& name);

} // namespace dt
