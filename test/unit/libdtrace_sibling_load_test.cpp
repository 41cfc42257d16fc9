// Tests the process that keeps a CPU's hyperthread sibling busy while costs are measured.
#include "libdtrace/estimate/hook_costs.hpp"

#include <array>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace {

// The child must not inherit the descriptor of a BPF link: the probe would stay attached while untraced calls are
// timed, and the measured costs would be a sixth too low.
TEST(SiblingLoad, TheLoadProcessKeepsNoOpenFileOfItsParent)
{
    std::array<int, 2> ends{-1, -1};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    const dt::SiblingLoad busy(sched_getcpu());
    close(ends[1]);
    pollfd closed{ends[0], POLLIN, 0};
    EXPECT_EQ(poll(&closed, 1, 0), 1);
    EXPECT_NE(closed.revents & POLLHUP, 0);
    close(ends[0]);
}

} // namespace
