// One thing that tracing may need, tried: what came of it, and what would help.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dt::cmd::doctor {

struct Finding {
    bool works = false;
    std::string detail; ///< what was found, or the reason
    std::string remedy; ///< what would bring it; empty: nothing to do, or nothing known
};

struct Check {
    const char* group; ///< "machine", "mechanism", "tool", "provider"
    const char* name;
    Finding (*run)();
    bool essential = false; ///< nothing can be traced without it
};

/// What the kernel, its configuration and its files have; mechanisms by which probes are attached; programs that
/// options call.
std::span<const Check> machine_checks();
std::span<const Check> mechanism_checks();

/// The reason of an errno, and the remedy: the capability that is missing where it is a permission.
Finding failed(int code, const char* capability, std::string remedy);
inline Finding works(std::string detail = {})
{
    return {true, std::move(detail), {}};
}

} // namespace dt::cmd::doctor
