// How a processor's tables say where the pages of a process are in memory, as far as programs of the kernel's virtual
// machine can follow them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dt::machine {

struct Machine;

/// Each table is a page of words, one of which the address chooses by nine of its bits: the next table, or, in the last
/// one, the page.
struct Paging {
    /// By how many bits an address is moved for each table, the first one first. Not all machines have the first, see
    /// `deep_below`.
    std::span<const uint32_t> shifts;
    std::string_view table; ///< member of mm_struct with the kernel's address of the first
    /// Member of mm_struct, a number that goes up between the moment when a page is taken from the process and the one
    /// when somebody else may get it: as long as it is the same, so is what an address means.
    std::string_view taken;
    uint64_t address;    ///< bits of a word that are an address in memory
    uint64_t needed;     ///< bits that are set: there is something, and the process may use it
    uint64_t large;      ///< set above the last table: it is of memory already
    uint64_t odd;        ///< set in the last table: it is not ordinary memory
    uint64_t deep_below; ///< where the kernel has all memory below this address, there is the first table; else not
};

/// None: it is not known, or the kernel has no such number.
std::optional<Paging> paging(const Machine& machine);

} // namespace dt::machine
