// Tests runtime functions: the program does not define them, the embedded objects do, the static linker joins both, and
// the kernel accepts the result.
#include <gtest/gtest.h>

#include "bpf-runtime/embedded.hpp"
#include "dcompiler/object/emit.hpp"
#include "test/verify/loaded.hpp"

namespace dt::test {
namespace {

using ir::Op;
using ir::Value;

TEST(BackendRuntime, CallIntoTheRuntime)
{
    if (!can_load())
        GTEST_SKIP();
    Sketch s;
    const uint32_t data = s.add_data("data", ".bss", 16);
    auto b = s.builder();
    const Value x = b.load(8, b.param(0), 0);
    const Value high = b.call_runtime("dt_square_high", {x});
    b.store(8, b.data_addr(data, 16), 0, high);
    b.store(8, b.data_addr(data, 16), 8, b.binary(Op::Mul, x, x));
    b.ret(b.constant(1));
    Loaded loaded(s.module);
    ASSERT_TRUE(loaded.ok()) << loaded.error();
    ASSERT_EQ(loaded.run({uint64_t{1} << 40}), 1u);
    EXPECT_EQ(loaded.word(".bss", 0), uint64_t{1} << 16);
    EXPECT_EQ(loaded.word(".bss", 8), 0u);
}

TEST(BackendRuntime, PrototypesWorkWithoutTheRuntimeAtHand)
{
    Sketch s;
    auto b = s.builder();
    b.ret(b.call_runtime("dt_square_high", {b.load(8, b.param(0), 0)}));
    auto elf = emit_elf(s.module); // without the runtime's prototypes, 64-bit parameters and results are assumed
    ASSERT_TRUE(elf.ok());
    EXPECT_TRUE(link(elf.value(), runtime_calls(s.module), embedded_runtime()).ok());
}

TEST(BackendRuntime, EveryRuntimeObjectLinksWithMapsAndData)
{
    if (!can_load())
        GTEST_SKIP();
    Sketch s;
    const uint32_t map = s.add_map("hash", BPF_MAP_TYPE_HASH, 8, 8, 16);
    const uint32_t data = s.add_data("data", ".bss", 16);
    const uint32_t ecb = s.add_data("ecb", ".data.ecb", 16, {5});
    const uint32_t local = s.add_function("local", 1);
    {
        ir::Builder f(s.module.functions[local]);
        f.ret(f.binary(Op::Add, f.call_runtime("dt_square_high", {f.param(0)}), f.constant(100)));
    }
    auto b = s.builder();
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, b.load(8, b.param(0), 0));
    b.call_helper(BPF_FUNC_map_update_elem, {b.map_ref(map), key, key, b.constant(0)});
    b.store(8, b.data_addr(data, 16), 8, b.load(1, b.data_addr(ecb, 16), 0));
    b.ret(
        b.binary(Op::Sub, b.call_local(local, {b.load(8, key, 0)}), b.call_runtime("dt_square_high", {b.constant(3)})));
    Loaded loaded(s.module);
    ASSERT_TRUE(loaded.ok()) << loaded.error();
    EXPECT_EQ(loaded.run({uint64_t{3} << 32}), 100u + 9u); // 9 is the high half (64 bits) of the square
    EXPECT_EQ(loaded.word(".bss", 8), 5u);
}

TEST(BackendRuntime, UnknownFunctionIsAnError)
{
    Sketch s;
    auto b = s.builder();
    b.ret(b.call_runtime("dt_no_such_thing", {}));
    auto elf = emit_elf(s.module);
    ASSERT_TRUE(elf.ok());
    const auto linked = link(elf.value(), runtime_calls(s.module), embedded_runtime());
    ASSERT_FALSE(linked.ok());
    EXPECT_NE(linked.error().message.find("dt_no_such_thing"), std::string::npos);
}

} // namespace
} // namespace dt::test
