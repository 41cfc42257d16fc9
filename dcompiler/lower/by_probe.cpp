#include "dcompiler/lower/by_probe.hpp"

#include <algorithm>
#include <bit>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

// Memory limit for per-CPU counters. Above it all CPUs share one set of counters with atomic additions, because memory
// is then worth more than CPU time.
constexpr uint64_t kMostByCpu = 16 << 20;

uint32_t data_of(ModuleLowering& module, const char* name)
{
    return module.data.once(name, [] { return ir::Data{}; }); // already exists
}

} // namespace

void lay_out_by_probe(ModuleLowering& module, const char* name, const char* section, std::size_t places,
                      uint32_t stride, uint32_t& sets)
{
    const uint64_t set = std::max<uint64_t>(places, 1) * stride;
    const uint64_t cpus = std::max<uint32_t>(module.world.target().cpus, 1);
    sets = static_cast<uint32_t>(cpus * set <= kMostByCpu ? cpus : 1);
    const auto size = static_cast<uint32_t>(std::bit_ceil(sets) * set);
    module.data.once(name, [&] { return ir::Data{name, section, size, 8, std::vector<uint8_t>(size, 0)}; });
}

Value place_of_probe(Context& context, uint32_t first)
{
    ir::Builder& b = *context.b;
    return context.ecb == kNone ? b.constant(first) : b.load(4, context.ecb, offsetof(dt_ecb, counted));
}

Value place_of_clause(Context& context, const Statement& statement)
{
    ir::Builder& b = *context.b;
    return context.statement_number_at == 0 ? b.constant(statement.id)
                                            : b.load(4, context.ecb, context.statement_number_at);
}

namespace {

Value offset_of_place(Context& context, const ByProbe& where, Value place)
{
    ir::Builder& b = *context.b;
    const Value offset = b.binary(Op::Mul, place, b.constant(where.stride));
    if (where.sets <= 1)
        return offset;
    // The memory has room for as many CPUs as the mask can address, so no comparison is necessary. The verifier would
    // also follow the impossible outcome of a comparison, with other bounds at the next access for the same CPU. Linux
    // 6.1 rejected the resulting value as an address.
    const uint32_t whole = context.module.data.at(data_of(context.module, where.name)).size;
    const uint32_t sets = std::bit_ceil(where.sets);
    const Value cpu = b.binary(Op::And, b.call_helper(kGetSmpProcessorId, {}), b.constant(sets - 1));
    return b.binary(Op::Add, offset, b.binary(Op::Mul, cpu, b.constant(whole / sets)));
}

bool is_constant(const Context& context, Value value)
{
    return context.b->instr(value).op == Op::Const;
}

Value at_offset(Context& context, const char* name, Value offset, uint32_t size)
{
    ir::Builder& b = *context.b;
    const uint32_t data = data_of(context.module, name), whole = context.module.data.at(data).size;
    const Value address = b.binary(Op::Add, b.data_addr(data, whole), offset);
    b.instr(address).mem = Mem::MapValue;
    b.instr(address).region = size;
    return address;
}

} // namespace

Value of_firing_probe(Context& context, const ByProbe& where, uint32_t first, ir::BlockId none)
{
    return counters_of(context, where, place_of_probe(context, first), none);
}

Value counters_of(Context& context, const ByProbe& where, Value place, ir::BlockId none)
{
    const Value offset = offset_of_place(context, where, place);
    return is_constant(context, place) ? at_offset(context, where.name, offset, where.stride)
                                       : inside(context, where.name, offset, where.stride, none);
}

Value word_of_place(Context& context, const ByProbe& where, Value place, Value word, ir::BlockId none)
{
    const Value offset = context.b->binary(Op::Add, offset_of_place(context, where, place), word);
    return is_constant(context, place) ? at_offset(context, where.name, offset, 8)
                                       : inside(context, where.name, offset, 8, none);
}

Value inside(Context& context, const char* name, Value offset, uint32_t size, ir::BlockId none)
{
    ir::Builder& b = *context.b;
    const uint32_t whole = context.module.data.at(data_of(context.module, name)).size;
    const ir::BlockId there = b.block();
    b.branch(Op::ULt, offset, b.constant(whole - size + 1), there, none); // always true, but the verifier cannot know
    b.enter(there);
    return at_offset(context, name, offset, size);
}

} // namespace dt::lower
