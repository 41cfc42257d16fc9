// Short names for BPF instructions. Functions run a list of instructions in the interpreter and, where possible, as
// compiled machine code.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/vm/virtual_machine.hpp"

namespace dt::vm::assembler {

using Code = std::vector<bpf_insn>;

enum Register : uint8_t { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };

inline bpf_insn insn(int code, uint8_t dst, uint8_t src, int off, int64_t imm)
{
    bpf_insn i{};
    i.code = static_cast<uint8_t>(code);
    i.dst_reg = dst & 15;
    i.src_reg = src & 15;
    i.off = static_cast<int16_t>(off);
    i.imm = static_cast<int32_t>(imm);
    return i;
}

inline bpf_insn alu(int op, uint8_t dst, int64_t imm)
{
    return insn(BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}
inline bpf_insn alu_reg(int op, uint8_t dst, uint8_t src, int off = 0)
{
    return insn(BPF_ALU64 | op | BPF_X, dst, src, off, 0);
}
inline bpf_insn alu32(int op, uint8_t dst, int64_t imm)
{
    return insn(BPF_ALU | op | BPF_K, dst, 0, 0, imm);
}
inline bpf_insn alu32_reg(int op, uint8_t dst, uint8_t src, int off = 0)
{
    return insn(BPF_ALU | op | BPF_X, dst, src, off, 0);
}
inline bpf_insn mov(uint8_t dst, int64_t imm)
{
    return alu(BPF_MOV, dst, imm);
}
inline bpf_insn mov_reg(uint8_t dst, uint8_t src)
{
    return alu_reg(BPF_MOV, dst, src);
}
inline bpf_insn load(int size, uint8_t dst, uint8_t src, int off)
{
    return insn(BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}
inline bpf_insn store(int size, uint8_t dst, int off, uint8_t src)
{
    return insn(BPF_STX | BPF_MEM | size, dst, src, off, 0);
}
inline bpf_insn store_imm(int size, uint8_t dst, int off, int64_t imm)
{
    return insn(BPF_ST | BPF_MEM | size, dst, 0, off, imm);
}
inline bpf_insn atomic(int size, int op, uint8_t dst, int off, uint8_t src)
{
    return insn(BPF_STX | BPF_ATOMIC | size, dst, src, off, op);
}
inline bpf_insn jump(int op, uint8_t dst, int64_t imm, int off)
{
    return insn(BPF_JMP | op | BPF_K, dst, 0, off, imm);
}
inline bpf_insn jump_reg(int op, uint8_t dst, uint8_t src, int off)
{
    return insn(BPF_JMP | op | BPF_X, dst, src, off, 0);
}
inline bpf_insn jump32_reg(int op, uint8_t dst, uint8_t src, int off)
{
    return insn(BPF_JMP32 | op | BPF_X, dst, src, off, 0);
}
inline bpf_insn helper(int id)
{
    return insn(BPF_JMP | BPF_CALL, 0, 0, 0, id);
}
inline bpf_insn call_local(int distance)
{
    return insn(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, distance);
}
inline bpf_insn leave()
{
    return insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/// ld_imm64, which takes two instruction slots.
inline Code wide(uint8_t dst, uint64_t value)
{
    return {insn(BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0, static_cast<int32_t>(value)),
            insn(0, 0, 0, 0, static_cast<int32_t>(value >> 32))};
}
inline Code reference(uint8_t dst, uint8_t kind, int32_t index, int32_t offset = 0)
{
    return {insn(BPF_LD | BPF_IMM | BPF_DW, dst, kind, 0, index), insn(0, 0, 0, 0, offset)};
}

inline Code join(std::initializer_list<Code> parts)
{
    Code all;
    for (const Code& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// Returns an image with one function "f" that consists of these instructions.
inline Image image(Code code)
{
    Image made;
    made.functions.push_back({"f", "test", 0, static_cast<uint32_t>(code.size())});
    made.code = std::move(code);
    return made;
}

/// Base class of suites whose tests run with every executor.
class EachExecutor : public testing::TestWithParam<Executor> {
protected:
    void SetUp() override { tested() = GetParam(); }
    void TearDown() override { tested() = Executor::Checked; }

public:
    static Executor& tested()
    {
        static Executor value = Executor::Checked;
        return value;
    }
    static std::string name(const testing::TestParamInfo<Executor>& info)
    {
        return info.param == Executor::Native ? "Native" : info.param == Executor::Threaded ? "Threaded" : "Checked";
    }
    static auto executors()
    {
        std::vector<Executor> all = {Executor::Checked, Executor::Threaded};
        if (VirtualMachine::can_compile())
            all.push_back(Executor::Native);
        return testing::ValuesIn(all);
    }
};

/// A virtual machine with the executor under test. If that executor cannot compile the program, the program is
/// interpreted.
struct TestedEngine : VirtualMachine {
    explicit TestedEngine(Image image) : VirtualMachine(std::move(image))
    {
        if (const auto compiled = compile(EachExecutor::tested()); !compiled)
            why_not = compiled.error().message;
    }
    std::string why_not;
};

/// Returns the result of the program, or 0xdead if it fails.
inline uint64_t result(const Code& code)
{
    TestedEngine vm(image(code));
    EXPECT_EQ(vm.why_not, ""); // every valid program can be compiled
    const auto r = vm.run("f");
    return r.ok() ? r.value() : 0xdead;
}

/// Returns the reason why the program fails, or "" if it succeeds.
inline std::string refusal(const Code& code)
{
    TestedEngine vm(image(code));
    const auto r = vm.run("f");
    return r.ok() ? std::string() : r.error().message;
}

/// Runs a program that computes r0 = left op right, with 64 or 32 bits. Returns r0.
inline uint64_t compute(int op, uint64_t left, uint64_t right, int off = 0)
{
    return result(join({wide(R0, left), wide(R1, right), {alu_reg(op, R0, R1, off), leave()}}));
}
inline uint64_t compute32(int op, uint64_t left, uint64_t right, int off = 0)
{
    return result(join({wide(R0, left), wide(R1, right), {alu32_reg(op, R0, R1, off), leave()}}));
}

/// Runs a jump instruction. Returns 1 if the jump is taken, else 0.
inline uint64_t taken(int op, uint64_t left, uint64_t right, bool narrow = false)
{
    return result(
        join({wide(R1, left),
              wide(R2, right),
              {mov(R0, 1), narrow ? jump32_reg(op, R1, R2, 1) : jump_reg(op, R1, R2, 1), mov(R0, 0), leave()}}));
}

} // namespace dt::vm::assembler
