// Tests the merging of results of many hosts. In any order and grouping, the merged values must equal the values of a
// single host with all data. The expected values are computed independently, from abi.h and dtrace-aggregations(7).
#include <cstdlib>
#include <random>

#include "libdtrace/fleet/fleet_merge.hpp"
#include "libdtrace_aggregate_support.hpp"

using namespace dt;
using consume::MergedTable;
using consume::SentAggregation;
using output::SnapshotMessage;
using output::SnapshotReader;
using output::SnapshotWriter;

namespace {

/// Returns the number of test rounds: DTRACE_LONG_TESTS if it is set, otherwise `usual`.
int rounds(int usual)
{
    const char* const many = std::getenv("DTRACE_LONG_TESTS");
    return many ? std::atoi(many) : usual;
}

SentAggregation sent(AggKind kind, std::vector<int64_t> parameters = {})
{
    SnapshotWriter writer;
    writer.text("a");
    writer.text(test::function(kind)->name);
    writer.number(parameters.size());
    for (const int64_t each : parameters)
        writer.integer(each);
    const auto shape = format::HistogramShape::make(kind, parameters);
    const bool draws = kind == AggKind::Quantize || kind == AggKind::Lquantize || kind == AggKind::Llquantize;
    writer.number(draws                     ? shape.value().size()
                  : kind == AggKind::Avg    ? DT_AVG_WORDS
                  : kind == AggKind::Stddev ? DT_STDDEV_WORDS
                                            : 1);
    writer.number(1);
    writer.number(static_cast<uint64_t>(output::SentKind::Signed));
    writer.number(8);
    SnapshotReader reader(writer.bytes());
    auto read = SentAggregation::read(reader);
    EXPECT_TRUE(read) << read.error().message;
    return read.value();
}

std::string key(int64_t value)
{
    SnapshotWriter writer;
    writer.integer(value);
    return writer.bytes();
}

/// Returns the stored words of an aggregation to which one value was added. A sum has more than one word.
std::vector<int64_t> words_of_one(const SentAggregation& of, int64_t value)
{
    std::vector<int64_t> words(of.words, 0);
    const auto bits = static_cast<uint64_t>(value);
    switch (of.function->kind) {
    case AggKind::Count:
        words[0] = 1;
        break;
    case AggKind::Sum:
        words[0] = value;
        break;
    case AggKind::Min:
        words[0] = static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) - bits);
        break;
    case AggKind::Max:
        words[0] = static_cast<int64_t>(bits - static_cast<uint64_t>(INT64_MIN));
        break;
    case AggKind::Avg:
    case AggKind::Stddev: {
        words[0] = 1;
        words[1] = value;
        if (of.function->kind == AggKind::Avg)
            break;
        const auto magnitude = static_cast<unsigned __int128>(value < 0 ? -bits : bits);
        const unsigned __int128 square = magnitude * magnitude;
        words[3] = static_cast<int64_t>(static_cast<uint64_t>(square));
        words[4] = static_cast<int64_t>(static_cast<uint64_t>(square >> 64));
        break;
    }
    default: {
        const auto shape = format::HistogramShape::make(of.function->kind, of.parameters);
        for (std::size_t i = 0; i < of.words; ++i) {
            const auto bounds = shape.value().bounds(i);
            if (!shape.value().is_ghost(i) && value >= bounds.low.value_or(INT64_MIN) &&
                value <= bounds.high.value_or(INT64_MAX))
                words[i] = 1;
        }
    }
    }
    return words;
}

bool same(const MergedTable& a, const MergedTable& b)
{
    return a.entries() == b.entries() && a.expired() == b.expired() && a.divisor() == b.divisor();
}

/// Returns a random 64-bit integer of any magnitude. The smallest and the largest integer also occur.
int64_t any_value(std::mt19937_64& random)
{
    constexpr int64_t kEnds[] = {0, 1, -1, INT64_MAX, INT64_MIN};
    const uint64_t bits = random();
    return bits % 16 < 5 ? kEnds[bits % 16] : static_cast<int64_t>(random()) >> (bits >> 58);
}

std::string line(uint64_t number, const std::function<void(SnapshotWriter&)>& write)
{
    SnapshotWriter writer;
    writer.number(number);
    write(writer);
    return output::snapshot_line(writer.bytes());
}

void head(SnapshotWriter& writer, uint64_t program = 7)
{
    writer.letter(SnapshotMessage::Head);
    writer.number(output::kSnapshotVersion);
    writer.text("own");
    writer.number(program);
    writer.integer(0);
    writer.number(1000);
}

