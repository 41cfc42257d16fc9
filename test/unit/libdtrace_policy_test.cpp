// Tests host policies: the parsing of their lines, and the refusal of programs that exceed a limit.
#include <gtest/gtest.h>

#include "libdtrace/estimate/policy.hpp"

namespace dt {
namespace {

TEST(HostPolicies, ALineConsistsOfANameAndAValue)
{
    const auto read = read_policy("# ours\n\nprice 1.5%\n  memory\t64m # not more\nrecords 10k\ndestructive no");
    ASSERT_TRUE(read);
    EXPECT_EQ(read.value().price, 1.5);
    EXPECT_EQ(read.value().memory, 64u << 20);
    EXPECT_EQ(read.value().records, 10240);
    EXPECT_FALSE(read.value().destructive);
    const auto empty = read_policy("");
    ASSERT_TRUE(empty);
    EXPECT_FALSE(empty.value().wants_estimate());
    EXPECT_TRUE(empty.value().destructive);
}

TEST(HostPolicies, MalformedPoliciesAreRefused)
{
    for (const char* text : {"price 1", "price", "price -1%", "price 1% 2%", "memory much", "destructive", "cpu 1"}) {
        const auto read = read_policy(std::string("# first\n") + text);
        ASSERT_FALSE(read) << text;
        EXPECT_TRUE(read.error().message.starts_with("line 2 of the policy is not one of: price NUMBER%"))
            << read.error().message;
    }
}

TEST(HostPolicies, ARefusalStatesTheValueThatExceedsALimit)
{
    const Policy policy = read_policy("price 1%\nrecords 100\nmemory 1m\ndestructive no").value();
    EXPECT_EQ(refused_by(policy, false, 1 << 20), "");
    EXPECT_EQ(refused_by(policy, false, 3 << 19), "memory 1.5 MB exceeds the limit 1 MB");
    EXPECT_EQ(refused_by(policy, true, 0), "destructive actions");
    output::Estimate estimate;
    estimate.cpus = 4;
    estimate.all = estimate.counted = 1;
    // the counted firings take 4.4 % of one CPU, which is 1.1 % of four CPUs
    estimate.probes.push_back({.rate = 1e6, .program = 44});
    EXPECT_EQ(refused_by(policy, estimate), "price 1.1 % exceeds the limit 1 %");
    estimate.cpus = 8;
    EXPECT_EQ(refused_by(policy, estimate), "");
    estimate.samples = 60;
    EXPECT_EQ(refused_by(policy, estimate), "");
    estimate.all = 2; // only half of the probes were counted, so the estimate is twice the count
    estimate.cpus = 16;
    EXPECT_EQ(refused_by(policy, estimate), "records 120 a second exceeds the limit 100");
}

} // namespace
} // namespace dt
