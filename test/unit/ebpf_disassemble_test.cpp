// Tests the -S listing: dtrace(8), disasm.
#include <gtest/gtest.h>

#include "test/unit/ebpf_support.hpp"

namespace dt::test {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

TEST(EbpfDisassemble, AListingHasTheLayoutDescribedInTheManual)
{
    auto m = sketch();
    m.functions[0].section = "";
    m.functions[0].name = "dt_clause_0";
    Builder b(m.functions[0]);
    const Value slot = b.stack_addr(b.slot(8));
    b.store(8, slot, 0, b.param(0));
    const auto yes = b.block(), no = b.block();
    b.branch(Op::Ne, b.call_runtime("dt_get_bvar", {slot}), b.constant(0), yes, no);
    b.enter(no);
    b.ret(b.constant(-1));
    b.enter(yes);
    b.ret(b.load(8, b.data_addr(0, 64), 8));
    EXPECT_EQ(disassemble(m, 0, "clause :::BEGIN"),
              "\n"
              "Disassembly of clause :::BEGIN, <dt_clause_0>:\n"
              "INS  OFF    OPCODE                  INSTRUCTION\n"
              "0000 00000: 7b a 1 fff8 00000000    stdw [%fp-8], %r1\n"
              "0001 00008: bf 1 a 0000 00000000    mov  %r1, %fp\n"
              "0002 00016: 07 1 0 0000 fffffff8    add  %r1, -8\n"
              "0003 00024: 85 0 1 0000 ffffffff    call dt_get_bvar\n"
              "0004 00032: 55 0 0 0002 00000000    jne  %r0, 0, 2                ! -> 007\n"
              "0005 00040: b7 0 0 0000 ffffffff    mov  %r0, -1\n"
              "0006 00048: 95 0 0 0000 00000000    exit\n"
              "0007 00056: 18 5 0 0000 00000000    lddw %r5, 0x0                 ! first\n"
              "0008 00064: 00 0 0 0000 00000000\n"
              "0009 00072: 79 0 5 0008 00000000    lddw %r0, [%r5+8]\n"
              "0010 00080: 95 0 0 0000 00000000    exit\n"
              "\n"
              "BPF               OFFSET   VALUE    NAME\n"
              "R_BPF_INSN_DISP32 24       *UND*    dt_get_bvar\n"
              "R_BPF_INSN_64     56       0        first\n");
}

TEST(EbpfDisassemble, VariableNamesPrecedeRelocations)
{
    auto m = sketch();
    Builder b(m.functions[0]);
    b.ret();
    EXPECT_EQ(disassemble(m, 0, {}, [](std::size_t last) { return "\nNAME " + std::to_string(last) + "\n"; }),
              "\nDisassembly of program raw_tp/sys_enter, <prog>:\n"
              "INS  OFF    OPCODE                  INSTRUCTION\n"
              "0000 00000: b7 0 0 0000 00000000    mov  %r0, 0\n"
              "0001 00008: 95 0 0 0000 00000000    exit\n"
              "\nNAME 1\n");
}

} // namespace
} // namespace dt::test
