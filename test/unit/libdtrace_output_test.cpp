// Tests output to a reader that does not read for a while: the text stays in memory, and arrives complete and in order
// later.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>

#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/output.hpp"

namespace dt {
namespace {

struct Pipe {
    Pipe() { EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0); }
    ~Pipe()
    {
        close(ends[0]);
        close_writer();
    }
    void close_writer()
    {
        if (ends[1] >= 0)
            close(ends[1]);
        ends[1] = -1;
    }
    std::string read_all()
    {
        std::string all;
        char part[65536];
        for (ssize_t got = 0; (got = read(ends[0], part, sizeof part)) > 0;)
            all.append(part, static_cast<std::size_t>(got));
        return all;
    }
    int ends[2] = {-1, -1};
};

std::string lines(std::size_t count)
{
    std::string all;
    for (std::size_t i = 0; i < count; ++i)
        all += "line " + std::to_string(i) + "\n";
    return all;
}

TEST(OutputStream, ABlockedReaderDoesNotBlockTheTracer)
{
    Pipe pipe;
    std::string written = lines(300'000);
    {
        Output output(pipe.ends[1]);
        output.write(written);
        output.drain(); // would block forever if writing waited for the reader
        EXPECT_TRUE(output.is_waiting());
        EXPECT_FALSE(output.is_full());
        output.write("last\n");
        std::thread reader([&] {
            const std::string read = pipe.read_all();
            EXPECT_TRUE(read == written + "last\n") << read.size();
        });
        EXPECT_TRUE(output.flush());
        EXPECT_FALSE(output.is_waiting());
        pipe.close_writer();
        reader.join();
    }
}

TEST(OutputStream, AStreamWithALargeBacklogReportsThatItIsFull)
{
    Pipe pipe;
    Output output(pipe.ends[1]);
    for (int i = 0; i < 20 && !output.is_full(); ++i) {
        output.write(std::string(1 << 20, 'x'));
        output.offer();
    }
    EXPECT_TRUE(output.is_full());
    close(pipe.ends[0]); // after the reader has closed the pipe, writes fail, and the text in memory is dropped
    pipe.ends[0] = -1;
    signal(SIGPIPE, SIG_IGN);
    output.offer();
    EXPECT_FALSE(output.is_waiting());
    EXPECT_FALSE(output.failure());
}

TEST(OutputStream, DataThatASlowReaderHasReadFreesSpace)
{
    Pipe pipe;
    std::size_t read = 0, written = 0;
    std::thread reader([&] {
        std::string part(65536, ' ');
        for (ssize_t got = 0; (got = ::read(pipe.ends[0], part.data(), part.size())) > 0; usleep(2000))
            read += static_cast<std::size_t>(got);
    });
    {
        Output output(pipe.ends[1]);
        for (std::size_t kept = 0; written < 48u << 20; written += 1 << 20) {
            output.write(std::string(1 << 20, 'x'));
            do
                output.offer();
            while (output.is_full());
            kept = std::max(kept, output.text().size());
            ASSERT_LT(kept, 34u << 20);
        }
        EXPECT_TRUE(output.flush());
    }
    pipe.close_writer();
    reader.join();
    EXPECT_EQ(read, written);
}

TEST(OutputStream, MessagesFollowTheBacklogOfTheirStream)
{
    Pipe pipe;
    const int before = dup(STDERR_FILENO);
    dup2(pipe.ends[1], STDERR_FILENO);
    const std::string written = lines(50'000);
    std::string read;
    {
        Output output(pipe.ends[1]);
        output.write(written);
        output::print_messages(output, "message\n"); // would block forever if writing waited for the reader
        std::thread reader([&] { read = pipe.read_all(); });
        EXPECT_TRUE(output.flush());
        dup2(before, STDERR_FILENO);
        pipe.close_writer();
        reader.join();
    }
    close(before);
    EXPECT_TRUE(read == written + "message\n") << read.size();
}

} // namespace
} // namespace dt
