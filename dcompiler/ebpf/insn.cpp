// Tables that map IR operations to eBPF opcode bits.
#include "dcompiler/ebpf/insn.hpp"

#include <cstdlib>

namespace dt::ebpf {
namespace {

struct AluRow {
    ir::Op op;
    uint8_t bits;
};
constexpr AluRow kAlu[] = {
    {ir::Op::Add, BPF_ADD},   {ir::Op::Sub, BPF_SUB},  {ir::Op::Mul, BPF_MUL}, {ir::Op::UDiv, BPF_DIV},
    {ir::Op::UMod, BPF_MOD},  {ir::Op::And, BPF_AND},  {ir::Op::Or, BPF_OR},   {ir::Op::Xor, BPF_XOR},
    {ir::Op::SDiv, BPF_DIV},  {ir::Op::SMod, BPF_MOD}, {ir::Op::Shl, BPF_LSH}, {ir::Op::LShr, BPF_RSH},
    {ir::Op::AShr, BPF_ARSH},
};

struct JumpRow {
    ir::Op cmp;
    uint8_t bits;
    uint8_t swapped;
};
constexpr JumpRow kJumps[] = {
    {ir::Op::Eq, BPF_JEQ, BPF_JEQ},  {ir::Op::Ne, BPF_JNE, BPF_JNE},    {ir::Op::ULt, BPF_JLT, BPF_JGT},
    {ir::Op::ULe, BPF_JLE, BPF_JGE}, {ir::Op::SLt, BPF_JSLT, BPF_JSGT}, {ir::Op::SLe, BPF_JSLE, BPF_JSGE},
};

constexpr uint8_t kOpposites[][2] = {
    {BPF_JEQ, BPF_JNE}, {BPF_JLT, BPF_JGE}, {BPF_JGT, BPF_JLE}, {BPF_JSLT, BPF_JSGE}, {BPF_JSGT, BPF_JSLE},
};

} // namespace

uint8_t alu_bits(ir::Op op)
{
    for (const AluRow& row : kAlu)
        if (row.op == op)
            return row.bits;
    std::abort(); // never reached: callers pass only arithmetic operations
}

uint8_t jump_bits(ir::Op cmp, bool swapped)
{
    for (const JumpRow& row : kJumps)
        if (row.cmp == cmp)
            return swapped ? row.swapped : row.bits;
    std::abort();
}

uint8_t opposite(uint8_t bits)
{
    for (const auto& pair : kOpposites) {
        if (pair[0] == bits)
            return pair[1];
        if (pair[1] == bits)
            return pair[0];
    }
    std::abort();
}

} // namespace dt::ebpf
