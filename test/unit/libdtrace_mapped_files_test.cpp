// Tests which mapped file is used to name an address. A test folder replaces /proc, so that the test controls what the
// process maps.
#include "libdtrace/mappings/mapped_files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/time.hpp"

namespace dt {
namespace {

namespace fs = std::filesystem;

/// An executable file that contains the symbols of this test program.
class MappedFilesTest : public testing::Test {
protected:
    MappedFilesTest()
        : folder_(fs::path(testing::TempDir()) / ("mapped" + std::to_string(getpid()))), file_(folder_ / "library.so"),
          files_(folder_ / "proc")
    {
        fs::create_directories(folder_);
        copy_to(file_);
    }
    ~MappedFilesTest() override { fs::remove_all(folder_); }

    static void copy_to(const fs::path& path)
    {
        fs::copy_file("/proc/self/exe", path, fs::copy_options::overwrite_existing);
    }
    static ino_t inode_of(const fs::path& path)
    {
        struct stat status {};
        return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
    }
    static int64_t now()
    {
        timespec now{};
        clock_gettime(CLOCK_REALTIME, &now);
        return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
    }
    MappedFiles::MappedRange place() const { return {7, 0x1000, 0x2000, inode_of(file_), now()}; }
    std::size_t open_descriptors() const
    {
        std::size_t count = 0;
        std::error_code gone;
        for (const fs::directory_entry& each : fs::directory_iterator("/proc/self/fd"))
            count += fs::read_symlink(each.path(), gone).string().starts_with(file_.string()) ? 1 : 0;
        return count;
    }

    fs::path folder_, file_;
    MappedFiles files_;
};

TEST_F(MappedFilesTest, AFileReplacedWhileItIsOpenKeepsItsSymbols)
{
    const auto at = place();
    const auto file = files_.of(at, file_, "");
    files_.hold(at, *file);
    std::ofstream(folder_ / "other") << "no ELF file";
    fs::rename(folder_ / "other", file_);
    EXPECT_TRUE(files_.symbols_of(at, *file).find_name("main"));
}

TEST_F(MappedFilesTest, AFileReplacedBeforeItWasOpenedHasNoSymbols)
{
    const auto at = place();
    const auto file = files_.of(at, file_, "");
    copy_to(folder_ / "other");
    fs::rename(folder_ / "other", file_);
    EXPECT_FALSE(files_.symbols_of(at, *file).found());
    EXPECT_TRUE(file->deleted);
}

TEST_F(MappedFilesTest, AFileRewrittenInPlaceLosesItsOldSymbols)
{
    const auto at = place();
    const auto file = files_.of(at, file_, "");
    files_.hold(at, *file);
    copy_to(file_);
    EXPECT_FALSE(files_.symbols_of(at, *file).found());
    EXPECT_NE(files_.of(place(), file_, ""), file);
}

/// The file that is mapped at an address changes repeatedly, as if the process executed other programs.
TEST_F(MappedFilesTest, AFileReplacedDuringAReadGivesNoWrongNames)
{
    const fs::path other = folder_ / "other", range = folder_ / "proc/7/map_files/1000-2000";
    // Two files alternate at the address: `other` has the symbol main; the copy of /bin/true has no such symbol.
    fs::rename(file_, other);
    fs::copy_file("/bin/true", file_);
    fs::create_directories(range.parent_path());
    std::atomic<bool> is_over = false;
    std::thread changes([&] {
        for (int i = 0; !is_over; ++i) {
            fs::create_symlink(i % 2 == 0 ? other : file_, folder_ / "next");
            fs::rename(folder_ / "next", range);
        }
    });
    for (int i = 0; i < 2000; ++i) {
        MappedFiles files(folder_ / "proc");
        const auto file = files.of(place(), file_, "");
        if (files.symbols_of(place(), *file).find_name("main")) {
            ADD_FAILURE() << "try " << i;
            break;
        }
    }
    is_over = true;
    changes.join();
}

TEST_F(MappedFilesTest, AFileWithADifferentBuildIdIsNotUsed)
{
    const auto file = files_.of(place(), file_, "\x01\x02");
    EXPECT_FALSE(files_.symbols_of(place(), *file).found());
    EXPECT_TRUE(file->deleted);
}

TEST_F(MappedFilesTest, AFileWhoseInodeCannotBeVerifiedGivesNoNames)
{
    auto at = place();
    ++at.inode;
    EXPECT_FALSE(files_.symbols_of(at, *files_.of(at, file_, "")).found());
}

TEST_F(MappedFilesTest, FilesAreClosedAfterReading)
{
    const auto at = place();
    const auto file = files_.of(at, file_, "");
    files_.hold(at, *file);
    EXPECT_EQ(open_descriptors(), 1u);
    files_.symbols_of(at, *file);
    files_.settle();
    EXPECT_EQ(open_descriptors(), 0u);
    EXPECT_TRUE(files_.symbols_of(at, *file).find_name("main"));
}

TEST_F(MappedFilesTest, ARemovedFileStillGivesNamesAndItsDiskSpaceIsFreed)
{
    const auto at = place();
    const auto file = files_.of(at, file_, "");
    files_.hold(at, *file);
    fs::remove(file_);
    files_.settle();
    EXPECT_EQ(open_descriptors(), 0u);
    EXPECT_TRUE(files_.symbols_of(at, *file).find_name("main"));
}

TEST_F(MappedFilesTest, EvictedSymbolsAreReadAgain)
{
    const auto at = place();
    const auto file = files_.of(at, file_, "");
    files_.symbols_of(at, *file);
    files_.set_max_bytes(sizeof *file);
    files_.settle();
    EXPECT_FALSE(file->symbols);
    EXPECT_TRUE(files_.symbols_of(at, *file).find_name("main"));
}

TEST_F(MappedFilesTest, SymbolsReadAgainSoonAfterEvictionAreKeptLonger)
{
    const auto at = place();
    const auto file = files_.of(at, file_, "");
    const auto began = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)) / kSecond;
    files_.symbols_of(at, *file);
    files_.settle(began + 200);
    EXPECT_FALSE(file->symbols);
    files_.symbols_of(at, *file);
    files_.settle(began + 400);
    EXPECT_TRUE(file->symbols);
    files_.settle(began + 1000);
    EXPECT_FALSE(file->symbols);
}

TEST_F(MappedFilesTest, AnUnopenableFileIsCountedOnceAndRetried)
{
    const auto at = place();
    const auto file = files_.of(at, file_, "");
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const rlimit none{0, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    const bool found = files_.symbols_of(at, *file).found() || files_.symbols_of(at, *file).found();
    setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_FALSE(found);
    EXPECT_EQ(files_.unread(), 1u);
    EXPECT_TRUE(files_.symbols_of(at, *file).find_name("main"));
}

} // namespace
} // namespace dt
