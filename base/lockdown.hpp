// Detects whether the kernel is locked down so that its memory cannot be read (kernel_lockdown(7), "confidentiality").
// Such a kernel removes helpers from BPF programs and closes kprobes and tracefs, without a message that says why.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include "base/proc_file.hpp"

namespace dt {

inline constexpr std::string_view kLockedDown = "this kernel is locked down (lockdown=confidentiality)";

/// `state`: the text of /sys/kernel/security/lockdown, "none integrity [confidentiality]"; empty where securityfs is
/// not mounted. Then the kernel's command line says what it was booted with.
inline bool is_locked_down(const std::string& state, const std::string& command_line)
{
    if (!state.empty())
        return state.find("[confidentiality]") != std::string::npos;
    bool is_locked = false;
    std::istringstream words(command_line);
    for (std::string word; words >> word;)
        if (word.starts_with("lockdown="))
            is_locked = word == "lockdown=confidentiality";
    return is_locked;
}

/// Reads two small files each time.
inline bool is_locked_down()
{
    return is_locked_down(read_proc_file("/sys/kernel/security/lockdown"), read_proc_file("/proc/cmdline"));
}

} // namespace dt
