// Notes about a program's probes. Those of SystemTap (section .note.stapsdt) have the address of a no-op and its
// arguments. Those of -G (section .note.dtrace) have the address of a counter that shows the program whether a probe is
// enabled.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dt::usdt {

struct Note {
    uint64_t site = 0;      ///< link-time address of the no-op
    uint64_t semaphore = 0; ///< link-time address of a 16-bit counter that is not 0 while the probe is enabled; 0: none
    std::string provider, probe;
    std::string arguments; ///< text of the operands, parsed by operands.hpp
};

/// Reads the notes of a section. `base` is the link-time address of section .stapsdt.base, which shows whether the
/// program was moved after linking (prelink); 0 if there is none. Ignores truncated and other notes.
std::vector<Note> read_notes(std::span<const uint8_t> section, uint64_t base);

inline constexpr char kCounterNoteSection[] = ".note.dtrace";

/// A 16-bit counter that the kernel increments while a probe is attached.
struct CounterNote {
    uint64_t counter = 0; ///< link-time address of the counter; 0 if the linker has dropped it
    std::string provider, probe;
};

/// Appends a note. Returns the offset in `section` of the 64-bit word for the counter's address.
std::size_t add_counter_note(std::vector<uint8_t>& section, const std::string& provider, const std::string& probe);

/// Reads the notes of a section. Ignores truncated and other notes.
std::vector<CounterNote> read_counter_notes(std::span<const uint8_t> section);

} // namespace dt::usdt