/// Returns the output of a host with a count() aggregation whose value is `count`.
std::vector<std::string> counting_host(int64_t count, uint64_t program = 7)
{
    return {line(0, [&](SnapshotWriter& w) { head(w, program); }),
            line(1,
                 [&](SnapshotWriter& w) {
                     w.letter(SnapshotMessage::Aggregation);
                     w.number(0);
                     w.text("a");
                     w.text("count");
                     w.number(0);
                     w.number(1);
                     w.number(0);
                     w.letter(SnapshotMessage::Keys);
                     w.number(0);
                     w.number(1);
                     w.letter(SnapshotMessage::Values);
                     w.number(0);
                     w.number(1);
                     w.integer(0);
                     w.integer(count);
                     w.letter(SnapshotMessage::Print);
                     w.number(5);
                     w.number(2);
                     w.text("");
                     w.number(1);
                     w.number(0);
                 }),
            line(2, [](SnapshotWriter& w) { w.letter(SnapshotMessage::End); })};
}

struct Merging {
    Options options;
    Output shown{-1};
    consume::FleetMerge answers{{options, shown, true}};

    void add(const std::string& host, const std::vector<std::string>& lines)
    {
        for (const std::string& each : lines)
            EXPECT_TRUE(answers.add(0, host + ": " + each, 0));
    }
    std::string text()
    {
        answers.finish("timeout");
        return std::string(shown.text().view());
    }
};

} // namespace

TEST(FleetMergeTest, ResultsMergedInAnyGroupingEqualThoseOfOneHostWithAllData)
{
    const std::vector<SentAggregation> kinds = {sent(AggKind::Count),
                                                sent(AggKind::Sum),
                                                sent(AggKind::Min),
                                                sent(AggKind::Max),
                                                sent(AggKind::Avg),
                                                sent(AggKind::Stddev),
                                                sent(AggKind::Quantize),
                                                sent(AggKind::Lquantize, {-10, 100, 7}),
                                                sent(AggKind::Llquantize, {10, 0, 6, 20})};
    std::mt19937_64 random(27);
    for (int round = 0; round < rounds(3000); ++round) {
        const SentAggregation& of = kinds[static_cast<std::size_t>(round) % kinds.size()];
        MergedTable hosts[3] = {MergedTable(of), MergedTable(of), MergedTable(of)}, one(of);
        for (MergedTable& host : hosts) {
            for (uint64_t events = random() % 6; events > 0; --events) {
                const int64_t value = any_value(random);
                const std::string where = key(static_cast<int64_t>(random() % 3));
                host.add(where, words_of_one(of, value));
                one.add(where, words_of_one(of, value));
            }
            host.normalize(static_cast<int64_t>(random() % 3));
            one.normalize(host.divisor());
        }
        MergedTable left(of), right(of), inner(of), back(of);
        for (const MergedTable* host : {&hosts[0], &hosts[1], &hosts[2]})
            left.add(*host);
        inner.add(hosts[1]);
        inner.add(hosts[2]);
        right.add(hosts[0]);
        right.add(inner);
        for (const MergedTable* host : {&hosts[2], &hosts[1], &hosts[0]})
            back.add(*host);
        ASSERT_TRUE(same(left, right) && same(left, back) && same(left, one)) << of.function->name << " " << round;
    }
}

TEST(FleetMergeTest, WordsAndIntegersSurviveEncodingAndDecoding)
{
    std::mt19937_64 random(5);
    for (int round = 0; round < 2000; ++round) {
        const std::vector<int64_t> words = {any_value(random), 0, any_value(random), any_value(random)};
        for (const bool is_histogram : {false, true}) {
            SnapshotWriter writer;
            writer.words(words, is_histogram);
            const std::string line = "web1: " + output::snapshot_line(writer.bytes());
            const auto back = output::read_snapshot_line(line);
            ASSERT_TRUE(back && back->is_whole && back->carried == "web1");
            SnapshotReader reader(back->bytes);
            std::vector<int64_t> read(4);
            reader.words(read, is_histogram);
            ASSERT_TRUE(read == words && reader.good() && reader.at_end());
        }
    }
}

TEST(FleetMergeTest, TheResultNamesTheHostsThatAnswered)
{
    Merging m;
    for (const char* host : {"web1", "web2", "web3"})
        m.answers.expect(host);
    m.add("web1", counting_host(40));
    m.add("web3", counting_host(2));
    EXPECT_EQ(m.text(), "               42\n");
    EXPECT_EQ(m.answers.summary(false), "results of 2 of 3 hosts; missing web2 (timeout); lost nothing");
    EXPECT_FALSE(m.answers.is_complete());
}

