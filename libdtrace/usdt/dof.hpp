// DOF, the description of a program's probes in the section .SUNW_dof. Option -G writes the section, and the tracer
// reads it from the files of running processes.
//
// All implementations of DTrace use this layout (dtrace-providers(7), PROBES OF PROGRAMS), so each can read object
// files that were built with another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::usdt {

inline constexpr char kDofSection[] = ".SUNW_dof";
inline constexpr uint32_t kDofSectionType = 0x6ffffff4;

/// A probe in one function of an object.
struct DofProbe {
    std::string provider, probe, function;
    /// Offsets of the sites where the probe fires, and of the sites that query whether the probe is enabled. In the
    /// result of read_dof(), these are addresses. In the argument of make_dof(), these are offsets from the start of
    /// the function.
    std::vector<uint64_t> sites, is_enabled_sites;
    /// D types of the arguments that the program passes to the probe (`native`), and D types of args[] (`translated`).
    std::vector<std::string> native, translated;
    /// args[i] is the argument with index mapping[i] in `native`, converted to type translated[i]
    std::vector<uint8_t> mapping;
};

struct Dof {
    std::vector<uint8_t> bytes;
    /// Offsets in `bytes` of the 64-bit words into which the linker stores function addresses. The word at addresses[i]
    /// belongs to probes[i].
    std::vector<std::size_t> addresses;
};

/// Encodes a provider's probes. DofProbe::sites are offsets from the start of the function. All `probes` must belong to
/// `provider`.
Dof make_dof(const DefinedProvider& provider, const std::vector<DofProbe>& probes);

/// Reads a section: descriptions that the linker has concatenated and whose addresses are relocated. The bytes are
/// untrusted and are checked. Fails if a description is invalid or contains an offset that points outside of the
/// description.
Result<std::vector<DofProbe>> read_dof(std::span<const uint8_t> section);

} // namespace dt::usdt
