// Describes a processor's page tables, so that BPF programs can find the pages of a process in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dt::machine {

struct Machine;

/// Each table is a page of words. Nine bits of the address select a word of a table. The word contains the address of
/// the next table or, in the last table, the address of the page.
struct Paging {
    /// For each table, beginning with the first: number of bits by which the address is shifted right to get its nine
    /// bits. Some machines lack the first table (`deep_below`).
    std::span<const uint32_t> shifts;
    std::string_view table; ///< member of mm_struct that contains the kernel address of the first table
    /// Member of mm_struct with a counter. The kernel increases the counter after it takes a page from the process and
    /// before it reuses the page. While the counter is constant, page-table entries that were read stay valid.
    std::string_view taken;
    uint64_t address; ///< bits of a table's word that form a physical address
    uint64_t needed;  ///< bits that are set if the page is present and user code may access it
    uint64_t large;   ///< bit of a word in any table but the last: the word describes a large page
    uint64_t odd;     ///< bit of a word in the last table: the mapping is special (pte_special())
    /// for machines with up to five tables: the first table exists if the kernel's mapping of all memory begins below
    /// this address
    uint64_t deep_below;
};

/// Returns the description of the machine's page tables. Returns nothing if BPF programs cannot use these page tables
/// because no description exists, or if the kernel has no counter of taken pages.
std::optional<Paging> paging(const Machine& machine);

} // namespace dt::machine
