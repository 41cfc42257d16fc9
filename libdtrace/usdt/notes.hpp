// Notes that a program carries of its probes: of SystemTap (section .note.stapsdt) a no-op each, where it lies, and
// what its arguments are; of -G (section .note.dtrace) where a counter is that tells the program whether a probe is
// enabled.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dt::usdt {

struct Note {
    uint64_t site = 0; ///< link-time address of the no-op
    uint64_t semaphore =
        0; ///< link-time address of a 16-bit number that is not 0 while somebody wants the probe; 0: none
    std::string provider, probe;
    std::string arguments; ///< operands.hpp reads them
};

/// The notes of a section's bytes. `base`: where the section .stapsdt.base is in the file; what was moved after linking
/// (prelink) shows by it; 0: there is none. Notes that are cut or of another kind are passed over.
std::vector<Note> read_notes(std::span<const uint8_t> section, uint64_t base);

inline constexpr char kCounterNoteSection[] = ".note.dtrace";

/// A 16-bit number that the kernel raises while a probe is placed.
struct CounterNote {
    uint64_t counter = 0; ///< link-time address; 0: the linker left it out
    std::string provider, probe;
};

/// Appends a note. Returns the offset in `section` of the 64 bits that become the counter's address.
std::size_t add_counter_note(std::vector<uint8_t>& section, const std::string& provider, const std::string& probe);

/// The notes of a section's bytes. Notes that are cut or of another kind are passed over.
std::vector<CounterNote> read_counter_notes(std::span<const uint8_t> section);

} // namespace dt::usdt
