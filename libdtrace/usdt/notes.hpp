// Notes that a program carries of its probes (section .note.stapsdt): a no-op each, where it lies, and what its
// arguments are.
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

} // namespace dt::usdt
