// Counts runs of a tick: two loads and a store, in programs that run at most ten times a second.
#include "dcompiler/lower/ticks.hpp"

#include <cstddef>

namespace dt::lower {

using ir::Op;
using ir::Value;

uint32_t count_tick(ModuleLowering& module, ir::Builder& b, ir::BlockId leave)
{
    const uint32_t data = module.data.once("dt_ticks", [] { return ir::Data{"dt_ticks", DT_SECTION_TICKS, 0, 8, {}}; });
    ir::Data& ticks = module.data.at(data);
    const uint32_t place = ticks.size / sizeof(dt_tick);
    ticks.bytes.resize(ticks.size + offsetof(dt_tick, limit), 0);
    ticks.bytes.resize(ticks.size + sizeof(dt_tick), 0xff);
    ticks.size += sizeof(dt_tick);
    const Value tick = b.data_addr(data, sizeof(dt_tick), static_cast<int64_t>(place * sizeof(dt_tick)));
    const Value ran = b.load(8, tick, offsetof(dt_tick, ran));
    const ir::BlockId wanted = b.block();
    b.branch(Op::ULt, ran, b.load(8, tick, offsetof(dt_tick, limit)), wanted, leave);
    b.enter(wanted);
    b.store(8, tick, offsetof(dt_tick, ran), b.binary(Op::Add, ran, b.constant(1)));
    return place;
}

} // namespace dt::lower
