// Compares unwind rules with those that elfutils finds for the same addresses. Takes all libraries that this test has
// mapped, and the kernel's vdso. Counts the addresses of functions without a rule.
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "bpf-runtime/stacks/unwind_places.h"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/stacks/unwind_rows.hpp"

namespace dt {
namespace {

// Environment variable for manual runs: paths of additional files to compare, separated by blanks.
constexpr const char* kMoreFiles = "DTRACE_UNWIND_FILES";

/// The rules for the CFA, the return address and the frame pointer. A text is empty if the rule is an expression or
/// unknown.
struct Frame {
    std::string cfa, address, pointer;
};

std::string sum(std::string_view what, int64_t offset)
{
    return std::string(what) + (offset < 0 ? "" : "+") + std::to_string(offset);
}

std::string numbered(uint64_t number)
{
    return "r" + std::to_string(number);
}

std::string place_of(Dwarf_Frame* frame, uint64_t number)
{
    Dwarf_Op memory[3], *operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_register(frame, static_cast<int>(number), memory, &operations, &count) != 0)
        return {};
    if (count == 0)
        return operations ? "undefined" : "same";
    if (operations[0].atom == DW_OP_regx && count == 1)
        return numbered(operations[0].number);
    if (operations[0].atom != DW_OP_call_frame_cfa || count > 2 ||
        (count == 2 && operations[1].atom != DW_OP_plus_uconst))
        return {};
    return sum("c", count == 2 ? static_cast<int64_t>(operations[1].number) : 0);
}

Frame by_elfutils(Dwarf_CFI* table, uint64_t address, const machine::UnwindRegisters& machine)
{
    Dwarf_Frame* frame = nullptr;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    Frame found;
    if (dwarf_cfi_addrframe(table, address, &frame) != 0)
        return found;
    if (dwarf_frame_cfa(frame, &operations, &count) == 0 && count == 1 && operations->atom == DW_OP_bregx)
        found.cfa = sum(numbered(operations->number), static_cast<int64_t>(operations->number2));
    found.address = place_of(frame, machine.return_address);
    found.pointer = place_of(frame, machine.frame_pointer);
    std::free(frame);
    return found;
}

Frame by_rule(const dt_unwind_rule& rule, const machine::Machine& machine)
{
    Frame found;
    const auto& words = machine.dwarf.words;
    const auto dwarf_number = [&](int word) {
        return static_cast<uint64_t>(std::find(words.begin(), words.end(), static_cast<machine::Word>(word)) -
                                     words.begin());
    };
    const int kind = rule.cfa & DT_CFA_BITS, place = rule.cfa >> DT_RA_BITS;
    if (kind == DT_CFA_SP || kind == DT_CFA_FP)
        found.cfa = sum(numbered(kind == DT_CFA_SP ? machine.unwind.stack_pointer : machine.unwind.frame_pointer),
                        rule.cfa_offset);
    else if (kind == DT_CFA_REGISTER)
        found.cfa = sum(numbered(dwarf_number(rule.cfa_offset & 255)), rule.cfa_offset >> 8);
    found.address = place == DT_RA_REGISTER       ? numbered(dwarf_number(rule.fp_offset))
                    : place == DT_RA_AT_FP_OFFSET ? sum("c", rule.fp_offset)
                                                  : sum("c", -8);
    found.pointer = rule.fp == DT_FP_AT_CFA ? sum("c", rule.fp_offset) : rule.fp == DT_FP_SAME ? "same" : "";
    return found;
}

bool has_unwind_table(Elf* elf)
{
    Dwarf_CFI* const table = dwarf_getcfi_elf(elf);
    dwarf_cfi_end(table); // dwarf_cfi_end() may be called with null
    return table != nullptr;
}

/// Compares every `step`th rule with that of elfutils, at the rule's first address.
void compare(Elf* elf, const std::string& name, std::size_t step)
{
    const machine::Machine& machine = machine::native();
    const std::vector<UnwindRow> rows = read_unwind_rows(elf);
    Dwarf_CFI* const table = dwarf_getcfi_elf(elf);
    ASSERT_TRUE(table) << name;
    std::size_t compared = 0, unknown = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const dt_unwind_rule& rule = rows[i].rule;
        const int kind = rule.cfa & DT_CFA_BITS;
        // a function without an unwind rule begins at this row of the table
        if (kind == DT_CFA_NONE && rule.fp != DT_FP_LOST) {
            const Frame theirs = by_elfutils(table, rows[i].address, machine.unwind);
            std::cout << name << ": no rule at " << std::hex << rows[i].address << std::dec << ", CFA " << theirs.cfa
                      << ", return address " << theirs.address << '\n';
            ++unknown;
        }
        const bool is_plain = kind == DT_CFA_SP || kind == DT_CFA_FP || kind == DT_CFA_REGISTER;
        if (!is_plain || i % step != 0)
            continue;
        const Frame ours = by_rule(rule, machine), theirs = by_elfutils(table, rows[i].address, machine.unwind);
        EXPECT_EQ(ours.cfa, theirs.cfa) << name << std::hex << " at " << rows[i].address;
        EXPECT_EQ(ours.address, theirs.address) << name << std::hex << " at " << rows[i].address;
        if (!ours.pointer.empty() && !theirs.pointer.empty() && theirs.pointer != "undefined") {
            EXPECT_EQ(ours.pointer, theirs.pointer) << name << std::hex << " at " << rows[i].address;
        }
        ++compared;
    }
    if (std::getenv(kMoreFiles))
        std::cout << name << ": " << rows.size() << " rules, " << compared << " compared, " << unknown << " unknown\n";
    EXPECT_LE(unknown * 500, rows.size() + 500) << name;
    dwarf_cfi_end(table);
}

std::vector<Mapping> own_mappings()
{
    std::ifstream file("/proc/self/maps");
    std::ostringstream text;
    text << file.rdbuf();
    return parse_maps(text.str());
}

TEST(UnwindRules, EqualThoseOfElfutilsForMappedLibraries)
{
    if (machine::native().unwind.is_linked)
        GTEST_SKIP() << "rules are packed otherwise on this machine";
    std::set<std::string> seen;
    std::vector<std::string> paths;
    for (const Mapping& mapping : own_mappings())
        if (mapping.is_code && mapping.path.starts_with('/') && seen.insert(mapping.path).second)
            paths.push_back(mapping.path);
    if (const char* const more = std::getenv(kMoreFiles)) {
        std::istringstream names(more);
        for (std::string name; names >> name;)
            paths.push_back(name);
    }
    std::size_t looked_at = 0;
    for (const std::string& path : paths)
        if (const ElfFile elf(path); elf.get() && has_unwind_table(elf.get())) {
            compare(elf.get(), path, 97);
            ++looked_at;
        }
    EXPECT_GE(looked_at, 3u);
}

TEST(UnwindRules, EqualThoseOfElfutilsForTheVdso)
{
    const std::vector<Mapping> mappings = own_mappings();
    const auto vdso =
        std::find_if(mappings.begin(), mappings.end(), [](const Mapping& mapping) { return mapping.path == "[vdso]"; });
    if (vdso == mappings.end() || machine::native().unwind.is_linked)
        GTEST_SKIP() << "there is no vdso, or rules are packed otherwise";
    char* const bytes = reinterpret_cast<char*>(vdso->start); // NOLINT(performance-no-int-to-ptr)
    Elf* const elf = elf_memory(bytes, vdso->end - vdso->start);
    ASSERT_TRUE(elf);
    compare(elf, "vdso", 1);
    elf_end(elf);
}

} // namespace
} // namespace dt
