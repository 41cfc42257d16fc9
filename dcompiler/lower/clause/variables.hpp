// Lowers reads, writes, creation and deletion of D variables.
#pragma once

#include <cstdint>
#include <vector>

#include "dcompiler/lower/clause/clause_state.hpp"
#include "dcompiler/lower/clause/memory.hpp"

namespace dt::lower {

class Strings;

struct Target {
    const Variable* variable = nullptr;
    ir::Value key = ir::kNone; ///< for an element of an associative array: address of the key
};

/// Finds the memory of variables: element, task storage, frame or global data.
class VariablePlaces : public ClausePart {
public:
    using ClausePart::ClauseComponent;

    Place variable_place(const Target& target, bool write);
    /// Yields the address of the current thread's self-> variables, or 0 if it has none. With `create`, creates missing
    /// ones; 0 then means that there is no room.
    ir::Value self_storage(bool create);
    /// Yields the address of an element of an array of -x sharedvars, or 0 if there is no such element. If `make` is
    /// not 0, a missing element is created, provided there is room.
    ir::Value shared_element(const Target& target, ir::Value make);
    /// Yields the key of the current thread's self-> variables, for use with a hash map.
    ir::Value self_key();

private:
    ir::Value thread_number();
    ir::Value shared_place(const std::string& name, uint32_t value, ir::Value key, ir::Value make);
    ir::Value make_element(uint32_t map, ir::Value key, ir::Value found, uint32_t size);
};

class Variables : public ClausePart {
public:
    Variables(ClauseState& whole, VariablePlaces& places, Memory& memory, Strings& strings)
        : ClauseComponent(whole), places_(places), memory_(memory), strings_(strings)
    {
    }

    Operand read(const Target& target);
    void write(const Target& target, const Operand& operand);
    void erase(const Target& target);
    Operand assign_nullable(const Target& target, Operand fresh);

private:
    void free_self_storage(ir::Value storage);
    ir::Value forget_value(ir::Value v);
    void write_shared_element(const Target& target, ir::Value number);
    void write_number_element(const Target& target, ir::Value number);
    void write_element(const Target& target, const Operand& operand, uint32_t room);
    VariablePlaces& places_;
    Memory& memory_;
    Strings& strings_;
};

} // namespace dt::lower
