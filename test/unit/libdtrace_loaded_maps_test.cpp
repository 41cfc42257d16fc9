// Tests LoadedMaps, which describes the maps of a BPF object without libbpf. The object of the test is not loaded into
// the kernel.
#include <bpf/libbpf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>

#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/load/map_sizes.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/object/emit.hpp"
#include "test/unit/ebpf_support.hpp"

namespace dt::test {
namespace {

using testing::ElementsAre;

struct LoadedMapsTest : testing::Test {
    LoadedMapsTest() : m(sketch())
    {
        libbpf_set_print(nullptr);
        ir::Builder b(m.functions[0]);
        b.ret(b.load(8, b.data_addr(1, 64), 16));
        m.data.push_back({.name = "table", .section = ".rodata", .size = 4, .align = 4, .bytes = {1, 2, 3, 4}});
    }
    using Opened = std::unique_ptr<bpf_object, decltype(&bpf_object__close)>;
    Opened open()
    {
        elf = emit_elf(m).value();
        bpf_object_open_opts options{};
        options.sz = sizeof options;
        options.object_name = "test";
        return {bpf_object__open_mem(elf.data(), elf.size(), &options), bpf_object__close};
    }

    ir::Module m;
    std::vector<uint8_t> elf;
};

TEST_F(LoadedMapsTest, AMapIsFoundByItsName)
{
    const Opened object = open();
    ASSERT_TRUE(object);
    const LoadedMaps maps(object.get());
    const LoadedMap* const hash = maps.find("hash");
    ASSERT_TRUE(hash);
    EXPECT_EQ(hash->type, static_cast<uint32_t>(BPF_MAP_TYPE_HASH));
    EXPECT_EQ(hash->key_size, 8U);
    EXPECT_EQ(hash->value_size, 8U);
    EXPECT_EQ(hash->max_entries, 16U);
    EXPECT_EQ(hash->descriptor, -1);
    EXPECT_FALSE(maps.find("has"));
    EXPECT_EQ(maps.descriptor("nowhere"), -1);
}

TEST_F(LoadedMapsTest, ADataSectionIsFoundByTheSuffixOfItsName)
{
    const Opened object = open();
    ASSERT_TRUE(object);
    const LoadedMaps maps(object.get());
    const LoadedMap* const table = maps.section(".rodata");
    ASSERT_TRUE(table);
    EXPECT_THAT(std::vector<uint8_t>(table->initial.begin(), table->initial.end()), ElementsAre(1, 2, 3, 4));
    EXPECT_FALSE(maps.section(".nothing"));
}

TEST_F(LoadedMapsTest, MapsAreListedInTheOrderOfTheObjectFile)
{
    const Opened object = open();
    ASSERT_TRUE(object);
    const LoadedMaps maps(object.get());
    const bpf_map* map = nullptr;
    for (const LoadedMap& each : maps) {
        map = bpf_object__next_map(object.get(), map);
        ASSERT_TRUE(map);
        EXPECT_EQ(each.name, bpf_map__name(map));
    }
    EXPECT_FALSE(bpf_object__next_map(object.get(), map));
}

/// Returns the field dst_reg of each instruction in a program that calls bpf_probe_read_user().
std::vector<int> marks_of_reads(const bpf_object* object)
{
    const bpf_program* const program = bpf_object__next_program(object, nullptr);
    const bpf_insn* const first = bpf_program__insns(program);
    std::vector<int> marks;
    for (const bpf_insn& insn : std::span(first, bpf_program__insn_cnt(program)))
        if (insn.code == (BPF_JMP | BPF_CALL) && insn.imm == BPF_FUNC_probe_read_user)
            marks.push_back(insn.dst_reg);
    return marks;
}

TEST(ReadCalls, AreHiddenFromLibbpfUntilTheKernelGetsThem)
{
    ir::Module m = sketch();
    ir::Builder b(m.functions[0]);
    const ir::Value room = b.stack_addr(b.slot(8));
    b.store(8, room, 0, b.constant(0));
    b.call_helper(ir::bpf::kProbeReadUser, {room, b.constant(8), b.constant(0)});
    b.ret(b.load(8, room));
    std::vector<uint8_t> elf = emit_elf(m).value();
    ASSERT_TRUE(hide_read_calls(elf));
    const std::unique_ptr<bpf_object, decltype(&bpf_object__close)> object(
        bpf_object__open_mem(elf.data(), elf.size(), nullptr), bpf_object__close);
    ASSERT_TRUE(object);
    // A nonzero dst_reg hides these calls from libbpf, which treats only instructions with dst_reg 0 as calls of
    // helpers.
    EXPECT_THAT(marks_of_reads(object.get()), ElementsAre(1));
    if (bpf_object__load(object.get()) != 0)
        GTEST_SKIP() << "no program can be loaded here";
    EXPECT_THAT(marks_of_reads(object.get()), ElementsAre(0));
}

} // namespace
} // namespace dt::test
