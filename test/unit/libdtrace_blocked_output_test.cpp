// Tests output streams whose reader does not read for a while. The tests use a named pipe, whose reader can open and
// close it at any time.
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "libdtrace/output/output.hpp"

namespace dt {
namespace {

namespace fs = std::filesystem;

struct BlockedOutput : testing::Test {
    BlockedOutput()
    {
        char pattern[] = "/tmp/dtrace_stuck_XXXXXX";
        folder = mkdtemp(pattern);
        path = folder / "pipe";
        signal(SIGPIPE, SIG_IGN);
        EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
        listen();
        EXPECT_TRUE(output.open(path));
        output.enable_retry();
    }
    ~BlockedOutput() override
    {
        leave();
        fs::remove_all(folder);
    }

    void listen() { reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK); }
    void leave() { ::close(std::exchange(reader, -1)); }
    void record(const std::string& text)
    {
        output.write(text);
        output.drain();
        output.offer();
    }
    std::string heard() const
    {
        std::string all(1 << 16, '\0');
        const ssize_t size = ::read(reader, all.data(), all.size());
        return all.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0);
    }

    fs::path folder, path;
    int reader = -1;
    Output output;
};

TEST_F(BlockedOutput, OutputThatNobodyReadsIsStored)
{
    record("one\n");
    EXPECT_EQ(output.blocked(), 0);
    EXPECT_EQ(heard(), "one\n");
    leave();
    record("two\n");
    EXPECT_EQ(output.blocked(), EPIPE);
    record("three\n");
    EXPECT_TRUE(output.failure());
    listen();
    while (output.blocked() != 0)
        output.offer();
    EXPECT_EQ(heard(), "two\nthree\n");
    EXPECT_EQ(output.settle(), 0);
    EXPECT_EQ(output.unwritten().records, 0u);
}

TEST_F(BlockedOutput, TheNewestRecordsAreDroppedAsAWhole)
{
    const std::string megabyte = std::string((1 << 20) - 1, 'x') + "\n";
    leave();
    for (int i = 0; i < 20; ++i)
        record(megabyte);
    EXPECT_EQ(output.unwritten().records, 4u);
    EXPECT_EQ(output.unwritten().bytes, 4u << 20);
    EXPECT_FALSE(output.is_full()); // false while the stream is blocked: records are dropped, and the trace continues
    EXPECT_EQ(output.settle(), EPIPE);
    EXPECT_EQ(output.unwritten().records, 20u);
    EXPECT_EQ(output.unwritten().bytes, 20u << 20);
}

TEST_F(BlockedOutput, AnIncompleteRecordIsNotWritten)
{
    leave();
    record("one\n");
    output.write("tw");
    EXPECT_EQ(output.settle(), EPIPE);
    EXPECT_EQ(output.unwritten().records, 2u);
    EXPECT_EQ(output.unwritten().bytes, 6u);
    EXPECT_EQ(output.settle(), 0); // no error is reported, because the unwritten data was already dropped
}

TEST_F(BlockedOutput, ABlockedFileDoesNotBlockAnotherFile)
{
    leave();
    record("one\n");
    ASSERT_TRUE(output.redirect(folder / "other"));
    EXPECT_EQ(output.blocked(), 0);
    EXPECT_EQ(output.unwritten().records, 1u);
    output.write("two\n");
    EXPECT_TRUE(output.flush());
    EXPECT_EQ(fs::file_size(folder / "other"), 4u);
}

TEST_F(BlockedOutput, ReopeningKeepsTheOutputThatWasNotWrittenYet)
{
    leave();
    record("one\n");
    fs::remove(path);
    ASSERT_TRUE(output.reopen());
    record("two\n");
    EXPECT_EQ(output.blocked(), 0);
    EXPECT_EQ(output.unwritten().records, 0u);
    EXPECT_EQ(fs::file_size(path), 8u);
}

TEST(OutputStream, WritingToAnUnnamedPipeIsNotRetried)
{
    signal(SIGPIPE, SIG_IGN);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    Output output(ends[1]);
    output.enable_retry();
    output.write("text");
    const Result<void> flushed = output.flush();
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error().code, EPIPE);
    close(ends[1]);
}

} // namespace
} // namespace dt
