// Lowers locals: reads variables of the traced program from the locations in the attach plan.
#include <algorithm>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::lower {

namespace {

/// Returns the variable's location. The file of the program may have changed since the clause was checked. If the
/// variable now has no location, this is reported.
const VariableLocation* location_of(ClauseLowering& l, const std::string& name, const Span& at)
{
    const auto& known = l.context().plan->variables;
    const auto found = known.find(name);
    if (found != known.end() && !found->second.pieces.empty())
        return &found->second;
    l.module().diagnostics.error("D_LOCALS_GONE", at, "variable " + name + " cannot be read: its program has changed");
    return nullptr;
}

/// Copies a variable of `size` bytes to `offset` in a buffer.
void gather_variable(ClauseLowering& l, const VariableLocation& location, Value buffer, uint32_t offset, uint32_t size)
{
    for (const VariableLocation::Piece& piece : location.pieces) {
        if (piece.offset >= size)
            continue;
        const uint32_t bytes = std::min(piece.is_address && piece.size == 0 ? size : piece.size, size - piece.offset);
        const int64_t to = int64_t{offset} + piece.offset;
        const Value value = l.builtins.at(piece.at);
        if (piece.is_address) {
            Place from;
            from.address = value;
            from.mem = Mem::User;
            l.memory.copy_bytes(from, buffer, to, bytes);
        } else if (bytes == piece.size) {
            l.b().store(static_cast<uint8_t>(bytes), buffer, to, value);
        }
    }
}

} // namespace

Operand lower_locals(ClauseLowering& l, const TExpr& e)
{
    const Type* const type = e.type->resolve();
    const auto size = static_cast<uint32_t>(type->size);
    const Operand nothing = number(l.b().constant(0));
    if (e.value == kAddressOfLocal) {
        const VariableLocation* const location = location_of(l, e.text, e.at);
        return location ? number(l.builtins.at(location->pieces.front().at)) : nothing;
    }
    const uint32_t room = align_up(size, 8);
    const Value buffer = l.scratch_temporary(room);
    if (e.text.empty()) {
        l.values.zero(buffer, 0, room);
        for (const Member& member : type->members())
            if (const VariableLocation* const location = location_of(l, member.name, e.at))
                gather_variable(l, *location, buffer, static_cast<uint32_t>(member.bit_offset / 8),
                                static_cast<uint32_t>(member.type->resolve()->size));
        return {Operand::Kind::Bytes, buffer, Mem::MapValue, size, false, false, {}};
    }
    const VariableLocation* const location = location_of(l, e.text, e.at);
    if (!location)
        return nothing;
    if (e.type->is_scalar() && !location->pieces.front().is_address && location->pieces.size() == 1)
        return number(l.values.narrow(l.builtins.at(location->pieces.front().at), e.type));
    gather_variable(l, *location, buffer, 0, size);
    if (e.type->is_scalar())
        return number(l.values.narrow(l.b().load(static_cast<uint8_t>(size), buffer), e.type));
    return {Operand::Kind::Bytes, buffer, Mem::MapValue, size, false, false, {}};
}

} // namespace dt::lower
