// Tests how a sample is written into an mmap ring (struct dt_mmap_ring). The sample's first word is written last,
// because the reader waits for it.
#include <gtest/gtest.h>

#include <optional>

#include "test/unit/lower_run.hpp"

namespace {

/// Returns whether the function that writes into mmap rings stores a sample's first word by an atomic exchange. Returns
/// nullopt if the program has no such function.
std::optional<bool> is_exchanged(const char* machine)
{
    dt::test::FrozenWorld world(*dt::machine::named(machine));
    dt::OptionSet options;
    dt::Compiler compiler(world, options);
    dt::Source source;
    source.kind = dt::Source::Kind::Script;
    source.name = "test.d";
    source.text = "syscall::write:entry { trace(arg0); trace(arg1); }";
    if (!compiler.add(source, dt::SpecKind::Script, {}))
        return {};
    auto object = compiler.finish(dt::embedded_runtime());
    if (!object)
        return {};
    auto image = dt::vm::parse(object->elf);
    if (!image)
        return {};
    for (const dt::vm::Function& function : image->functions)
        if (function.name.starts_with("dt_mmap_ring_"))
            for (uint32_t i = function.first + function.count; i-- > function.first;) {
                const bpf_insn& insn = image->code[i];
                if (BPF_CLASS(insn.code) == BPF_STX && insn.off == offsetof(dt_mmap_ring, data))
                    return BPF_MODE(insn.code) == BPF_ATOMIC && insn.imm == BPF_XCHG;
            }
    return {};
}

TEST(MmapRing, TheFirstWordIsWrittenByAnExchangeOnWeaklyOrderedMachines)
{
    EXPECT_EQ(is_exchanged("arm64"), true);
    EXPECT_EQ(is_exchanged("x86_64"), false);
}

} // namespace
