// Tests the parts of the language server (--lsp): messages, positions, and answers about a script, with fixed kernel
// data (a frozen kernel).
#include "cmd/lsp/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

namespace dt::lsp {
namespace {

/// Returns the first message of a channel that delivers these bytes and then ends.
Channel::Incoming first_of(const std::string& bytes)
{
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    EXPECT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    close(ends[1]);
    Channel::Incoming incoming = Channel(ends[0], STDERR_FILENO).read();
    close(ends[0]);
    return incoming;
}

TEST(LspChannel, BodyLengthComesFromTheHeader)
{
    const Channel::Incoming incoming = first_of("Content-Type: x\r\ncontent-length: 2\r\n\r\n{}{}");
    EXPECT_EQ(incoming.kind, Channel::Kind::Message);
    EXPECT_EQ(incoming.text, "{}");
}

TEST(LspChannel, ATruncatedMessageCountsAsTheEndOfTheInput)
{
    for (const char* const cut : {"", "Content-Length: 2", "Content-Length: 2\r\n\r\n{"})
        EXPECT_EQ(first_of(cut).kind, Channel::Kind::End) << cut;
}

TEST(LspChannel, AWrongHeaderIsRefused)
{
    for (const std::string& head :
         {std::string("Content-Length: -1\r\n\r\n"), std::string("Content-Length: 16777217\r\n\r\n"),
          std::string("Content-Length: 2x\r\n\r\n{}"), std::string("X: 2\r\n\r\n{}"), std::string(5000, 'x')})
        EXPECT_EQ(first_of(head).kind, Channel::Kind::Malformed) << head;
}

TEST(LspPositions, ColumnsAreCountedInUtf16Units)
{
    const std::string_view text = "a\xc3\xa9\xf0\x9d\x84\x9ez\nb";
    EXPECT_EQ(position_of(text, 7), (Position{0, 4})) << "behind a letter of one unit, one of one and one of two";
    EXPECT_EQ(position_of(text, 9), (Position{1, 0}));
    for (const std::size_t offset : {0u, 1u, 3u, 7u, 8u, 9u, 10u})
        EXPECT_EQ(offset_of(text, position_of(text, offset)), offset);
}

TEST(LspPositions, PositionsOutsideTheTextBecomeTheNearestPositionInside)
{
    EXPECT_EQ(offset_of("ab\ncd", {0, 99}), 2u);
    EXPECT_EQ(offset_of("ab\ncd", {7, 0}), 5u);
    EXPECT_EQ(position_of("ab\ncd", 99), (Position{1, 2}));
}

} // namespace
} // namespace dt::lsp
