// State of instruction selection, shared by its three parts: properties of IR values (select_facts.cpp), blocks
// (select_blocks.cpp) and instructions (select.cpp).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "dcompiler/ebpf/code.hpp"
#include "dcompiler/ir/order.hpp"
#include "dcompiler/ir/ranges.hpp"

namespace dt::ebpf {

using ir::Function;
using ir::Instr;
using ir::Op;
using ir::Value;

/// Value that is rematerialised at each use.
struct Remade {
    Op op = Op::Const; // Const, StackAddr, DataAddr, MapRef
    uint32_t index = 0;
    int64_t offset = 0; // Const: the value
};

struct Address {
    std::optional<Remade> fixed; // a stack slot or data object
    Value base = ir::kNone;      // or a value
    int64_t offset = 0;
};

inline bool is_shift(Op op)
{
    return op == Op::Shl || op == Op::LShr || op == Op::AShr;
}

class Selector {
public:
    Selector(const Function& function, bool extends_signs) : f_(function), extends_signs_(extends_signs) {}

    MFunction run();

private:
    // properties of IR values
    const Instr& at(Value value) const { return f_.instrs[value]; }
    Value strip(Value value) const;
    std::optional<Remade> remade(Value value) const;
    std::optional<int64_t> constant(Value value) const;
    std::optional<int32_t> immediate(Value value) const;
    Address address(Value base, int64_t offset) const;
    ir::Test condition(Op cmp, Value a, Value b) const;
    void mark_needed();
    void find_signed_loads();
    template <typename Fn> void each_operand(const Instr& instr, Fn&& fn) const;

    // blocks
    void plan_blocks();
    bool has_phi(ir::BlockId block) const;
    uint32_t edge_target(ir::BlockId from, int edge);
    void connect(uint32_t from, uint32_t to);

    // emission
    MInsn& emit(MInsn insn);
    Reg reg(Value value);
    Reg operand(Value value);
    Reg make(const Remade& what);
    void make_into(Reg dst, const Remade& what);
    void copy_into(Reg dst, Value value);
    void move(Reg dst, Reg src) { emit({.code = kMov, .dst = dst, .src = src}); }
    void prologue();
    void phi_heads(ir::BlockId block);
    void phi_copies(ir::BlockId from, int edge);
    void select_instr(Value value);
    void alu(Value value, const Instr& instr);
    void extend(Value value, const Instr& instr);
    void extend_sign(Value value, const Instr& instr);
    /// Returns a test instruction without targets or result. A constant is on its right side. `tested` receives the
    /// left register.
    MInsn conditional(MInsn::Kind kind, Reg MInsn::*tested, ir::Test test);
    void compare(Value value, const Instr& instr);
    MInsn memory(uint8_t code, Value base, int64_t offset);
    void store(const Instr& instr);
    void atomic(Value value, const Instr& instr);
    void call(Value value, const Instr& instr);
    void readable(Value value, const Instr& instr);
    void terminator(ir::BlockId block, const Instr& instr);
    void branch(ir::BlockId block, const Instr& instr);

    using Key = std::tuple<Op, uint32_t, int64_t>;
    const Function& f_;
    const bool extends_signs_; // sign-extending instructions are available
    MFunction out_;
    std::vector<ir::BlockId> order_;
    std::vector<uint32_t> mblock_;              // by IR block; kNone: unreachable
    std::vector<std::array<uint32_t, 2>> edge_; // by IR block: split block of each edge, or kNone
    std::vector<bool> needed_;                  // by value: must be computed
    std::vector<bool> read_;                    // by value: its result is read
    std::vector<bool> is_signed_load_;          // by value: all readers sign-extend it
    std::vector<Reg> regs_;                     // by value
    std::vector<Reg> phi_regs_;                 // by value: the private register
    std::map<Key, Reg> made_;                   // rematerialised values in this stretch
    uint32_t current_ = 0;
    Value origin_ = ir::kNone;
};

template <typename Fn> void Selector::each_operand(const Instr& instr, Fn&& fn) const
{
    const auto value = [&](Value operand) {
        if (operand != ir::kNone && !remade(operand))
            fn(strip(operand));
    };
    if (instr.op == Op::Branch) {
        const ir::Test test = condition(instr.cmp, instr.a, instr.b);
        value(test.a);
        return value(test.b);
    }
    if (!is(instr.op, ir::OpClass::Access))
        value(instr.a);
    else if (const Address place = address(instr.a, instr.imm); !place.fixed)
        value(place.base);
    value(instr.b);
    for (Value arg : instr.args)
        value(arg);
}

} // namespace dt::ebpf
