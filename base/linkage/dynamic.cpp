// Implements base/linkage.hpp for the ordinary executable, libdtrace.so and the tests.
#include <dlfcn.h>
#include <grp.h>
#include <pwd.h>

#include "base/linkage.hpp"

namespace dt {

bool is_static()
{
    return false;
}

void* open_library(const std::string& name)
{
    return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

void* find_symbol(void* library, const char* name)
{
    return dlsym(library, name);
}

std::optional<uid_t> find_user(const std::string& name)
{
    const passwd* const entry = getpwnam(name.c_str());
    return entry ? std::optional(entry->pw_uid) : std::nullopt;
}

std::optional<gid_t> find_group(const std::string& name)
{
    const group* const entry = getgrnam(name.c_str());
    return entry ? std::optional(entry->gr_gid) : std::nullopt;
}

} // namespace dt
