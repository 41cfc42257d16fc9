// Tests the compiled object file by reading it with libbpf: sections, maps, symbols, BTF and line information.
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/descriptor.hpp"
#include "dcompiler/ebpf/btf.hpp"
#include "dcompiler/object/emit.hpp"
#include "test/unit/ebpf_support.hpp"

namespace dt::test {
namespace {

using ir::Builder;
using ir::Value;
using testing::ElementsAre;

class ObjectElf : public testing::Test {
protected:
    ObjectElf() : m(sketch())
    {
        libbpf_set_print(nullptr);
        Builder b(m.functions[0]);
        b.at({.source = &source, .offset = 8, .line = 1, .column = 9});
        b.ret(b.load(8, b.data_addr(1, 64), 16));
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

    Source source{Source::Kind::CommandLine, "BEGIN { x = 1; }", "BEGIN { x = 1; }"};
    ir::Module m;
    std::vector<uint8_t> elf;
};

TEST_F(ObjectElf, ProgramsMapsAndDataAreFoundByLibbpf)
{
    const auto object = open();
    ASSERT_TRUE(object);
    bpf_program* program = bpf_object__find_program_by_name(object.get(), "prog");
    ASSERT_TRUE(program);
    EXPECT_STREQ(bpf_program__section_name(program), "raw_tp/sys_enter");
    EXPECT_EQ(bpf_program__type(program), BPF_PROG_TYPE_RAW_TRACEPOINT);
    bpf_map* map = bpf_object__find_map_by_name(object.get(), "hash");
    ASSERT_TRUE(map);
    EXPECT_EQ(bpf_map__type(map), BPF_MAP_TYPE_HASH);
    EXPECT_EQ(bpf_map__key_size(map), 8u);
    EXPECT_EQ(bpf_map__value_size(map), 8u);
    EXPECT_EQ(bpf_map__max_entries(map), 16u);
    bpf_map* data = bpf_object__find_map_by_name(object.get(), ".bss");
    ASSERT_TRUE(data);
    EXPECT_EQ(bpf_map__value_size(data), 128u);
}

TEST_F(ObjectElf, ReadOnlyAndNamedDataSectionsAreFound)
{
    m.data.push_back({.name = "table", .section = ".rodata", .size = 4, .align = 4, .bytes = {1, 2, 3, 4}});
    m.data.push_back({.name = "ecb", .section = ".data.ecb", .size = 8, .align = 8, .bytes = {9}});
    const auto object = open();
    ASSERT_TRUE(object);
    std::size_t size = 0;
    const auto* table = static_cast<const uint8_t*>(
        bpf_map__initial_value(bpf_object__find_map_by_name(object.get(), ".rodata"), &size));
    ASSERT_EQ(size, 4u);
    EXPECT_THAT(std::vector<uint8_t>(table, table + 4), ElementsAre(1, 2, 3, 4));
    const auto* ecb = static_cast<const uint8_t*>(
        bpf_map__initial_value(bpf_object__find_map_by_name(object.get(), ".data.ecb"), &size));
    ASSERT_TRUE(ecb);
    EXPECT_EQ(ecb[0], 9);
}

// libbpf looks for a global symbol of each section. If all symbols of a section were local, libbpf could not map the
// section.
TEST_F(ObjectElf, TheFirstVariableOfASectionIsAGlobalSymbol)
{
    m.data.push_back({.name = "second", .section = m.data.at(0).section, .size = 8});
    m.data.push_back({.name = "third", .section = m.data.at(0).section, .size = 8});
    const auto object = open();
    ASSERT_TRUE(object);
    const btf* types = bpf_object__btf(object.get());
    const auto linkage = [&](const char* name) {
        const int id = btf__find_by_name_kind(types, name, BTF_KIND_VAR);
        return id < 0 ? ~0U : btf_var(btf__type_by_id(types, id))->linkage;
    };
    EXPECT_EQ(linkage(m.data.at(0).name.c_str()), static_cast<unsigned>(BTF_VAR_GLOBAL_ALLOCATED));
    EXPECT_EQ(linkage("second"), static_cast<unsigned>(BTF_VAR_STATIC));
    EXPECT_EQ(linkage("third"), static_cast<unsigned>(BTF_VAR_STATIC));
}

TEST_F(ObjectElf, TheSizeOfAMapMayBeSetByTheLoader)
{
    m.maps.push_back(
        {.name = "buffers", .type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 0});
    m.maps.push_back({.name = "losses",
                      .type = BPF_MAP_TYPE_ARRAY,
                      .key_size = 4,
                      .value_size = 64,
                      .max_entries = 0,
                      .flags = BPF_F_MMAPABLE});
    const auto object = open();
    ASSERT_TRUE(object);
    bpf_map* losses = bpf_object__find_map_by_name(object.get(), "losses");
    ASSERT_TRUE(losses);
    EXPECT_EQ(bpf_map__map_flags(losses), static_cast<uint32_t>(BPF_F_MMAPABLE));
    EXPECT_EQ(bpf_map__set_max_entries(losses, 2), 0);
    EXPECT_EQ(bpf_map__max_entries(losses), 2u);
}

TEST_F(ObjectElf, TheMapOfTaskStorageHasBtfTypesForKeyAndValue)
{
    m.maps.push_back({.name = "self",
                      .type = BPF_MAP_TYPE_TASK_STORAGE,
                      .key_size = 4,
                      .value_size = 20,
                      .max_entries = 0,
                      .flags = BPF_F_NO_PREALLOC});
    const auto object = open();
    ASSERT_TRUE(object);
    bpf_map* self = bpf_object__find_map_by_name(object.get(), "self");
    ASSERT_TRUE(self);
    EXPECT_NE(bpf_map__btf_key_type_id(self), 0u);
    EXPECT_NE(bpf_map__btf_value_type_id(self), 0u);
    EXPECT_EQ(bpf_map__value_size(self), 20u);
}

TEST_F(ObjectElf, FunctionsHaveBtfTypeInformation)
{
    m.functions.emplace_back();
    m.functions[1].name = "helper";
    m.functions[1].params = 2;
    Builder b(m.functions[1]);
    b.ret(b.param(1));
    const auto object = open();
    ASSERT_TRUE(object);
    const struct btf* btf = bpf_object__btf(object.get());
    const int program = btf__find_by_name_kind(btf, "prog", BTF_KIND_FUNC),
              helper = btf__find_by_name_kind(btf, "helper", BTF_KIND_FUNC);
    ASSERT_GT(program, 0);
    ASSERT_GT(helper, 0);
    EXPECT_EQ(btf_vlen(btf__type_by_id(btf, static_cast<uint32_t>(program))), BTF_FUNC_GLOBAL);
    EXPECT_EQ(btf_vlen(btf__type_by_id(btf, static_cast<uint32_t>(helper))), BTF_FUNC_STATIC);
    EXPECT_EQ(btf_vlen(btf__type_by_id(btf, btf__type_by_id(btf, static_cast<uint32_t>(helper))->type)), 2);
}

TEST_F(ObjectElf, RuntimeFunctionsAreUndefinedSymbols)
{
    m.functions[0].blocks.clear();
    m.functions[0].instrs.clear();
    Builder b(m.functions[0]);
    b.ret(b.call_runtime("dt_one", {b.call_runtime("dt_two", {}), b.call_runtime("dt_two", {})}));
    EXPECT_THAT(runtime_calls(m), ElementsAre("dt_two", "dt_one"));
    const auto image = emit_elf(m);
    ASSERT_TRUE(image.ok());
    const auto symbols = read_symbols(image.value());
    ASSERT_TRUE(symbols.ok());
    EXPECT_THAT(symbols.value().undefined, ElementsAre("dt_two", "dt_one"));
    EXPECT_THAT(symbols.value().defined, ElementsAre("prog"));
}

TEST(ObjectLines, LineInformationContainsTextAndFileOfTheSource)
{
    Source script{Source::Kind::Script, "reads.d", "BEGIN\n{\n\ttrace(1);  \n}\n"};
    const Span at{.source = &script, .offset = 9, .line = 3, .column = 2};
    EXPECT_EQ(ebpf::file_of(at), "reads.d");
    EXPECT_EQ(ebpf::line_text_of(at), "trace(1);");
    Source command{Source::Kind::CommandLine, "BEGIN", "BEGIN"};
    EXPECT_EQ(ebpf::file_of({.source = &command}), "<command line>");
    EXPECT_EQ(ebpf::line_text_of({.source = &command}), "BEGIN");
    EXPECT_EQ(ebpf::line_text_of({}), "");
    Source wide{Source::Kind::Script, "wide.d", "BEGIN {" + std::string(1000, ' ') + "}"};
    // A long line is truncated, so only its beginning is displayed.
    EXPECT_EQ(ebpf::line_text_of({.source = &wide, .offset = 1007}), "BEGIN {");
}

TEST(ObjectMemoryFile, WrittenBytesCanBeReadBack)
{
    auto file = MemoryFile::make("test");
    ASSERT_TRUE(file.ok());
    const std::vector<uint8_t> bytes{1, 2, 3};
    ASSERT_TRUE(file->write(bytes).ok());
    EXPECT_EQ(file->read().value(), bytes);
}

TEST(ObjectElfErrors, InvalidObjectsAreRefused)
{
    const std::vector<uint8_t> bytes{'n', 'o'};
    EXPECT_FALSE(read_symbols(bytes).ok());
}

} // namespace
} // namespace dt::test
