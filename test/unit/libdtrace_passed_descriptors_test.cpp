// Tests passing file descriptors over a socket: more descriptors than one message can carry, and fewer than announced.
#include "base/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dt {
namespace {

struct PassedDescriptors : testing::Test {
    PassedDescriptors()
    {
        int pair[2] = {-1, -1};
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
        from = Descriptor(pair[0]);
        to = Descriptor(pair[1]);
    }
    Descriptor from, to;
};

ino_t file_of(int descriptor)
{
    struct stat status {};
    return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

TEST_F(PassedDescriptors, AnyNumberOfDescriptorsArrivesInOrder)
{
    constexpr std::size_t kPassed = 600;
    const Descriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC)), zero(open("/dev/zero", O_RDONLY | O_CLOEXEC));
    std::vector<int> sent(kPassed, null.get());
    sent.back() = zero.get();
    ASSERT_TRUE(send_descriptors(from.get(), sent));
    const std::vector<int> received = receive_descriptors(to.get(), kPassed);
    ASSERT_EQ(received.size(), kPassed);
    EXPECT_EQ(file_of(received.front()), file_of(null.get()));
    EXPECT_EQ(file_of(received.back()), file_of(zero.get()));
    EXPECT_EQ(fcntl(received.front(), F_GETFD), FD_CLOEXEC);
    for (const int each : received)
        close(each);
}

TEST_F(PassedDescriptors, FewerDescriptorsThanAnnouncedAreRefused)
{
    const Descriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
    const int next = dup(null.get());
    close(next);
    const int sent[] = {null.get(), null.get()};
    ASSERT_TRUE(send_descriptors(from.get(), sent));
    EXPECT_TRUE(receive_descriptors(to.get(), 3).empty());
    EXPECT_EQ(fcntl(next, F_GETFD), -1) << "left open";
}

TEST_F(PassedDescriptors, ReceivingDoesNotBlock)
{
    EXPECT_TRUE(receive_descriptors(to.get(), 1).empty());
    to = Descriptor();
    const int sent[] = {from.get()};
    EXPECT_FALSE(send_descriptors(from.get(), sent));
}

} // namespace
} // namespace dt
