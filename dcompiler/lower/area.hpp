// The scratch memory of a firing: what alloca() and copyin() give out.
#pragma once

#include <cstdint>

#include "dcompiler/lower/clause_part.hpp"
#include "dcompiler/lower/memory.hpp"

namespace dt::lower {

class VariablePlaces;

class Area : public ClausePart {
public:
    Area(ClauseState& whole, VariablePlaces& places) : PartOf(whole), places_(places) {}

    /// Base address, as a number, of what alloca() and copyin() give out in this firing.
    ir::Value area_address();
    /// The same as a pointer; how many bytes of it are given out, and can be at most.
    ir::Value area();
    uint32_t area_most();
    bool has_area() { return area_most() != 0; }
    /// Faults unless `size` (a number) bytes at the scratch address are given out; returns their offset in area(), at
    /// most area_most().
    ir::Value area_offset(ir::Value address, ir::Value size);
    /// Takes `size` bytes (a number) of the area; returns their offset in area().
    ir::Value allocate(ir::Value size);
    /// Writes a NUL behind the `size` bytes (a number) at `memory`, so that text ends there; the bytes of the last word
    /// that are among them become 0 as well.
    void end_text(ir::Value memory, ir::Value size);
    /// The place itself or, if it is reached through a scratch pointer, where it is in memory that can be loaded and
    /// stored. What else a scratch pointer may point to (D arrays, strings) can be read like kernel memory.
    Place checked(const Place& place, uint32_t size, bool write = false);
    /// Faults unless a scratch pointer that points into the area has `size` bytes there.
    void check_in_area(ir::Value address, ir::Value size);
    /// The text at a scratch pointer: it ends where the memory does.
    Operand scratch_text(ir::Value address, uint32_t size);
    void begin_area();

private:
    ir::Value area_used();
    ir::Value array_element(ir::Value address, uint32_t size);
    ir::Value area_word(int64_t which);
    ir::Value limit_in_arrays(ir::Value address, ir::Value otherwise, uint32_t size);
    VariablePlaces& places_;
};

} // namespace dt::lower
