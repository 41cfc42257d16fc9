// Reads memory of the current process through the kernel's page tables
// (docs/decisions/85-user-memory-by-page-tables.md).
#include "dcompiler/lower/functions.hpp"
#include "machine/paging.hpp"

namespace dt::lower {

using ir::Op;
using ir::Value;

namespace {

/// Walks the page tables for one address. Blocks that end early go to `nothing_`.
class PageWalk {
public:
    PageWalk(ir::Builder& b, const machine::Paging& paging, uint32_t cast) : b_(b), paging_(paging), cast_(cast) {}

    void run(int64_t table_at)
    {
        const Value mm = b_.param(0);
        Value table = word(mm, table_at);
        const Value deep = number(paging_.deep_below);
        table = b_.select(
            Op::ULt, memory_, deep, [&] { return next(table, paging_.shifts.front()); }, [&] { return table; });
        for (const uint32_t shift : paging_.shifts.subspan(1, paging_.shifts.size() - 2))
            table = next(table, shift);
        const uint32_t last = paging_.shifts.back();
        const Value entry = entry_of(table, last);
        expect(entry, paging_.needed | paging_.odd);
        b_.ret(inside(entry, last));
        b_.enter(nothing_);
        b_.ret(b_.constant(0));
    }

private:
    Value number(uint64_t value) { return b_.constant(static_cast<int64_t>(value)); }
    Value word(Value address, int64_t offset) { return b_.load(8, b_.readable(address, cast_), offset); }

    Value entry_of(Value table, uint32_t shift)
    {
        constexpr uint64_t kIndex = 511;
        const Value moved = b_.binary(Op::LShr, address_, b_.constant(shift - 3));
        return word(b_.binary(Op::Add, table, b_.binary(Op::And, moved, number(kIndex << 3))), 0);
    }

    /// Continues only if, of these bits, exactly the needed ones are set.
    void expect(Value entry, uint64_t bits)
    {
        const ir::BlockId there = b_.block();
        b_.branch(Op::Eq, b_.binary(Op::And, entry, number(bits)), number(paging_.needed), there, nothing_);
        b_.enter(there);
    }

    /// Yields the kernel address of the data in the page of an entry. The low `shift` bits of the address are the
    /// offset in the page.
    Value inside(Value entry, uint32_t shift)
    {
        const uint64_t rest = (uint64_t{1} << shift) - 1;
        const Value page = b_.binary(Op::And, entry, number(paging_.address & ~rest));
        return b_.binary(Op::Add, b_.binary(Op::Add, memory_, page), b_.binary(Op::And, address_, number(rest)));
    }

    Value next(Value table, uint32_t shift)
    {
        const Value entry = entry_of(table, shift);
        expect(entry, paging_.needed);
        const ir::BlockId large = b_.block(), further = b_.block();
        b_.branch(Op::Ne, b_.binary(Op::And, entry, number(paging_.large)), b_.constant(0), large, further);
        b_.enter(large);
        b_.ret(inside(entry, shift));
        b_.enter(further);
        return b_.binary(Op::Add, memory_, b_.binary(Op::And, entry, number(paging_.address)));
    }

    ir::Builder& b_;
    const machine::Paging& paging_;
    const uint32_t cast_;
    const Value memory_ = b_.param(1), address_ = b_.param(2);
    const ir::BlockId nothing_ = b_.block();
};

} // namespace

std::optional<uint32_t> Functions::page(uint64_t table)
{
    const uint32_t cast = module_.world.readable_cast();
    const auto paging = machine::paging(module_.world.machine());
    if (cast == 0 || !paging)
        return std::nullopt;
    return once_apart(
        "dt_page", [&](ir::Builder& b) { PageWalk(b, *paging, cast).run(static_cast<int64_t>(table)); }, 3);
}

} // namespace dt::lower
