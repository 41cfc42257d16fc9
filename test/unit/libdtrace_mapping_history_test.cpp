// Tests reading the mappings of a process that executes another program meanwhile. A test folder replaces /proc.
#include "libdtrace/symbols/mapping_history.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace dt {
namespace {

namespace fs = std::filesystem;

/// Two program files that would be mapped at the same addresses, and process 7, which maps one of them.
class MappingHistoryTest : public testing::Test {
protected:
    MappingHistoryTest()
        : folder_(fs::canonical(testing::TempDir()) / ("images" + std::to_string(getpid()))),
          process_(folder_ / "proc/7"), images_(folder_ / "proc")
    {
        fs::create_directories(process_ / "map_files");
        for (const char* const name : {"one", "two"})
            fs::copy_file("/proc/self/exe", folder_ / name, fs::copy_options::overwrite_existing);
    }
    ~MappingHistoryTest() override { fs::remove_all(folder_); }

    /// Returns the text of /proc/PID/maps for a process that maps the file `name`.
    std::string maps_of(const char* name) const
    {
        struct stat status {};
        stat((folder_ / name).c_str(), &status);
        return "00001000-00002000 r-xp 00000000 00:00 " + std::to_string(status.st_ino) + "    " +
               (folder_ / name).string() + "\n";
    }
    void maps(const char* name) { fs::create_symlink(folder_ / name, process_ / "map_files/1000-2000"); }

    fs::path folder_, process_;
    MappingHistory images_;
};

TEST_F(MappingHistoryTest, AddressesHaveTheNamesOfTheMappedFiles)
{
    std::ofstream(process_ / "maps") << maps_of("one");
    maps("one");
    const auto found = images_.find(7, 0x1800, 0);
    ASSERT_TRUE(found.part);
    EXPECT_EQ(found.part->file->path, (folder_ / "one").string());
    EXPECT_TRUE(images_.symbols_of(7, *found.part).find_name("main"));
}

TEST_F(MappingHistoryTest, AnEarlierProgramDoesNotGetTheNamesOfTheNext)
{
    std::ofstream(process_ / "maps") << maps_of("one");
    maps("two"); // simulates that the process executes "two" during the read
    fs::remove(folder_ / "one");
    const auto found = images_.find(7, 0x1800, 0);
    EXPECT_TRUE(!found.part || !images_.symbols_of(7, *found.part).found());
}

/// While the first version of the maps file is read, a second version replaces it. The first version contains the file
/// "one", the second version "two".
TEST_F(MappingHistoryTest, MappingsThatChangeWhileTheyAreReadAreReadAgain)
{
    const fs::path first = process_ / "first", next = process_ / "next";
    ASSERT_EQ(mkfifo(first.c_str(), 0600), 0);
    fs::create_symlink(first, process_ / "maps");
    std::ofstream(next) << maps_of("two");
    std::thread writer([&] {
        std::ofstream pipe(first); // blocks until the reader has opened the pipe
        fs::rename(next, process_ / "maps");
        pipe << maps_of("one");
    });
    const auto found = images_.find(7, 0x1800, 0);
    writer.join();
    ASSERT_TRUE(found.part);
    EXPECT_EQ(found.part->file->path, (folder_ / "two").string());
}

} // namespace
} // namespace dt
