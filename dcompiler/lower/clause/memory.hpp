// Loads, stores and copies for each kind of memory, and the scratch memory of a firing, from which alloca() and
// copyin() allocate.
#pragma once

#include <cstdint>

#include "dcompiler/lower/clause/clause_state.hpp"

namespace dt::lower {

struct Place {
    ir::Value address = ir::kNone;
    int64_t offset = 0;
    ir::Mem mem = ir::Mem::Kernel;
    const Type* type = nullptr;
    const Member* bits = nullptr; ///< the member, if the location is a bit-field; else null
    uint32_t size = 0;            ///< for MapValue and Stack memory: number of accessible bytes
    bool scratch = false;
    ir::Value origin = ir::kNone; ///< the dereferenced pointer; faults report 0 if it is NULL
};

class Area;
class Strings;

class Memory : public ClausePart {
public:
    Memory(ClauseState& whole, Area& area, Strings& strings) : ClauseComponent(whole), area_(area), strings_(strings) {}

    Operand load(const Place& place);
    void store(const Place& place, const Operand& operand);
    /// Copies `size` bytes at `place` to `dst`, from which programs can load directly. Reports a fault if the bytes
    /// cannot be read.
    void copy_bytes(const Place& place, ir::Value dst, int64_t dst_offset, uint32_t size);
    void characters_into(const Place& from, ir::Value dst, int64_t offset, uint32_t size);

private:
    uint32_t object_size(const Type* real) const;
    ir::Value copied_word(const Place& at, uint32_t size);
    Area& area_;
    Strings& strings_;
};

class VariablePlaces;

class Area : public ClausePart {
public:
    Area(ClauseState& whole, VariablePlaces& places) : ClauseComponent(whole), places_(places) {}

    /// Yields, as a number, the address of the memory that alloca() and copyin() use in this firing.
    ir::Value area_address();
    /// Yields the address of the memory of alloca() and copyin(), as a pointer. area_most() returns how many bytes it
    /// may have.
    ir::Value area();
    uint32_t area_most();
    bool has_area() { return area_most() != 0; }
    /// Emits a fault unless `size` bytes at the scratch address are allocated. Yields their offset in area(), which is
    /// at most area_most(). `size` is a value in the generated code.
    ir::Value area_offset(ir::Value address, ir::Value size);
    /// Allocates `size` bytes of the memory for alloca() and copyin(), and yields their offset in area(). `size` is a
    /// value in the generated code.
    ir::Value allocate(ir::Value size);
    /// Zeroes the word that contains the byte after the first `size` bytes at `memory`, so that this byte is a NUL.
    /// Must be called before the bytes are written.
    void end_text(ir::Value memory, ir::Value size);
    /// Checks an access of `size` bytes at `place`, and returns the memory operand for the access. For a scratch
    /// pointer, the operand is the location in the scratch slot, which programs can load and store directly. If scratch
    /// pointers may point to D arrays or strings, reads through them become reads of kernel memory.
    Place checked(const Place& place, uint32_t size, bool write = false);
    /// Emits a fault if a scratch pointer does not point to `size` allocated bytes.
    void check_in_area(ir::Value address, ir::Value size);
    /// Returns the string at a scratch pointer. The string ends at the latest where the allocated bytes end.
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
