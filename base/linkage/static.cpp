// Implements base/linkage.hpp for the static executable. Other executables open some libraries at run time. The static
// executable contains one of them, the disassembler Capstone, and lacks all others.
#include <grp.h>
#include <pwd.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "base/linkage.hpp"

extern "C" {
void cs_open();
void cs_close();
void cs_disasm();
void cs_free();
}

namespace dt {
namespace {

struct Symbol {
    const char* name;
    void (*function)();
};
Symbol capstone[] = {{"cs_open", cs_open}, {"cs_close", cs_close}, {"cs_disasm", cs_disasm}, {"cs_free", cs_free}};

/// Returns the first entry whose member `member` equals `wanted`, from a file in the format of passwd(5). The entry's
/// texts are valid until the next call.
template <typename Entry, typename Member, typename Wanted>
std::optional<Entry> find_entry(const char* path, Entry* (*next)(FILE*), Member Entry::*member, const Wanted& wanted)
{
    const std::unique_ptr<FILE, decltype(&fclose)> file(std::fopen(path, "re"), fclose);
    while (Entry* const entry = file ? next(file.get()) : nullptr)
        if (entry->*member == wanted)
            return *entry;
    return std::nullopt;
}

} // namespace

bool is_static()
{
    return true;
}

void* open_library(const std::string& name)
{
    return name.starts_with("libcapstone.so.") ? capstone : nullptr;
}

void* find_symbol(void* library, const char* name)
{
    if (library == capstone)
        for (const Symbol& each : capstone)
            if (std::strcmp(each.name, name) == 0)
                return reinterpret_cast<void*>(each.function);
    return nullptr;
}

std::optional<uid_t> find_user(const std::string& name)
{
    const auto entry = find_entry("/etc/passwd", fgetpwent, &passwd::pw_name, name);
    return entry ? std::optional(entry->pw_uid) : std::nullopt;
}

std::optional<gid_t> find_group(const std::string& name)
{
    const auto entry = find_entry("/etc/group", fgetgrent, &group::gr_name, name);
    return entry ? std::optional(entry->gr_gid) : std::nullopt;
}

std::optional<std::string> user_name(uid_t id)
{
    const auto entry = find_entry("/etc/passwd", fgetpwent, &passwd::pw_uid, id);
    return entry ? std::optional<std::string>(entry->pw_name) : std::nullopt;
}

std::optional<std::string> group_name(gid_t id)
{
    const auto entry = find_entry("/etc/group", fgetgrent, &group::gr_gid, id);
    return entry ? std::optional<std::string>(entry->gr_name) : std::nullopt;
}

} // namespace dt
