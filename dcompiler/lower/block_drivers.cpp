// Lowers dev_name: the name under which a driver registered a major number (dtrace-providers(7), devinfo_t).
//
// The kernel keeps these names in a private hash table that BPF programs cannot walk, but /proc/devices lists them. The
// compiler therefore puts them into a table in read-only data.
#include "dcompiler/lower/clause.hpp"

#include <algorithm>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

// BLKDEV_MAJOR_MAX of block/genhd.c, and the size of the name in struct blk_major_name.
constexpr uint32_t kMajors = 512, kNameSize = 16;
constexpr std::string_view kUnknown = "<unknown>"; // for drivers registered after compilation

/// Builds the table of driver names by major number, in .rodata.
ir::Data block_drivers_table(World& world)
{
    ir::Data data{"block_drivers", ".rodata", kMajors * kNameSize, 8, {}};
    data.bytes.resize(data.size);
    for (uint32_t major = 0; major < kMajors; ++major)
        std::copy(kUnknown.begin(), kUnknown.end(), data.bytes.begin() + major * kNameSize);
    for (const auto& [major, name] : world.block_drivers())
        if (major < kMajors) {
            const auto room = data.bytes.begin() + major * kNameSize;
            std::fill_n(room, kNameSize, 0);
            std::copy_n(name.begin(), std::min<std::size_t>(name.size(), kNameSize - 1), room);
        }
    return data;
}

} // namespace

Operand lower_block_driver(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value major = b.binary(Op::And, l.expressions.value(*e.kids[0]), b.constant(kMajors - 1));
    const Value base =
        b.data_addr(l.module().data.once("block_drivers", [&] { return block_drivers_table(l.module().world); }),
                    kMajors * kNameSize);
    const Value name = b.binary(Op::Add, base, b.binary(Op::Mul, major, b.constant(kNameSize)));
    b.instr(name).mem = Mem::MapValue;
    b.instr(name).region = kNameSize;
    return {Operand::Kind::Text, name, Mem::MapValue, kNameSize, false, false, {}};
}

} // namespace dt::lower
