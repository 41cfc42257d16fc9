// Tests the bytes of journal entries, and sending them to a socket that accepts them, is full, or has been closed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "libdtrace/output/output.hpp"
#include "libdtrace/sinks/journal_sink.hpp"

namespace dt {
namespace {

/// A socket in place of the system's journal. The tests read the entries from it.
struct JournalConnection : testing::Test {
    JournalConnection()
    {
        char pattern[] = "/tmp/dtrace_journal_XXXXXX";
        folder = mkdtemp(pattern);
        path = folder / "socket";
    }
    ~JournalConnection() override
    {
        leave();
        std::filesystem::remove_all(folder);
    }
    void listen()
    {
        descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        // timeout of a read; if an entry is missing, the test fails instead of blocking forever
        constexpr timeval kLong{60, 0};
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &kLong, sizeof kLong);
        sockaddr_un address{AF_UNIX, {}};
        path.string().copy(address.sun_path, sizeof address.sun_path - 1);
        ASSERT_EQ(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
    void leave()
    {
        if (descriptor >= 0)
            close(std::exchange(descriptor, -1));
        std::filesystem::remove(path);
    }
    std::string next(int flags = MSG_DONTWAIT) const
    {
        char entry[1024];
        const ssize_t size = recv(descriptor, entry, sizeof entry, flags);
        return size < 0 ? "(none)" : std::string(entry, static_cast<std::size_t>(size));
    }

    std::filesystem::path folder, path;
    int descriptor = -1;
};

TEST(JournalEntry, ASimpleValueFollowsItsNameOnTheSameLine)
{
    output::JournalEntry entry;
    entry.add("MESSAGE", "a = b");
    entry.add("DTRACE_CPU", -1);
    entry.add("EMPTY", "");
    EXPECT_EQ(entry.view(), "MESSAGE=a = b\nDTRACE_CPU=-1\nEMPTY=\n");
}

TEST(JournalEntry, AValueWithNewlinesIsPrecededByItsLength)
{
    output::JournalEntry entry;
    entry.add("MESSAGE", std::string(300, 'x') + "\n");
    EXPECT_EQ(entry.view(), "MESSAGE\n" + std::string("\x2d\x01\0\0\0\0\0\0", 8) + std::string(300, 'x') + "\n" + "\n");
}

TEST(JournalEntry, FieldNamesAreUpperCase)
{
    EXPECT_EQ(output::journal_field("aggregation_memory"), "DTRACE_AGGREGATION_MEMORY");
}

TEST_F(JournalConnection, EachEntryIsSentAsADatagram)
{
    listen();
    Output output;
    ASSERT_TRUE(output.connect(path));
    output.write_entry("A=1\n");
    output.write("what is no entry\n");
    output.write_entry("A=2\n");
    EXPECT_TRUE(output.flush());
    EXPECT_EQ(next(), "A=1\n");
    EXPECT_EQ(next(), "A=2\n");
    EXPECT_EQ(next(), "(none)");
}

TEST_F(JournalConnection, EntriesAreStoredWhileTheSocketIsFull)
{
    listen();
    Output output;
    ASSERT_TRUE(output.connect(path));
    constexpr int kEntries = 3000; // more entries than fit into the buffer of the socket
    for (int i = 0; i < kEntries; ++i)
        output.write_entry(std::to_string(i));
    output.offer();
    EXPECT_TRUE(output.is_waiting());
    std::thread reader([&] {
        for (int i = 0; i < kEntries; ++i)
            ASSERT_EQ(next(0), std::to_string(i));
    });
    EXPECT_TRUE(output.flush());
    reader.join();
    EXPECT_EQ(output.refused().entries, 0u);
}

TEST_F(JournalConnection, EntriesThatWereNotDeliveredAreCounted)
{
    listen();
    Output output;
    ASSERT_TRUE(output.connect(path));
    leave();
    output.write_entry("A=1\n");
    output.write_entry("A=2\n");
    EXPECT_TRUE(output.flush());
    EXPECT_EQ(output.refused().entries, 2u);
    EXPECT_EQ(output.refused().reason, "No such file or directory");
    listen();
    output.write_entry("A=3\n");
    EXPECT_TRUE(output.flush());
    EXPECT_EQ(next(), "A=3\n");
    EXPECT_EQ(output.refused().entries, 2u);
}

TEST_F(JournalConnection, IsNotTreatedAsAFile)
{
    Output output;
    EXPECT_FALSE(output.connect(path));
    listen();
    ASSERT_TRUE(output.connect(path));
    EXPECT_FALSE(output.redirect(folder / "file"));
    EXPECT_FALSE(output.rotate_at({1, 0, 1}));
}

} // namespace
} // namespace dt
