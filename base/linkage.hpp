// Differences between the ordinary and the static executable (`./dev package --static`). Both are linked from the same
// objects, plus one file of base/linkage/. A library opened by a static executable would load a second C library. So
// the static one opens none, and reads /etc/passwd and /etc/group itself, where the C library would open those of
// nsswitch.conf(5).
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace dt {

/// Returns whether this is the static executable.
bool is_static();

/// Opens a library for this process, which keeps it. Returns null if it cannot be opened.
void* open_library(const std::string& name);

/// Finds a function or variable of a library that open_library() opened. Returns null if the library does not have it.
void* find_symbol(void* library, const char* name);

/// Returns false if the library has no function of that name.
template <typename Function> bool find_function(void* library, Function& function, const char* name)
{
    function = reinterpret_cast<Function>(find_symbol(library, name));
    return function != nullptr;
}

/// Returns a message for a library that could not be opened: the feature that needs it, the reason, and the next step.
std::string missing_library(std::string_view what_needs_it, std::string_view library, std::string_view debian_package);

std::optional<uid_t> find_user(const std::string& name);
std::optional<gid_t> find_group(const std::string& name);

} // namespace dt
