// Tests profiles in the format of pprof, and build IDs from ELF notes.
#include <gtest/gtest.h>
#include <protozero/pbf_reader.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "libdtrace/sinks/pprof_sink.hpp"

namespace dt {
namespace {

using output::PprofProfile;

AddressOrigin mapped(uint64_t start)
{
    return {"/usr/bin/prog", "ab", start, start + 0x1000, 0x2000, {{"work", "prog.c", 7}}};
}

unsigned messages(const std::string& bytes, uint32_t field)
{
    protozero::pbf_reader profile(bytes);
    unsigned found = 0;
    while (profile.next(field)) {
        ++found;
        profile.skip();
    }
    return found;
}

} // namespace

TEST(PprofProfile, AnOffsetOfAFileIsTheSameLocationInEveryMapping)
{
    PprofProfile profile;
    const uint64_t first = profile.location(mapped(0x10000), 0x10010);
    EXPECT_EQ(profile.location(mapped(0x70000), 0x70010), first);
    EXPECT_NE(profile.location(mapped(0x70000), 0x70011), first);
    const std::string bytes = profile.encoded(0, 0);
    EXPECT_EQ(messages(bytes, 3), 1u); // mappings are field 3 of a profile
    EXPECT_EQ(messages(bytes, 4), 2u); // locations are field 4 of a profile
    EXPECT_EQ(messages(bytes, 5), 1u); // functions are field 5 of a profile
}

TEST(PprofProfile, EqualStacksFormOneSample)
{
    PprofProfile profile;
    const PprofProfile::Locations stack{profile.location(mapped(0x10000), 0x10010)};
    const std::size_t reads = profile.value_type("reads", "count"), most = profile.value_type("most", "bytes");
    EXPECT_EQ(profile.value_type("reads", "count"), reads);
    profile.add(stack, {}, reads, 2);
    profile.add(stack, {}, reads, 3);
    profile.raise(stack, {}, most, -5);
    profile.raise(stack, {}, most, -9);
    const std::string bytes = profile.encoded(0, 0);
    ASSERT_EQ(messages(bytes, 2), 1u);
    protozero::pbf_reader all(bytes);
    ASSERT_TRUE(all.next(2));
    protozero::pbf_reader sample = all.get_message();
    ASSERT_TRUE(sample.next(2));
    const auto values = sample.get_packed_int64();
    EXPECT_EQ(std::vector<int64_t>(values.begin(), values.end()), (std::vector<int64_t>{5, -5}));
    profile.clear(reads);
    profile.clear(most);
    EXPECT_EQ(messages(profile.encoded(0, 0), 2), 0u);
}

TEST(PprofProfile, TheFirstMappingIsTheMappingOfTheProgram)
{
    PprofProfile profile;
    for (const char* path : {"/lib/libc.so.6", "[kernel.kallsyms]", "/lib/x.so", "/usr/bin/prog"})
        profile.location({path, "", 1, 2, 0, {}}, 1);
    const std::string bytes = profile.encoded(0, 0);
    protozero::pbf_reader all(bytes);
    ASSERT_TRUE(all.next(3));
    protozero::pbf_reader mapping = all.get_message();
    ASSERT_TRUE(mapping.next(1));
    EXPECT_EQ(mapping.get_uint64(), 4u);
}

TEST(ElfNotes, TheBuildIdIsFoundAfterOtherNotes)
{
    const std::string path = testing::TempDir() + "notes" + std::to_string(getpid());
    const std::string other("\4\0\0\0\1\0\0\0\1\0\0\0Xen\0z\0\0\0", 20),
        id("\4\0\0\0\2\0\0\0\3\0\0\0GNU\0\x0a\xff\0\0", 20);
    std::ofstream(path, std::ios::binary) << other << id;
    EXPECT_EQ(build_id_of_notes(path), "0aff");
    std::ofstream(path, std::ios::binary) << other << id.substr(0, 17);
    EXPECT_EQ(build_id_of_notes(path), "");
    EXPECT_EQ(build_id_of_notes(path + ".none"), "");
    std::remove(path.c_str());
}

} // namespace dt
