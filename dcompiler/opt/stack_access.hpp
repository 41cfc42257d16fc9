// Which bytes of the stack an instruction reads and writes: what the passes over memory know of the function's own
// frame.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "dcompiler/ir/helper_effects.hpp"
#include "dcompiler/ir/ir.hpp"

namespace dt::opt {

/// A place at a constant distance from the beginning of a slot.
struct StackPlace {
    uint32_t slot = 0;
    int64_t offset = 0;
};

/// Bytes [low, high) of a slot.
struct StackBytes {
    uint32_t slot = 0;
    int64_t low = 0, high = 0;
};

struct StackAccess {
    enum class Kind : uint8_t {
        Reads,
        Writes,    ///< every byte
        MayWrite,  ///< some of them
        MayDoBoth, ///< a called function has the address
    };
    Kind kind;
    StackBytes bytes;
};

class StackAccesses {
public:
    /// Looks once through the function, which must not get new uses of slots while this object is used. Cost: linear.
    StackAccesses(const ir::Module& module, const ir::Function& function);

    std::optional<StackPlace> place(ir::Value address) const;
    /// Is all that happens to the slot seen in accesses()? Not when its address is kept, joined or compared.
    bool is_tame(uint32_t slot) const { return tame_[slot]; }
    /// What an instruction does to tame slots, reads first.
    std::vector<StackAccess> of(const ir::Instr& instr) const;

private:
    std::optional<uint32_t> slot_of(ir::Value address) const;
    void find_tame();
    void use(const ir::Instr& instr);
    void add(std::vector<StackAccess>& out, StackAccess::Kind kind, ir::Value address, int64_t offset,
             std::optional<uint64_t> size) const;
    void helper(std::vector<StackAccess>& out, const ir::Instr& instr) const;
    std::optional<uint64_t> size_of(const ir::HelperAccess& access, const ir::Instr& call) const;

    const ir::Module& module_;
    const ir::Function& f_;
    std::vector<bool> tame_;
};

} // namespace dt::opt
