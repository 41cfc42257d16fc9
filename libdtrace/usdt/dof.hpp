// DOF: how a program carries the description of its probes (section .SUNW_dof). Written by -G, read from the files of
// running processes.
//
// The layout is that of every DTrace (dtrace-providers(7), PROBES OF PROGRAMS), so objects built by another one work
// here and the other way round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/sema/program.hpp"

namespace dt::usdt {

inline constexpr char kDofSection[] = ".SUNW_dof";
inline constexpr uint32_t kDofSectionType = 0x6ffffff4;

/// One probe in one function of an object.
struct DofProbe {
    std::string provider, probe, function;
    std::vector<uint64_t> sites,
        asking; ///< where it fires, and where it is asked whether it is enabled: addresses, or offsets in the function
    std::vector<std::string> native, translated; ///< types of the call's arguments and of args[], in D
    std::vector<uint8_t> mapping;                ///< args[i] comes from argument mapping[i]
};

struct Dof {
    std::vector<uint8_t> bytes;
    std::vector<std::size_t> addresses; ///< where the 64 bits are that become the address of probes[i]'s function
};

/// The description of a provider's probes; DofProbe::sites are offsets from the function. `probes` are all of
/// `provider`.
Dof make_dof(const DefinedProvider& provider, const std::vector<DofProbe>& probes);

/// Reads a section: descriptions one after the other, as the linker joins them, with the addresses of the file filled
/// in. The bytes are somebody else's: nothing in them is believed before it is looked at. Fails at what is no
/// description, or leads out of it.
Result<std::vector<DofProbe>> read_dof(std::span<const uint8_t> section);

} // namespace dt::usdt
