// Loads, stores and copies for each kind of memory.
#pragma once

#include <cstdint>

#include "dcompiler/lower/clause_part.hpp"

namespace dt::lower {

struct Place {
    ir::Value address = ir::kNone;
    int64_t offset = 0;
    ir::Mem mem = ir::Mem::Kernel;
    const Type* type = nullptr;
    const Member* bits = nullptr; ///< member that describes a bit-field; else null
    uint32_t size = 0;            ///< available bytes, for MapValue and Stack
    bool scratch = false;
    ir::Value origin = ir::kNone; ///< dereferenced pointer; a fault reports 0 if it is NULL
};

class Area;
class Strings;

class Memory : public ClausePart {
public:
    Memory(ClauseState& whole, Area& area, Strings& strings) : PartOf(whole), area_(area), strings_(strings) {}

    Operand load(const Place& place);
    void store(const Place& place, const Operand& operand);
    /// Copies `size` bytes at `place` to dst (loadable memory). Faults if they cannot be read.
    void copy_bytes(const Place& place, ir::Value dst, int64_t dst_offset, uint32_t size);
    void characters_into(const Place& from, ir::Value dst, int64_t offset, uint32_t size);

private:
    uint32_t object_size(const Type* real) const;
    ir::Value copied_word(const Place& at, uint32_t size);
    Area& area_;
    Strings& strings_;
};

} // namespace dt::lower
