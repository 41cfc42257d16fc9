// Tests the poller, which sets a flag when a file descriptor becomes readable.
#include <sys/eventfd.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "libdtrace/loop/event_loop.hpp"

namespace dt {
namespace {

constexpr std::chrono::milliseconds kWaitingNot{0}, kWaitingLong{10'000};

struct Bottle { // an eventfd, and the flag that the poller sets when the eventfd becomes readable
    Bottle() = default;
    ~Bottle() { close(descriptor); }
    Bottle(const Bottle&) = delete;
    void fill() const { ASSERT_EQ(eventfd_write(descriptor, 1), 0); }
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    bool ready = false;
};

TEST(Poller, TheFlagOfAReadableDescriptorIsSet)
{
    Poller waiting;
    Bottle one, other;
    waiting.add(one.descriptor, one.ready);
    waiting.add(other.descriptor, other.ready);
    EXPECT_FALSE(waiting.wait(kWaitingNot));
    other.fill();
    for (int time = 0; time < 2; ++time) {
        other.ready = false;
        EXPECT_TRUE(waiting.wait(kWaitingLong));
        EXPECT_TRUE(other.ready);
    }
    EXPECT_FALSE(one.ready);
}

TEST(Poller, OfTwoDescriptorsTheReadableOneIsReported)
{
    Poller waiting;
    Bottle bottle;
    bool also = false;
    waiting.add(bottle.descriptor, bottle.ready);
    // has no effect, because this pair of descriptor and flag was already added
    waiting.add(bottle.descriptor, bottle.ready);
    waiting.add(bottle.descriptor, also);
    waiting.remove(bottle.descriptor, bottle.ready);
    bottle.fill();
    EXPECT_TRUE(waiting.wait(kWaitingLong));
    EXPECT_FALSE(bottle.ready);
    EXPECT_TRUE(also);
    waiting.remove(bottle.descriptor, also);
    EXPECT_FALSE(waiting.wait(kWaitingNot));
}

TEST(Poller, DescriptorsCanBeAddedAndRemoved)
{
    Poller waiting;
    Bottle former, stays, fresh;
    bool ready = false;
    std::vector<int> known;
    waiting.change(known, {former.descriptor, stays.descriptor, -1}, ready);
    waiting.change(known, {stays.descriptor, fresh.descriptor}, ready);
    former.fill();
    EXPECT_FALSE(waiting.wait(kWaitingNot));
    fresh.fill();
    EXPECT_TRUE(waiting.wait(kWaitingLong));
    EXPECT_TRUE(ready);
    waiting.change(known, {}, ready);
    EXPECT_FALSE(waiting.wait(kWaitingNot));
}

} // namespace
} // namespace dt
