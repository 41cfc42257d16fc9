// dtrace --initramfs [DIR]: writes scripts for initramfs-tools(7) that start the saved program at the very beginning of
// the boot.
//
// A hook copies the command, its libraries and the saved program into the image. A script in init-top starts tracing,
// before modules are loaded and the root file system is searched.
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "cmd/anonymous/keeper.hpp"
#include "cmd/anonymous/places.hpp"
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"

namespace dt::cmd {
namespace {

constexpr char kHook[] = R"(#!/bin/sh
# Written by dtrace --initramfs: takes along what dtrace -A has saved, and what traces it.
[ "$1" != prereqs ] || exit 0
program=PROGRAM
[ -e "$program/arguments" ] && [ -x DTRACE ] || exit 0
. /usr/share/initramfs-tools/hook-functions
copy_exec DTRACE /sbin/dtrace
mkdir -p "$DESTDIR$program"
cp -a "$program/." "$DESTDIR$program"
)";

constexpr char kStart[] = R"(#!/bin/sh
# Written by dtrace --initramfs: from here on it is traced. The boot goes on, whatever becomes of it.
[ "$1" != prereqs ] || exit 0
[ -x /sbin/dtrace ] || exit 0
[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing
/sbin/dtrace --anonymous || echo "dtrace: the boot is not traced"
exit 0
)";

std::string replaced(std::string text, const std::string& word, const std::string& by)
{
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
    return text;
}

Result<void> write_script(const std::string& path, const std::string& text)
{
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
    std::ofstream file(path, std::ios::trunc);
    file << text;
    file.close();
    if (!file || chmod(path.c_str(), 0755) != 0)
        return Error{"failed to write " + path + ": " + std::strerror(errno), errno};
    return {};
}

} // namespace

int initramfs_mode(const Arguments& arguments)
{
    const std::string directory =
        arguments.operands.empty() ? std::string(anonymous::kInitramfsTools) : arguments.operands[0];
    std::error_code failed;
    const std::string myself = std::filesystem::read_symlink("/proc/self/exe", failed);
    const std::string hook = replaced(replaced(kHook, "PROGRAM", anonymous::places().program), "DTRACE", myself);
    for (const auto& [path, text] : {std::pair(directory + "/hooks/dtrace", hook),
                                     std::pair(directory + "/scripts/init-top/dtrace", std::string(kStart))}) {
        if (const Result<void> written = write_script(path, text); !written) {
            say(arguments, written.error().message);
            return kFailure;
        }
        say(arguments, "wrote " + path);
    }
    if (directory == anonymous::kInitramfsTools)
        say(arguments, "run update-initramfs -u to trace what dtrace -A saves from the next boot on");
    return kSuccess;
}

} // namespace dt::cmd
