// Tests which object files the virtual machine accepts and refuses.
#include <elf.h>
#include <gtest/gtest.h>

#include "test/unit/lower_run.hpp"

namespace {

using namespace dt;

TEST(ObjectFile, ArbitraryBytesAreAnError)
{
    const std::vector<uint8_t> bytes = {1, 2, 3};
    EXPECT_FALSE(vm::parse(bytes).ok());
    EXPECT_FALSE(vm::parse({}).ok());
}

TEST(ObjectFile, ATruncatedFileIsAnErrorOrASmallerProgram)
{
    const auto whole = embedded_runtime()[0].elf;
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        (void)vm::parse(part); // a truncated object must not crash the parser
    }
}

TEST(ObjectFile, OversizedSectionsAreErrors)
{
    test::DProgram p("int n; BEGIN { n++; }");
    ASSERT_EQ(p.problem(), "");
    std::vector<uint8_t> bytes = p.elf();
    ASSERT_TRUE(vm::parse(bytes).ok());
    auto* const header = reinterpret_cast<Elf64_Ehdr*>(bytes.data());
    auto* const sections = reinterpret_cast<Elf64_Shdr*>(bytes.data() + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; ++i)
        if (sections[i].sh_type == SHT_NOBITS)
            sections[i].sh_size = uint64_t{0x55} << 56;
    const auto image = vm::parse(bytes);
    ASSERT_FALSE(image.ok());
    EXPECT_EQ(image.error().message, "section .bss is too large");
}

TEST(ObjectFile, FunctionsOfTheRuntimeAreFound)
{
    for (const RuntimeObject& object : embedded_runtime())
        if (object.name == "square") {
            auto image = vm::parse(object.elf);
            ASSERT_TRUE(image.ok());
            EXPECT_NE(image->function("dt_square_high"), nullptr);
        }
}

TEST(ObjectFile, MapsAreReadWithTheirDefinitions)
{
    test::DProgram p("int a[int, int]; self int s; BEGIN { a[1, 2] = 3; self->s = 1; @x[pid] = count(); }");
    ASSERT_EQ(p.problem(), "");
    EXPECT_EQ(p.vm().map(DT_MAP_BUFFERS)->spec().type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
    EXPECT_EQ(p.vm().map(DT_MAP_SELF)->spec().type, BPF_MAP_TYPE_TASK_STORAGE);
    EXPECT_EQ(p.vm().map(p.schema().aggregations[0].map)->spec().type, BPF_MAP_TYPE_PERCPU_HASH);
}

} // namespace
