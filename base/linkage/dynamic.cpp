// Implements base/linkage.hpp for the ordinary executable, libdtrace.so and the tests.
#include <dlfcn.h>
#include <grp.h>
#include <pwd.h>

#include <cerrno>
#include <vector>

#include "base/linkage.hpp"

namespace dt {
namespace {

/// Calls getpwuid_r() or getgrgid_r() with a buffer that is large enough, and returns the entry's name.
template <typename Entry, typename Id>
std::optional<std::string> name_of(Id id, int (*find)(Id, Entry*, char*, std::size_t, Entry**), char* Entry::*name)
{
    constexpr std::size_t kLargest = 1 << 20;
    std::vector<char> buffer(1024);
    Entry entry{};
    Entry* found = nullptr;
    while (find(id, &entry, buffer.data(), buffer.size(), &found) == ERANGE && buffer.size() < kLargest)
        buffer.resize(2 * buffer.size());
    return found ? std::optional<std::string>(found->*name) : std::nullopt;
}

} // namespace

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

std::optional<std::string> user_name(uid_t id)
{
    return name_of(id, getpwuid_r, &passwd::pw_name);
}

std::optional<std::string> group_name(gid_t id)
{
    return name_of(id, getgrgid_r, &group::gr_name);
}

} // namespace dt
