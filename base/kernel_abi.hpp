// Parts of the kernel's interface that no header provides: constants that headers of older kernels lack
// (include/uapi/linux/bpf.h), limits, and detection of a locked-down kernel.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "base/proc_file.hpp"

namespace dt::abi {

// Values of enum bpf_attach_type.
inline constexpr uint32_t kTraceUprobeMulti = 48;   ///< this attach type exists in kernels since 6.6
inline constexpr uint32_t kTraceKprobeSession = 56; ///< this attach type exists in kernels since 6.10
inline constexpr uint32_t kTraceFentryMulti = 59;   ///< this attach type exists in kernels since 7.2

// Values of enum bpf_link_type.
inline constexpr uint32_t kLinkOfPerfEvent = 7;
inline constexpr uint32_t kLinkOfKprobeMulti = 8;

// Values of enum bpf_perf_event_type.
inline constexpr uint32_t kEventKprobe = 3;
inline constexpr uint32_t kEventKretprobe = 4;

// Instruction modes of the BPF instruction set standard (RFC 9669), since 6.6.
inline constexpr uint8_t kModeMemSx = 0x80; ///< mode bits of a sign-extending load instruction

// Flags that BPF helpers take as arguments.
inline constexpr int64_t kCurrentCpu = 0xffffffff; ///< the kernel's BPF_F_CURRENT_CPU
inline constexpr int64_t kUserStack = 256;         ///< the kernel's BPF_F_USER_STACK
inline constexpr int64_t kNoWakeup = 1;            ///< the kernel's BPF_RB_NO_WAKEUP
inline constexpr int64_t kForceWakeup = 2;         ///< the kernel's BPF_RB_FORCE_WAKEUP

/// Stack size in bytes of a BPF program together with the functions that it calls (MAX_BPF_STACK).
inline constexpr int64_t kMaxStack = 512;

} // namespace dt::abi

// Detects whether the kernel is locked down so that its memory cannot be read (kernel_lockdown(7), "confidentiality").
// Such a kernel disables BPF helpers, kprobes and tracefs, without a message that says why.

namespace dt {

inline constexpr std::string_view kLockedDown = "this kernel is locked down (lockdown=confidentiality)";

/// `state` is the text of /sys/kernel/security/lockdown, such as "none integrity [confidentiality]". If `state` is
/// empty because securityfs is not mounted, the boot parameter lockdown= in the kernel's command line decides.
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

/// Returns whether the running kernel is locked down. Reads two small files at each call.
inline bool is_locked_down()
{
    return is_locked_down(read_proc_file("/sys/kernel/security/lockdown"), read_proc_file("/proc/cmdline"));
}

} // namespace dt
