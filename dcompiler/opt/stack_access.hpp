// Analysis of the stack bytes that instructions read and write, for passes that change accesses to a function's stack
// frame.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/ir/ir.hpp"

namespace dt::opt {

/// Position in a stack slot, at a constant offset.
struct StackPlace {
    uint32_t slot = 0;
    int64_t offset = 0;
};

/// Bytes of a stack slot, from `low` to `high` (exclusive).
struct StackBytes {
    uint32_t slot = 0;
    int64_t low = 0, high = 0;
};

struct StackAccess {
    enum class Kind : uint8_t {
        Reads,
        Writes,    ///< the instruction writes every byte of the range
        MayWrite,  ///< the instruction may write some bytes of the range
        MayDoBoth, ///< a called function receives the slot's address and may read and write the bytes
    };
    Kind kind;
    StackBytes bytes;
};

class StackAccesses {
public:
    /// Analyzes the function once, in linear time. While this object exists, passes must not add uses of stack slots.
    StackAccesses(const ir::Module& module, const ir::Function& function);

    std::optional<StackPlace> place(ir::Value address) const;
    /// Returns whether accesses() finds all accesses to the slot. It cannot find them if the slot's address is stored,
    /// compared, or an argument of a phi.
    bool is_non_escaping(uint32_t slot) const { return non_escaping_[slot]; }
    /// Returns an instruction's accesses to slots for which all accesses are known; reads come first.
    std::vector<StackAccess> of(const ir::Instr& instr) const;

private:
    std::optional<uint32_t> slot_of(ir::Value address) const;
    void use(const ir::Instr& instr);
    void add(std::vector<StackAccess>& out, StackAccess::Kind kind, ir::Value address, int64_t offset,
             std::optional<uint64_t> size) const;
    void helper(std::vector<StackAccess>& out, const ir::Instr& instr) const;
    std::optional<uint64_t> size_of(const ir::HelperAccess& access, const ir::Instr& call) const;

    const ir::Module& module_;
    const ir::Function& f_;
    std::vector<bool> non_escaping_;
};

} // namespace dt::opt
