// Checks of --doctor: each tries one thing that tracing may need, and reports the result and a remedy.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dt::cmd::doctor {

struct Finding {
    bool works = false;
    std::string detail; ///< details of the check's result, or the reason why it failed
    std::string remedy; ///< next step for the user; empty if no step is needed or none is known
};

struct Check {
    const char* group; ///< group of the check: "machine", "mechanism", "tool" or "provider"
    const char* name;
    Finding (*run)();
    bool essential = false; ///< whether tracing is impossible if the check fails
};

/// machine_checks() returns checks of the kernel, its configuration and files, and of helper programs.
/// mechanism_checks() returns checks of attach mechanisms: the kernel's ways to call a BPF program.
std::span<const Check> machine_checks();
std::span<const Check> mechanism_checks();

/// Advice for the user about an attach mechanism that the kernel's lockdown forbids.
inline constexpr const char* kUnlocked = "a boot without lockdown=confidentiality";

/// Returns the result of a failed check for an errno. If permission was denied, the suggested remedy is the missing
/// capability.
Finding failed(int code, const char* capability, std::string remedy);
inline Finding works(std::string detail = {})
{
    return {true, std::move(detail), {}};
}

} // namespace dt::cmd::doctor
