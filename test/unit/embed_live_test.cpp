// Tests programs that a tracer loads into a running process with the engine library. They run within limits, and
// malicious programs do no harm.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/embed/live_program.hpp"
#include "engine/embed/live_socket.hpp"
#include "test/unit/embed_support.hpp"

namespace dt::test {
namespace {

using embed::LiveLimits;
using embed::LiveProgram;
using embed::wire::Ask;
using testing::HasSubstr;

const std::vector<std::string> kSites = {"app4444:shop:serve:request", "app4444:shop::answer"};

std::unique_ptr<LiveProgram> live(const std::string& text, const LiveLimits& limits = {})
{
    auto program = LiveProgram::load(saved(text), -1, kSites, limits);
    if (!program)
        ADD_FAILURE() << program.error().message;
    return program ? std::move(*program) : nullptr;
}

embed::wire::Channel head_of(const LiveProgram& program)
{
    embed::wire::Channel head{};
    EXPECT_EQ(pread(program.channel().descriptor(), &head, sizeof head, 0), static_cast<ssize_t>(sizeof head));
    return head;
}

TEST(LiveProgram, RunsAtItsProbeSites)
{
    const auto program = live("app4444:::request /arg0 > 1/ { @a[arg0] = count(); trace(args[0]); }");
    ASSERT_TRUE(program);
    EXPECT_TRUE(program->is_at(0));
    EXPECT_FALSE(program->is_at(1));
    for (const uint64_t number : {1, 2, 3, 3})
        program->fire(0, std::array{number});
    program->fire(1, {});
    EXPECT_EQ(program->stopped(), "");
    const embed::wire::Channel head = head_of(*program);
    EXPECT_EQ(head.fired, 4u);
    EXPECT_EQ(head.written, 3 * (sizeof(dt_sample) + 8 + sizeof(uint64_t)));
}

TEST(LiveProgram, RecordsThatTheTracerDoesNotReadInTimeCountAsLost)
{
    const auto program = live("app4444:::request { trace(arg0); }");
    ASSERT_TRUE(program);
    constexpr uint64_t kSample = sizeof(dt_sample) + 8 + sizeof(uint64_t), kRoom = embed::wire::kChannelData / kSample;
    for (uint64_t i = 0; i < kRoom + 10; ++i)
        program->fire(0, std::array{i});
    EXPECT_EQ(head_of(*program).losses.principal, 10u);
    EXPECT_EQ(head_of(*program).written, kRoom * kSample);
}

TEST(LiveProgram, AProgramThatExceedsTheInstructionLimitIsStopped)
{
    const auto program = live("app4444:::request { @[arg0] = quantize(arg1); }", {.instructions = 10});
    ASSERT_TRUE(program);
    program->fire(0, {});
    EXPECT_NE(program->stopped(), "");
    program->fire(0, {});
    EXPECT_EQ(head_of(*program).fired, 1u);
    EXPECT_EQ(head_of(*program).stopped, 1u);
}

TEST(LiveProgram, BeyondTheMemoryLimitNoMoreElementsAreAdded)
{
    const auto program = live("app4444:::request { @[arg0] = quantize(arg1); }", {.memory = 4 << 20});
    ASSERT_TRUE(program);
    for (uint64_t i = 0; i < 20'000; ++i) // each of the 20,000 keys takes a kilobyte
        program->fire(0, std::array{i});
    EXPECT_EQ(program->stopped(), "");
    const dt_losses losses = head_of(*program).losses;
    EXPECT_GT(losses.no_memory + losses.aggregation, 15'000u);
    EXPECT_LT(losses.no_memory + losses.aggregation, 20'000u);
    EXPECT_THAT(
        LiveProgram::load(saved("app4444:::request { trace(arg0); }"), -1, kSites, {.memory = 10}).error().message,
        HasSubstr("the program allows 10"));
}

TEST(LiveProgram, MemoryOfGlobalVariablesMustBeSealedAgainstShrinking)
{
    const int memory = memfd_create("state", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSERT_EQ(ftruncate(memory, 1 << 16), 0);
    const auto bytes = saved("app4444:::request { trace(arg0); }");
    EXPECT_THAT(LiveProgram::load(bytes, memory, kSites, {}).error().message, HasSubstr("nor sealed memory"));
    ASSERT_EQ(fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    EXPECT_TRUE(LiveProgram::load(bytes, memory, kSites, {}));
    close(memory);
}

TEST(LiveProgram, TakesOverAtomicallyFromTheReplacedTrace)
{
    OptionSet options;
    options.allow_successor();
    const int memory = memfd_create("state", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSERT_EQ(ftruncate(memory, 1 << 16), 0);
    ASSERT_EQ(fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    auto program = LiveProgram::load(saved("app4444:::request { trace(arg0); }", {}, options), memory, kSites, {});
    ASSERT_TRUE(program) << program.error().message;
    dt_state state{};
    state.activity = DT_HANDOVER;
    state.epoch = 2;
    ASSERT_EQ(pwrite(memory, &state, sizeof state, 0), static_cast<ssize_t>(sizeof state));
    const auto records = [&] {
        const uint64_t before = head_of(**program).written;
        program.value()->fire(0, std::array{uint64_t{1}});
        return head_of(**program).written != before;
    };
    EXPECT_FALSE(records());
    program.value()->set_active_epoch(program.value()->epoch());
    EXPECT_TRUE(records());
    program.value()->set_active_epoch(3);
    EXPECT_FALSE(records());
    close(memory);
}

TEST(LiveProgram, AMaliciousObjectDoesNoHarm)
{
    const auto whole =
        saved("int64_t n; self int s; app4444:::request /arg0 > 1/ { @a[arg0] = quantize(arg1); n += arg0; "
              "self->s = arg1; trace(self->s); printf(\"%d %s\", arg1, copyinstr(arg0)); } "
              "app4444:::answer { @b = max(arg0); }");
    ASSERT_FALSE(whole.empty());
    std::mt19937 random(29);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
    int ran = 0;
    for (int i = 0; i < 1000; ++i) {
        std::vector<uint8_t> lying = whole;
        for (std::size_t changes = 1 + below(8); changes > 0; --changes)
            lying[below(lying.size())] = static_cast<uint8_t>(random());
        if (i % 10 == 0)
            lying.resize(below(lying.size()));
        const auto program = LiveProgram::load(lying, -1, kSites, {.memory = 8 << 20, .instructions = 20'000});
        if (!program)
            continue;
        ++ran;
        for (uint64_t number = 0; number < 4; ++number)
            for (const std::size_t site : {0, 1})
                program.value()->fire(site, std::array{number, number << 40, number * 3});
        for (const char* map : {"buffers", "losses", "a", "agg_0"})
            (void)program.value()->read(map);
        program.value()->leave();
    }
    EXPECT_GT(ran, 100);
}

/// Sends requests to the socket of this process, as a tracer does.
class LiveSocket : public testing::Test {
protected:
    void SetUp() override
    {
        listener = dt_engine_listen("app", sites, 1, nullptr);
        ASSERT_TRUE(listener) << dt_engine_error();
    }
    void TearDown() override { dt_engine_unlisten(listener); }

    static int connected()
    {
        const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const auto [address, size] = embed::live_address(getpid());
        EXPECT_EQ(connect(connection, reinterpret_cast<const sockaddr*>(&address), size), 0);
        return connection;
    }
    static std::string told(int connection, Ask ask, std::span<const uint8_t> payload)
    {
        embed::send_request(connection, ask, payload, -1);
        const auto answer = embed::receive_answer(connection);
        return answer ? (answer->failed ? "failed: " : "") + std::string(answer->payload.begin(), answer->payload.end())
                      : "gone";
    }

    dt_site request{"serve", "request", "int", 0, 0, nullptr};
    dt_site* const sites[1] = {&request};
    dt_listener* listener = nullptr;
};

TEST_F(LiveSocket, ReportsItsProbeSites)
{
    const int connection = connected();
    EXPECT_THAT(told(connection, Ask::Sites, {}),
                HasSubstr(R"("sites":[{"function":"serve","name":"request","types":"int"}])"));
    close(connection);
}

TEST_F(LiveSocket, AnswersInvalidRequestsWithAnError)
{
    const int connection = connected();
    const uint8_t bytes[] = {1, 2, 3};
    EXPECT_THAT(told(connection, Ask::Load, bytes), HasSubstr("failed: "));
    EXPECT_THAT(told(connection, Ask::Read, bytes), HasSubstr("failed: no object is loaded"));
    EXPECT_THAT(told(connection, static_cast<Ask>(99), bytes), HasSubstr("failed: "));
    EXPECT_EQ(told(connection, Ask::Unload, {}), "");
    const embed::wire::Request endless{Ask::Load, UINT32_MAX};
    EXPECT_EQ(send(connection, &endless, sizeof endless, 0), static_cast<ssize_t>(sizeof endless));
    EXPECT_FALSE(embed::receive_answer(connection));
    close(connection);
    EXPECT_EQ(request.tracers, 0u);
}

TEST_F(LiveSocket, LimitsTheNumberOfTracers)
{
    std::vector<int> all;
    for (int i = 0; i < 8; ++i) {
        all.push_back(connected());
        EXPECT_THAT(told(all.back(), Ask::Sites, {}), HasSubstr("request"));
    }
    all.push_back(connected());
    EXPECT_THAT(told(all.back(), Ask::Sites, {}), HasSubstr("8 tracers are connected already"));
    for (const int connection : all)
        close(connection);
}

} // namespace
} // namespace dt::test
