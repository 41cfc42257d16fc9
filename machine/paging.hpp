// Describes a processor's page tables, so that BPF programs can find the pages of a process in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dt::machine {

struct Machine;

/// Each table is a page of words. Nine bits of the address select a word: the address of the next table, or of the page
/// in the last table.
struct Paging {
    /// Right shifts of the address for each table, from the first one. Some machines lack the first table, see
    /// `deep_below`.
    std::span<const uint32_t> shifts;
    std::string_view table; ///< member of mm_struct that contains the kernel address of the first table
    /// Member of mm_struct with a counter. The kernel increases it after it takes a page from the process and before it
    /// reuses the page. While the counter is constant, page-table entries that were read stay valid.
    std::string_view taken;
    uint64_t address; ///< bits of a word that are a physical address
    uint64_t needed;  ///< bits that are set if the page is present and user code may access it
    uint64_t large;   ///< bit that marks a large page above the last table
    uint64_t odd;     ///< bit in the last table that marks special mappings (pte_special())
    /// machines with five tables: the first table exists if the kernel maps all memory below this address
    uint64_t deep_below;
};

/// Returns the description of the machine's page tables. Returns nothing if they are unknown, or if the kernel has no
/// counter of taken pages.
std::optional<Paging> paging(const Machine& machine);

} // namespace dt::machine
