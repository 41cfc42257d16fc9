// Tests the cache file of kernel data, which is valid until the next boot: its permissions, and the checks by which
// invalid files are rejected.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "libdtrace/kernel/kernel_cache.hpp"
#include "libdtrace/kernel/kernel_functions.hpp"

namespace dt {
namespace {

namespace fs = std::filesystem;

class KernelCacheTest : public testing::Test {
protected:
    KernelCacheTest()
    {
        char name[] = "/tmp/dtrace_cache_XXXXXX";
        folder_ = mkdtemp(name);
    }
    ~KernelCacheTest() override { fs::remove_all(folder_); }

    KernelCache cache(const std::string& kernel = "boot 1\nmodule 1\n") const
    {
        return {(folder_ / "dtrace").string(), kernel};
    }
    fs::path file() const { return folder_ / "dtrace" / "list"; }

    std::string bytes() const
    {
        std::ifstream in(file(), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void put(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }

    fs::path folder_;
};

TEST_F(KernelCacheTest, IsValidOnlyForTheSameKernel)
{
    EXPECT_FALSE(cache().read("list"));
    cache().write("list", "a\nb\n");
    EXPECT_EQ(cache().read("list"), "a\nb\n");
    EXPECT_FALSE(cache("boot 2\nmodule 1\n").read("list"));
    EXPECT_FALSE(cache("boot 1\nmodule 2\n").read("list"));
    EXPECT_FALSE(cache("boot 1\nmodule 1\na").read("list"));
    EXPECT_FALSE(cache("").read("list"));
    EXPECT_FALSE(cache().read("other"));
    cache().write("list", "");
    EXPECT_EQ(cache().read("list"), "");
}

TEST_F(KernelCacheTest, IsReadableByItsOwnerOnly)
{
    umask(0);
    cache().write("list", "a");
    EXPECT_EQ(fs::status(folder_ / "dtrace").permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    fs::permissions(file(), fs::perms::others_write, fs::perm_options::add);
    EXPECT_FALSE(cache().read("list"));
    fs::permissions(file(), fs::perms::others_write, fs::perm_options::remove);
    EXPECT_TRUE(cache().read("list"));
    fs::permissions(folder_ / "dtrace", fs::perms::group_read, fs::perm_options::add);
    EXPECT_FALSE(cache().read("list"));
}

TEST_F(KernelCacheTest, RejectsChangedBytes)
{
    cache().write("list", "content");
    const std::string good = bytes();
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] ^= 1;
        put(bad);
        EXPECT_FALSE(cache().read("list")) << at;
        put(good.substr(0, at));
        EXPECT_FALSE(cache().read("list")) << at;
    }
    put(good + "x");
    EXPECT_FALSE(cache().read("list"));
    put(good);
    EXPECT_TRUE(cache().read("list"));
}

TEST_F(KernelCacheTest, FollowsNoSymbolicLink)
{
    cache().write("list", "content");
    fs::rename(file(), folder_ / "elsewhere");
    fs::create_symlink(folder_ / "elsewhere", file());
    EXPECT_FALSE(cache().read("list"));
    cache().write("list", "new");
    EXPECT_FALSE(fs::is_symlink(file()));
    EXPECT_EQ(cache().read("list"), "new");
}

TEST_F(KernelCacheTest, AMissingDirectoryIsNoError)
{
    KernelCache("", "boot").write("list", "content");
    const KernelCache nowhere((folder_ / "no" / "such").string(), "boot");
    nowhere.write("list", "content");
    EXPECT_FALSE(nowhere.read("list"));
}

TEST_F(KernelCacheTest, TheListOfTraceableFunctionsIsReadOncePerBoot)
{
    int reads = 0;
    const auto listed = [&reads] {
        ++reads;
        return std::string("vfs_write\nvfs_read\next4_write [ext4]\n");
    };
    for (int run = 0; run < 2; ++run) {
        const auto functions = TraceableFunctions::read(cache(), listed);
        ASSERT_EQ(functions->all().size(), 3U);
        EXPECT_EQ(functions->all()[0].name, "ext4_write");
        EXPECT_EQ(functions->all()[0].module, "ext4");
        EXPECT_EQ(functions->all()[2].name, "vfs_write");
        EXPECT_EQ(functions->all()[2].module, "vmlinux");
    }
    EXPECT_EQ(reads, 1);
}

TEST_F(KernelCacheTest, FunctionsThatTheKernelRefusedAreCachedForTheNextRun)
{
    RefusedFunctions first(cache());
    EXPECT_FALSE(first.contains(0xffffffff81000040));
    first.add(0xffffffff81000040);
    first.add(0xffffffff81000080);
    EXPECT_TRUE(first.contains(0xffffffff81000040));
    EXPECT_FALSE(RefusedFunctions(cache()).contains(0xffffffff81000040));
    first.keep();
    RefusedFunctions second(cache());
    EXPECT_TRUE(second.contains(0xffffffff81000040));
    EXPECT_TRUE(second.contains(0xffffffff81000080));
    EXPECT_FALSE(second.contains(0xffffffff81000000));
    EXPECT_FALSE(RefusedFunctions(cache("boot 2")).contains(0xffffffff81000040));
}

/// Returns the function symbols that the cache passes to a visitor.
std::string seen_of(const KernelCache& cache, KernelSymbols& symbols, std::vector<std::string_view> names = {})
{
    std::string seen;
    const auto see = [&](std::string_view module, std::string_view name, uint64_t address) {
        seen += std::string(module) + "`" + std::string(name) + " " + std::to_string(address & 0xffff) + "\n";
    };
    visit_function_symbols(cache, symbols, see, names);
    return seen;
}

TEST_F(KernelCacheTest, FunctionSymbolsAreReadOncePerBoot)
{
    KernelSymbols symbols(
        "ffffffff81000000 T vfs_read\nffffffff81000040 t helper.isra.0\nffffffffc0000000 t ext4_write\t[ext4]\n", "");
    KernelSymbols none("", "");
    EXPECT_EQ(seen_of(cache(), symbols), "vmlinux`vfs_read 0\nvmlinux`helper.isra.0 64\next4`ext4_write 0\n");
    EXPECT_EQ(seen_of(cache(), none), "ext4`ext4_write 0\nvmlinux`helper.isra.0 64\nvmlinux`vfs_read 0\n");
}

TEST_F(KernelCacheTest, SymbolsFoundByNameIncludeCompilerClones)
{
    KernelSymbols symbols("ffffffff81000010 t read\nffffffff81000020 t reads\nffffffff81000030 t read$x\n"
                          "ffffffff81000040 t read.part.0\nffffffff81000050 t a\nffffffff81000060 t z\n"
                          "ffffffffc0000070 t read\t[ext4]\n",
                          "");
    KernelSymbols none("", "");
    seen_of(cache(), symbols);
    EXPECT_EQ(seen_of(cache(), none, {"read"}), "ext4`read 112\nvmlinux`read 16\nvmlinux`read.part.0 64\n");
    EXPECT_EQ(seen_of(cache(), none, {"z", "a", "a"}), "vmlinux`a 80\nvmlinux`z 96\n");
    EXPECT_EQ(seen_of(cache(), none, {"rea", "zz", "A", ""}), "");
}

} // namespace
} // namespace dt
