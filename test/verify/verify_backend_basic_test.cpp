// Basic operations of the back end on the running kernel: arithmetic, branches, maps, data, calls.
#include <bpf/bpf.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "test/verify/loaded.hpp"

namespace dt::test {
namespace {

using ir::Mem;
using ir::Op;
using ir::Value;

class Backend : public testing::Test {
protected:
    void SetUp() override
    {
        if (!can_load())
            GTEST_SKIP() << "this process may not load BPF programs";
    }

    /// Loads the program, runs it with `context`, and returns its result.
    uint32_t result(const Sketch& sketch, const std::vector<uint64_t>& context = {0})
    {
        loaded_ = std::make_unique<Loaded>(sketch.module);
        EXPECT_TRUE(loaded_->ok()) << loaded_->error();
        const auto value = loaded_->ok() ? loaded_->run(context) : std::nullopt;
        EXPECT_TRUE(value.has_value());
        return value.value_or(0xdeadbeef);
    }

    std::unique_ptr<Loaded> loaded_;
};

TEST_F(Backend, ReturnsAConstant)
{
    Sketch s;
    auto b = s.builder();
    b.ret(b.constant(42));
    EXPECT_EQ(result(s), 42u);
}

TEST_F(Backend, ComputesWithContextWords)
{
    Sketch s;
    auto b = s.builder();
    const Value ctx = b.param(0);
    const Value x = b.load(8, ctx, 0), y = b.load(8, ctx, 8);
    b.ret(b.binary(Op::Sub, b.binary(Op::Mul, x, y), b.binary(Op::UDiv, x, y)));
    EXPECT_EQ(result(s, {100, 7}), 700u - 14u);
}

TEST_F(Backend, BranchesAndPhis)
{
    Sketch s;
    auto b = s.builder();
    const Value x = b.load(8, b.param(0), 0);
    const auto yes = b.block(), no = b.block(), done = b.block();
    b.branch(Op::SLt, x, b.constant(0), yes, no);
    b.enter(yes);
    const Value negated = b.unary(Op::Neg, x);
    b.jump(done);
    b.enter(no);
    b.jump(done);
    b.enter(done);
    b.ret(b.phi({negated, x}));
    EXPECT_EQ(result(s, {static_cast<uint64_t>(-5)}), 5u);
    EXPECT_EQ(*loaded_->run({6}), 6u);
}

TEST_F(Backend, PhiOnACriticalEdge)
{
    Sketch s;
    auto b = s.builder();
    const Value x = b.load(8, b.param(0), 0);
    const auto more = b.block(), done = b.block();
    const Value zero = b.constant(0), one = b.constant(1);
    b.branch(Op::Eq, x, zero, done, more);
    b.enter(more);
    b.branch(Op::Eq, x, one, done, done);
    b.enter(done);
    b.ret(b.phi({b.constant(10), b.constant(20), b.constant(30)}));
    // Moves the phi's constants out of `done`: they were appended there and so do not dominate the incoming edges.
    auto& block = s.program().blocks[done];
    auto& entry = s.program().blocks[0].instrs;
    for (int i = 0; i < 3; ++i) {
        entry.insert(entry.begin(), block.instrs[1]);
        block.instrs.erase(block.instrs.begin() + 1);
    }
    EXPECT_EQ(result(s, {0}), 10u);
    EXPECT_EQ(*loaded_->run({1}), 20u);
    EXPECT_EQ(*loaded_->run({2}), 30u);
}

TEST_F(Backend, DataSectionsAreSharedWithUserSpace)
{
    Sketch s;
    const uint32_t zero = s.add_data("first", ".bss", 16);
    const uint32_t second = s.add_data("second", ".bss", 8);
    const uint32_t table = s.add_data("table", ".rodata", 16, {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0});
    const uint32_t ecb = s.add_data("ecb", ".data.ecb", 8, {9});
    auto b = s.builder();
    b.store(8, b.data_addr(zero, 16), 8, b.constant(7));
    b.store(8, b.data_addr(second, 8), 0, b.load(8, b.data_addr(table, 16), 8));
    b.atomic_add(8, b.data_addr(second, 8), 0, b.constant(40));
    b.ret(b.load(1, b.data_addr(ecb, 8), 0));
    EXPECT_EQ(result(s), 9u);
    EXPECT_EQ(loaded_->word(".bss", 8), 7u);
    EXPECT_EQ(loaded_->word(".bss", 16), 42u);
}

TEST_F(Backend, HashMapUpdateAndLookup)
{
    Sketch s;
    const uint32_t map = s.add_map("hash", BPF_MAP_TYPE_HASH, 8, 16, 100, BPF_F_NO_PREALLOC);
    auto b = s.builder();
    const Value key = b.stack_addr(b.slot(8)), value = b.stack_addr(b.slot(16));
    b.store(8, key, 0, b.load(8, b.param(0), 0));
    b.store(8, value, 0, b.constant(5));
    b.store(8, value, 8, b.constant(6));
    b.call_helper(BPF_FUNC_map_update_elem, {b.map_ref(map), key, value, b.constant(0)});
    const Value found = b.call_helper(BPF_FUNC_map_lookup_elem, {b.map_ref(map), key}, Mem::MapOrNull, 16);
    const auto have = b.block(), none = b.block();
    b.branch(Op::Ne, found, b.constant(0), have, none);
    b.enter(have);
    const Value there = b.not_null(found);
    b.ret(b.binary(Op::Add, b.load(8, there, 0), b.load(8, there, 8)));
    b.enter(none);
    b.ret(b.constant(1));
    EXPECT_EQ(result(s, {77}), 11u);
}

TEST_F(Backend, PerfOutput)
{
    Sketch s;
    const uint32_t buffers = s.add_map("buffers", BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 0);
    auto b = s.builder();
    const Value record = b.stack_addr(b.slot(16));
    b.store(8, record, 0, b.constant(1));
    b.store(8, record, 8, b.constant(2));
    const Value sent = b.call_helper(BPF_FUNC_perf_event_output,
                                     {b.param(0), b.map_ref(buffers), b.constant(0xffffffff), record, b.constant(16)});
    b.ret(b.unary(Op::Neg, sent));
    // bpf_perf_event_output() returns this error if no buffer is open
    EXPECT_EQ(result(s), static_cast<uint32_t>(ENOENT));
}

TEST_F(Backend, TaskStorage)
{
    Sketch s;
    const uint32_t map = s.add_map("self", BPF_MAP_TYPE_TASK_STORAGE, 4, 24, 0, BPF_F_NO_PREALLOC);
    auto b = s.builder();
    const Value task = b.call_helper(BPF_FUNC_get_current_task_btf, {}, Mem::Btf);
    const Value value = b.call_helper(BPF_FUNC_task_storage_get, {b.map_ref(map), task, b.constant(0), b.constant(1)},
                                      Mem::MapOrNull, 24);
    const auto have = b.block(), none = b.block();
    b.branch(Op::Eq, value, b.constant(0), none, have);
    b.enter(have);
    const Value self = b.not_null(value);
    const Value next = b.binary(Op::Add, b.load(8, self, 16), b.constant(3));
    b.store(8, self, 16, next);
    b.ret(next);
    b.enter(none);
    b.ret(b.constant(1000));
    EXPECT_EQ(result(s), 3u);
    EXPECT_EQ(*loaded_->run({0}), 6u);
}

TEST_F(Backend, LocalCalls)
{
    Sketch s;
    const uint32_t sum = s.add_function("sum", 5);
    {
        ir::Builder f(s.module.functions[sum]);
        Value total = f.param(0);
        for (uint32_t i = 1; i < 5; ++i)
            total = f.binary(Op::Add, total, f.param(i));
        f.ret(total);
    }
    const uint32_t twice = s.add_function("twice", 1);
    {
        ir::Builder f(s.module.functions[twice]);
        const Value x = f.param(0), one = f.constant(1);
        f.ret(f.binary(Op::Add, f.call_local(sum, {x, one, one, one, one}), x));
    }
    auto b = s.builder();
    const Value x = b.load(8, b.param(0), 0);
    b.ret(b.binary(Op::Mul, b.call_local(twice, {x}), b.call_local(sum, {x, x, x, x, x})));
    EXPECT_EQ(result(s, {3}), (2 * 3 + 4) * 15u);
}

TEST_F(Backend, Atomics)
{
    Sketch s;
    const uint32_t data = s.add_data("data", ".bss", 32);
    auto b = s.builder();
    const Value at = b.data_addr(data, 32);
    const Value old = b.atomic_xchg(8, at, 0, b.constant(5));
    const Value seen = b.atomic_cas(8, at, 0, b.constant(5), b.constant(9));
    const Value lost = b.atomic_cas(4, at, 8, b.constant(1), b.constant(9));
    b.atomic_add(4, at, 16, b.constant(3));
    b.store(8, at, 24, b.binary(Op::Add, b.binary(Op::Mul, old, b.constant(100)), lost));
    b.ret(seen);
    EXPECT_EQ(result(s), 5u);
    EXPECT_EQ(loaded_->word(".bss", 0), 9u);
    EXPECT_EQ(loaded_->word(".bss", 8), 0u);
    EXPECT_EQ(loaded_->word(".bss", 16), 3u);
}

} // namespace
} // namespace dt::test
