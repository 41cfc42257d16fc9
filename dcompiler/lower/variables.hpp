// D variables: read, written, made and taken away.
#pragma once

#include <cstdint>
#include <vector>

#include "dcompiler/lower/clause_part.hpp"
#include "dcompiler/lower/memory.hpp"

namespace dt::lower {

struct Target {
    const Variable* variable = nullptr;
    ir::Value key = ir::kNone; ///< address of the key tuple, for associative arrays
};

class Variables : public ClausePart {
public:
    using ClausePart::ClausePart;

    Target target(const TExpr& e);
    Place variable_place(const Target& target, bool write);
    ir::Value make_element(uint32_t map, ir::Value key, ir::Value found, uint32_t size);
    Operand read_variable(const TExpr& e) { return read(target(e)); }
    Operand assign(const TExpr& e);
    void key_into(const TExpr& e, const Type* type, ir::Value dst, int64_t offset, uint32_t size);

private:
    Operand read(const Target& target);
    void write(const Target& target, const Operand& operand, const Span& at);
    void erase(const Target& target);
    void free_self_storage(ir::Value storage);
    ir::Value forget_value(ir::Value v);
    void write_number_element(const Target& target, ir::Value number);
    void write_element(const Target& target, const Operand& operand, uint32_t room, const Span& at);
    Operand assign_nullable(const Target& target, Operand fresh, const Span& at);
    Operand compound(const TExpr& e, const Operand& old, ir::Value right);
    ir::Value stored(ir::Value v, const TExpr& left);
    /// Writes a tuple of values, each at the next multiple of `align`, to dst.
    void tuple_into(const std::vector<TExpr*>& keys, const std::vector<const Type*>& types, ir::Value dst, int64_t offset);
};

} // namespace dt::lower
