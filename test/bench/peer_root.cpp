// Sets up a root file system in which other tracers run.
//
// Tracers expect their libraries, tracefs and the kernel's build files at fixed paths. So a tracer that was unpacked in
// a folder needs this folder as its root. All mounts are in a private namespace that ends with the benchmark.
#include "test/bench/peer_root.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sched.h>
#include <sys/mount.h>

namespace dt::bench {

namespace {

std::string failed(const std::string& what)
{
    return what + ": " + std::strerror(errno);
}

// Adds links from the root into /usr (such as /lib), which Debian's packages expect.
void add_links(const std::filesystem::path& root)
{
    std::error_code ignored;
    for (const char* name : {"bin", "sbin", "lib", "lib64"})
        std::filesystem::create_directory_symlink(std::string("usr/") + name, root / name, ignored);
}

void mount_file_systems_of_tracing()
{
    mount("debugfs", "/sys/kernel/debug", "debugfs", 0, nullptr);
    for (const char* place : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"})
        if (!std::filesystem::exists(std::string(place) + "/events"))
            mount("tracefs", place, "tracefs", 0, nullptr);
}

} // namespace

std::string enter_peer_root(const std::string& folder)
{
    const std::filesystem::path root = std::filesystem::path(folder) / "root";
    if (!std::filesystem::exists(root / "usr"))
        return "there is no root/usr in " + folder;
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        return failed("a mount namespace");
    add_links(root);
    mount_file_systems_of_tracing();
    for (const char* name : {"proc", "sys", "dev", "tmp"}) {
        std::error_code ignored;
        std::filesystem::create_directory(root / name, ignored);
        if (mount((std::string("/") + name).c_str(), (root / name).c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
            return failed(std::string("mounting ") + name);
    }
    return {};
}

bool hide_in_peer_root(const std::string& folder, const std::string& path)
{
    return mount("/dev/null", (folder + "/root" + path).c_str(), nullptr, MS_BIND, nullptr) == 0;
}

} // namespace dt::bench