TEST(FleetMergeTest, AHostThatDiedIsExcludedFromSums)
{
    Merging m;
    std::vector<std::string> lines = counting_host(100);
    lines.pop_back();
    m.add("web1", lines);
    m.add("web2", counting_host(1));
    EXPECT_EQ(m.text(), "                1\n");
    EXPECT_EQ(m.answers.summary(false), "results of 1 of 2 hosts; missing web1 (timeout); lost nothing");
}

TEST(FleetMergeTest, HostsThatRefusedAndHostsThatAreMissingAreNamedSeparately)
{
    Merging m;
    for (const char* host : {"web1", "web2", "web3"})
        m.answers.expect(host);
    m.answers.refuse("web3", "price 4.1 % exceeds the limit 1 %");
    m.answers.excuse("web3", "exited with exit code 1");
    EXPECT_FALSE(m.answers.are_all_here());
    m.add("web1", counting_host(40));
    m.answers.give_up("web2");
    EXPECT_TRUE(m.answers.are_all_here());
    EXPECT_EQ(m.text(), "               40\n");
    EXPECT_EQ(m.answers.summary(false),
              "results of 1 of 3 hosts; missing web2 (timeout); refused by web3 (price 4.1 % exceeds the limit "
              "1 %); lost nothing");
    EXPECT_FALSE(m.answers.is_complete());
}

/// The hosts booted at different times, and each host reports the maximum error of its clock.
TEST(FleetMergeTest, RecordsAreSortedByWallClockTimeAndTheClockErrorIsStated)
{
    Options options;
    options.put("quiet");
    Output shown{-1};
    consume::FleetMerge answers{{options, shown, false}};
    const auto host = [&](const char* name, int64_t booted, uint64_t error, std::vector<int64_t> times) {
        std::vector<std::string> lines = {line(0, [&](SnapshotWriter& w) {
            w.letter(SnapshotMessage::Head);
            w.number(output::kSnapshotVersion);
            w.text(name);
            w.number(7);
            w.integer(booted);
            w.number(error);
        })};
        for (const int64_t time : times)
            lines.push_back(line(lines.size(), [&](SnapshotWriter& w) {
                w.letter(SnapshotMessage::Record);
                w.number(static_cast<uint64_t>(time));
                w.number(0);
                w.text(std::to_string(booted + time) + "\n");
            }));
        lines.push_back(line(lines.size(), [](SnapshotWriter& w) { w.letter(SnapshotMessage::End); }));
        for (const std::string& each : lines)
            EXPECT_TRUE(answers.add(0, std::string(name) + ": " + each, 0));
    };
    host("web1", 1000, 1'000'000, {5, 100, 300});
    host("web2", 900, 2'000'000, {106, 201, 399});
    host("web3", -50, 500'000, {1056, 1250});
    answers.finish("timeout");
    EXPECT_EQ(std::string(shown.text().view()), "1005\n1006\n1006\n1100\n1101\n1200\n1299\n1300\n\n");
    EXPECT_EQ(answers.summary(false), "results of 3 of 3 hosts; lost nothing; clocks agree within 3.0 ms");
}

TEST(FleetMergeTest, ResultsOfAnotherProgramAreReportedAndNotSummed)
{
    Merging m;
    m.add("web1", counting_host(1));
    m.add("web2", counting_host(1, 8));
    EXPECT_EQ(m.text(), "                1\n");
    EXPECT_EQ(m.answers.summary(false),
              "results of 1 of 2 hosts; missing web2 (it ran a different program); lost nothing");
}

TEST(FleetMergeTest, AMissingOrDamagedLineEndsTheDataOfItsHost)
{
    Merging m;
    std::vector<std::string> lines = counting_host(1);
    lines.erase(lines.begin() + 1);
    m.add("web1", lines);
    lines = counting_host(1);
    lines[1].erase(lines[1].size() - 3, 2);
    m.add("web2", lines);
    EXPECT_FALSE(m.answers.add(0, "web3: sh: 1: dtrace: not found", 0));
    EXPECT_EQ(m.text(), "");
    EXPECT_EQ(m.answers.summary(false),
              "results of 0 of 2 hosts; missing web1 (lines are missing), web2 (a line was truncated); lost nothing");
}

TEST(FleetMergeTest, ArbitraryBytesDoNoHarm)
{
    std::mt19937_64 random(9);
    const std::vector<std::string> good = counting_host(300);
    for (int round = 0; round < rounds(2000); ++round) {
        Merging m;
        for (std::string each : good) {
            auto bytes = output::read_snapshot_line(each)->bytes;
            for (uint64_t changes = random() % 3; changes > 0; --changes)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            m.answers.add(0, output::snapshot_line(bytes), 0);
        }
        m.text();
    }
}
