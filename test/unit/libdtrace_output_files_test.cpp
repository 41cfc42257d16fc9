// Tests how files of -o are renamed on SIGHUP and by -x rotate.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>

#include "libdtrace/output/output.hpp"
#include "libdtrace/output/output_target.hpp"

namespace dt {
namespace {

namespace fs = std::filesystem;

struct OutputFiles : testing::Test {
    OutputFiles()
    {
        char pattern[] = "/tmp/dtrace_output_XXXXXX";
        folder = mkdtemp(pattern);
        path = folder / "log";
    }
    ~OutputFiles() override { fs::remove_all(folder); }

    fs::path numbered(int number) const { return path.string() + "." + std::to_string(number); }
    static std::string content(const fs::path& file)
    {
        std::ifstream in(file);
        return in ? std::string(std::istreambuf_iterator<char>(in), {}) : "(none)";
    }
    static void make(const fs::path& file, std::string_view content) { std::ofstream(file) << content; }
    void record(Output& output, std::string_view text) const
    {
        output.write(text);
        output.drain();
    }

    fs::path folder, path;
};

TEST_F(OutputFiles, RotationRenamesFilesStartingWithTheOldest)
{
    make(path, "new");
    make(numbered(1), "1");
    make(numbered(2), "2");
    ASSERT_TRUE(output::rename_to_next(path, 2));
    EXPECT_EQ(content(path), "(none)");
    EXPECT_EQ(content(numbered(1)), "new");
    EXPECT_EQ(content(numbered(2)), "1");
    EXPECT_EQ(content(numbered(3)), "(none)");
}

TEST_F(OutputFiles, FilesAfterAGapInTheNumbersKeepTheirNames)
{
    make(path, "new");
    make(numbered(1), "1");
    make(numbered(3), "3");
    ASSERT_TRUE(output::rename_to_next(path, 5));
    EXPECT_EQ(content(numbered(1)), "new");
    EXPECT_EQ(content(numbered(2)), "1");
    EXPECT_EQ(content(numbered(3)), "3");
}

TEST_F(OutputFiles, AFailedRotationOverwritesNothing)
{
    make(path, "new");
    make(numbered(1), "1");
    fs::create_directories(numbered(2) / "full");
    EXPECT_FALSE(output::rename_to_next(path, 2));
    EXPECT_EQ(content(path), "new");
    EXPECT_EQ(content(numbered(1)), "1");
}

TEST_F(OutputFiles, ReopeningDoesNotChangeThePreviousFile)
{
    Output output;
    EXPECT_TRUE(output.reopen()); // no effect: standard output is not reopened
    ASSERT_TRUE(output.open(path));
    output.write("before");
    fs::rename(path, numbered(1));
    ASSERT_TRUE(output.reopen());
    EXPECT_EQ(output.files(), 1u);
    output.write("behind");
    ASSERT_TRUE(output.flush());
    EXPECT_EQ(content(numbered(1)), "before");
    EXPECT_EQ(content(path), "behind");
}

TEST_F(OutputFiles, ReopeningDuringAFreopenAppliesToTheOutputFile)
{
    Output output;
    ASSERT_TRUE(output.open(path));
    output.write("before");
    ASSERT_TRUE(output.redirect(folder / "other"));
    output.write("else");
    fs::rename(path, numbered(1));
    ASSERT_TRUE(output.reopen());
    output.write("where");
    EXPECT_EQ(output.files(), 0u);
    ASSERT_TRUE(output.redirect({}));
    EXPECT_EQ(output.files(), 1u);
    output.write("behind");
    ASSERT_TRUE(output.flush());
    EXPECT_EQ(content(numbered(1)), "before");
    EXPECT_EQ(content(folder / "other"), "elsewhere");
    EXPECT_EQ(content(path), "behind");
}

TEST_F(OutputFiles, ReopeningANamedPipeDoesNotWaitForAReader)
{
    Output output;
    ASSERT_TRUE(output.open(path));
    fs::remove(path);
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_FALSE(output.reopen());
}

TEST_F(OutputFiles, RotationHappensAtTheEndOfALine)
{
    make(path, "");
    chmod(path.c_str(), 0600);
    Output output;
    ASSERT_TRUE(output.open(path));
    ASSERT_TRUE(output.rotate_at({4, 0, 2}));
    record(output, "abc");
    record(output, "def"); // no rotation: the file exceeds the limit of 4 bytes, but its last line is incomplete
    EXPECT_EQ(output.files(), 0u);
    record(output, "\n");
    EXPECT_EQ(output.files(), 1u);
    record(output, "two\n");
    record(output, "3\n");
    ASSERT_TRUE(output.flush());
    EXPECT_EQ(content(numbered(2)), "abcdef\n");
    EXPECT_EQ(content(numbered(1)), "two\n");
    EXPECT_EQ(content(path), "3\n");
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_FALSE(output.rotation_failure());
}

TEST_F(OutputFiles, FilesAreRotatedByAge)
{
    Output output;
    ASSERT_TRUE(output.open(path));
    ASSERT_TRUE(output.rotate_at({0, 1, 2})); // the output rotates when its file is older than a nanosecond
    output.rotate_if_old();                   // no rotation, because the file is empty
    EXPECT_EQ(output.files(), 0u);
    record(output, "one\ntw");
    output.rotate_if_old(); // no rotation, because the last line is incomplete
    EXPECT_EQ(output.files(), 0u);
    record(output, "o\n");
    output.rotate_if_old();
    EXPECT_EQ(output.files(), 1u);
    record(output, "three\n");
    ASSERT_TRUE(output.flush());
    EXPECT_EQ(content(numbered(1)), "one\ntwo\n");
    EXPECT_EQ(content(path), "three\n");
}

TEST_F(OutputFiles, FilesBelowTheAgeLimitAreNotRotated)
{
    Output output;
    ASSERT_TRUE(output.open(path));
    ASSERT_TRUE(output.rotate_at({0, uint64_t{3'600'000'000'000}, 2}));
    record(output, "one\n");
    output.rotate_if_old();
    EXPECT_EQ(output.files(), 0u);
}

TEST_F(OutputFiles, AFileIsRotatedEvenIfItsOnlyLineHasNoEnd)
{
    Output output;
    ASSERT_TRUE(output.open(path));
    ASSERT_TRUE(output.rotate_at({1000, 0, 1}));
    record(output, std::string(300'000, 'x'));
    EXPECT_EQ(output.files(), 1u);
}

TEST_F(OutputFiles, AFailedRotationIsReportedOnceAndOutputContinues)
{
    fs::create_directories(numbered(1) / "full");
    Output output;
    ASSERT_TRUE(output.open(path));
    ASSERT_TRUE(output.rotate_at({4, 0, 1}));
    record(output, "one\n");
    EXPECT_EQ(output.rotation_failure(), "Is a directory");
    record(output, "two\n");
    record(output, "3\n");
    EXPECT_FALSE(output.rotation_failure());
    ASSERT_TRUE(output.flush());
    EXPECT_EQ(content(path), "one\ntwo\n3\n");
    fs::remove_all(numbered(1));
    record(output, "4\n");
    ASSERT_TRUE(output.flush());
    EXPECT_EQ(content(numbered(1)), "one\ntwo\n3\n4\n");
}

TEST_F(OutputFiles, RotationHandlesAFileRenamedByAnotherProcess)
{
    make(numbered(1), "another's");
    Output output;
    ASSERT_TRUE(output.open(path));
    ASSERT_TRUE(output.rotate_at({4, 0, 3}));
    fs::rename(path, folder / "moved");
    record(output, "one\n");
    record(output, "2\n");
    ASSERT_TRUE(output.flush());
    EXPECT_EQ(content(folder / "moved"), "one\n");
    EXPECT_EQ(content(path), "2\n");
    EXPECT_EQ(content(numbered(1)), "another's");
}

TEST_F(OutputFiles, RotationAppliesOnlyToFilesThatTheTracerOpened)
{
    Output output;
    EXPECT_FALSE(output.rotate_at({4, 0, 1}));
    ASSERT_TRUE(output.open("/dev/null"));
    EXPECT_FALSE(output.rotate_at({4, 0, 1}));
    ASSERT_TRUE(output.open(path));
    ASSERT_TRUE(output.rotate_at({4, 0, 1}));
    ASSERT_TRUE(output.redirect(folder / "other"));
    record(output, "long enough\n");
    EXPECT_EQ(output.files(), 0u);
}

} // namespace
} // namespace dt
