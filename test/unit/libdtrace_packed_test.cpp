// Tests packed programs, that is, compiled programs as bytes for a bundle or for another process. Unpacking restores
// the program, and changed bytes never crash the reader.
#include <gtest/gtest.h>

#include <random>

#include "dcompiler/object/packed.hpp"
#include "libdtrace/session/program_file.hpp"
#include "libdtrace/trace/trace.hpp"
#include "test/support/frozen_kernel.hpp"

namespace dt {
namespace {

constexpr char kPackedText[] =
    "#pragma D option quiet\n"
    "syscall::read:entry, syscall::write:return /arg0 == 3/ { @[probefunc, execname] = quantize(arg2); }\n"
    "tick-1s { printf(\"%d %s\\n\", timestamp, execname); printa(@); ok = *(int *)1; exit(0); }\n";

class PackedPrograms : public testing::Test {
protected:
    PackedPrograms()
    {
        EXPECT_TRUE(session_.prepare());
        EXPECT_TRUE(trace_.add({Source::Kind::Script, "test.d", kPackedText}, SpecKind::Script, {}))
            << trace_.compiler().diagnostics().list().at(0).message;
        EXPECT_TRUE(trace_.compile());
        bytes_ = pack(trace_.object(), trace_.program());
    }

    Session session_{Options(), [] { return std::make_unique<LiveWorld>(std::make_unique<test::FrozenKernel>(), 0); }};
    dt::Trace trace_{session_, session_.options()};
    std::string bytes_;
};

TEST_F(PackedPrograms, UnpackingRestoresTheOriginalProgram)
{
    auto unpacked = unpack(bytes_);
    ASSERT_TRUE(unpacked);
    const PackedProgram& packed = **unpacked;
    const Schema &was = trace_.object().schema, &is = packed.object.schema;
    EXPECT_EQ(packed.object.elf, trace_.object().elf);
    EXPECT_EQ(is.names, was.names);
    EXPECT_EQ(is.program_digest, was.program_digest);
    ASSERT_EQ(is.programs.size(), was.programs.size());
    for (std::size_t i = 0; i < is.programs.size(); ++i) {
        EXPECT_EQ(is.programs[i].probes, was.programs[i].probes);
        EXPECT_EQ(is.programs[i].plan->section(), was.programs[i].plan->section());
        EXPECT_EQ(is.programs[i].plan->arguments, was.programs[i].plan->arguments);
        ASSERT_EQ(is.programs[i].plan->probes.size(), was.programs[i].plan->probes.size());
    }
    ASSERT_EQ(packed.program.pragmas.size(), 1u);
    EXPECT_EQ(packed.program.pragmas[0].first, "quiet");
    ASSERT_EQ(is.faults.size(), was.faults.size());
    EXPECT_EQ(is.faults.at(0).at.source->text, kPackedText);
    EXPECT_EQ(packed.program.statements.at(0).probes.at(0)->full_name(),
              trace_.program().statements.at(0).probes.at(0)->full_name());
    EXPECT_EQ(pack(packed.object, packed.program), bytes_);
}

TEST_F(PackedPrograms, TruncatedBytesAreRefused)
{
    for (std::size_t size = 0; size < bytes_.size(); size += 1 + bytes_.size() / 997)
        EXPECT_FALSE(unpack(std::string_view(bytes_).substr(0, size))) << size;
    EXPECT_FALSE(unpack(bytes_ + "x"));
}

/// Changed bytes may claim any size. The reader must not allocate that much memory or read out of bounds; the
/// sanitizers detect both.
TEST_F(PackedPrograms, ChangedBytesAreRefusedOrReadWithoutHarm)
{
    std::mt19937 random(27);
    std::size_t refused = 0;
    constexpr int kRounds = 3000;
    for (int round = 0; round < kRounds; ++round) {
        std::string changed = bytes_;
        const std::size_t schema = changed.size() - trace_.object().elf.size();
        for (unsigned i = 0; i < 1 + random() % 3; ++i)
            changed[random() % schema] = static_cast<char>(random());
        refused += unpack(changed) ? 0 : 1;
    }
    EXPECT_GT(refused, kRounds / 10);
}

TEST_F(PackedPrograms, BundlesSurvivePackingAndUnpacking)
{
    const Bundle bundle{{{"-q", "-stest.d", "--", ""}, {{"test.d", kPackedText}}}, {{"cpus=2 kernel=1", bytes_}}};
    const std::string file = bundle_bytes(bundle);
    auto read = read_bundle(file + file);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->typed, bundle.typed);
    ASSERT_EQ(read->variants.size(), 2u);
    EXPECT_EQ(read->variants[1].facts, bundle.variants[0].facts);
    EXPECT_EQ(read->variants[1].packed, bytes_);
    for (std::size_t size = 0; size < file.size(); size += 1 + file.size() / 97)
        EXPECT_FALSE(read_bundle(std::string_view(file).substr(0, size)).ok() && size < file.find("variant")) << size;
}

} // namespace
} // namespace dt
