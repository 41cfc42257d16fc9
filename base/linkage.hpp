// Differences between the ordinary and the static executable (`./dev package --static`). Both are linked from the same
// objects, plus one file of base/linkage/. The static executable opens no libraries at run time, because a library
// would load a second C library. It reads /etc/passwd and /etc/group itself, because the C library would open the
// libraries that nsswitch.conf(5) names.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace dt {

/// Returns whether the process runs the static executable.
bool is_static();

/// Opens a library, which stays open until the process ends. Returns null if it cannot be opened.
void* open_library(const std::string& name);

/// Finds a function or variable of a library that open_library() opened. Returns null if the library does not contain
/// it.
void* find_symbol(void* library, const char* name);

/// Sets `function` to the library's function `name`. Returns false if the library has no function of that name.
template <typename Function> bool find_function(void* library, Function& function, const char* name)
{
    function = reinterpret_cast<Function>(find_symbol(library, name));
    return function != nullptr;
}

/// Base of a structure with the functions and variables of a library that is opened at run time. Each member is
/// initialized by find().
class OpenedLibrary {
public:
    explicit OpenedLibrary(const std::string& name) : handle_(open_library(name)), is_complete_(handle_ != nullptr) {}

    /// Returns whether the library was opened and has all the functions and variables of the structure.
    bool is_complete() const { return is_complete_; }

protected:
    struct Symbol {
        void* address;
        template <typename Type> operator Type*() const { return reinterpret_cast<Type*>(address); }
    };

    Symbol find(const char* name)
    {
        const Symbol found{handle_ ? find_symbol(handle_, name) : nullptr};
        is_complete_ = is_complete_ && found.address;
        return found;
    }

private:
    void* handle_;
    bool is_complete_;
};

/// Returns a message for a library that could not be opened: the feature that needs it, the reason, and the next step.
std::string missing_library(std::string_view what_needs_it, std::string_view library, std::string_view debian_package);

std::optional<uid_t> find_user(const std::string& name);
std::optional<gid_t> find_group(const std::string& name);
/// Return the name of a user or group, or nothing if the id has none.
std::optional<std::string> user_name(uid_t id);
std::optional<std::string> group_name(gid_t id);

} // namespace dt
