// Lowers curcpu: a table with a cpuinfo_t (dtrace-variables(7), curcpu) for each possible CPU, in read-only data.
//
// User space knows the package of a CPU, but BPF helpers do not. The table is built at compile time, since CPUs do not
// move. `curcpu->cpu_id` alone needs no table; neither does the chip number on a machine with one package.
#include "dcompiler/lower/clause.hpp"

#include <algorithm>
#include <cstring>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

/// Layout of struct cpuinfo, as defined by semantic analysis.
struct CpuInfo {
    int32_t id, pset, chip, lgrp;
};

Value this_cpu(ClauseState& l)
{
    return l.cached("cpu", [&] { return l.b().call_helper(kGetSmpProcessorId, {}); });
}

uint32_t cpu_count(ClauseState& l)
{
    return std::max<uint32_t>(l.module().world.target().cpus, 1);
}

/// Builds the table with the cpuinfo_t of each possible CPU, in .rodata.
ir::Data cpu_table(World& world)
{
    const std::vector<int32_t> chips = world.chips();
    const uint32_t count = std::max<uint32_t>(world.target().cpus, 1);
    ir::Data data{"cpus", ".rodata", static_cast<uint32_t>(count * sizeof(CpuInfo)), 8, {}};
    data.bytes.resize(data.size);
    for (uint32_t i = 0; i < count; ++i) {
        const CpuInfo info{static_cast<int32_t>(i), 0, i < chips.size() ? chips[i] : 0, 0};
        std::memcpy(data.bytes.data() + i * sizeof info, &info, sizeof info);
    }
    return data;
}

/// Yields the address of a CPU's element. The CPU number must be below cpu_count().
Value element_of(ClauseState& l, Value cpu)
{
    auto& b = l.b();
    const Value base = b.data_addr(l.module().data.once("cpus", [&] { return cpu_table(l.module().world); }),
                                   cpu_count(l) * sizeof(CpuInfo));
    const Value address = b.binary(Op::Add, base, b.binary(Op::Mul, cpu, b.constant(sizeof(CpuInfo))));
    b.instr(address).mem = Mem::MapValue;
    b.instr(address).region = sizeof(CpuInfo);
    return address;
}

/// Yields the address of the current CPU's element.
Value element(ClauseState& l)
{
    auto& b = l.b();
    const Value cpu = this_cpu(l);
    const ir::BlockId good = b.block(), bad = b.block();
    b.branch(Op::ULt, cpu, b.constant(cpu_count(l)), good, bad);
    b.enter(bad);
    l.fault(kFaultIllegalOperation, b.constant(0)); // no such CPU is possible, but the verifier requires the bound
    b.enter(good);
    return element_of(l, cpu);
}

} // namespace

Operand lower_curcpu(ClauseLowering& l, const TExpr&)
{
    return number(
        l.values.address_number({Operand::Kind::Bytes, element(l), Mem::MapValue, sizeof(CpuInfo), false, false, {}}));
}

Value Builtins::cpu_info(Value cpu)
{
    return b().select(
        Op::ULt, cpu, b().constant(cpu_count(clause)),
        [&] {
            return clause.values.address_number(
                {Operand::Kind::Bytes, element_of(clause, cpu), Mem::MapValue, sizeof(CpuInfo), false, false, {}});
        },
        [&] { return b().constant(0); });
}

/// Lowers a member of *curcpu without computing its address.
Operand Builtins::curcpu_member(const TExpr& e)
{
    if (e.member->name == "cpu_id")
        return number(this_cpu(clause));
    if (e.member->name != "cpu_chip")
        return number(b().constant(0)); // Linux has one processor set and one locality group
    const std::vector<int32_t> chips = module().world.chips();
    if (std::all_of(chips.begin(), chips.end(), [&](int32_t chip) { return chip == chips[0]; }))
        return number(b().constant(chips.empty() ? 0 : chips[0]));
    return number(b().unary(Op::SExt, b().load(4, element(clause), offsetof(CpuInfo, chip)), 4));
}

} // namespace dt::lower
