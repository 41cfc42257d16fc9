// Aggregations of several hosts as one: tuple by tuple, word by word.
//
// What a host sends is no picture but the words that abi.h describes: sums of counts and squares, buckets by their
// places. So putting hosts together is what putting CPUs together is, and the order in which they come does not matter.
// A key is told by what it means, never by a host's own numbers: addresses come as texts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libdtrace/output/aggregation.hpp"
#include "libdtrace/output/snapshot_lines.hpp"

namespace dt::consume {

/// An aggregation as a host declares it.
struct SentAggregation {
    struct Part {
        output::SentKind kind{};
        uint32_t size = 0; ///< bytes: of integers 1, 2, 4 or 8
        bool operator==(const Part&) const = default;
    };
    std::string name;
    const AggFunction* function = nullptr;
    std::vector<int64_t> parameters;
    uint32_t words = 0;
    std::vector<Part> parts; ///< of a key
    bool is_histogram = false;

    /// Reads what stands behind the id. Fails when no such aggregation can be printed.
    static Result<SentAggregation> read(output::SnapshotReader& reader);
    /// Why `other` cannot be put together with this; empty: it can.
    std::string misfit(const SentAggregation& other) const;
    /// Skips the parts of one key. False: there is none.
    bool skip_key(output::SnapshotReader& reader) const;
};

class MergedTable {
public:
    explicit MergedTable(SentAggregation sent) : sent_(std::move(sent)) {}

    /// One host's words of a key (as sent) go to that key's.
    void add(std::string_view key, std::span<const int64_t> words);
    void add_gone(std::span<const int64_t> words);
    void add(const MergedTable& other);
    /// That of the host with the largest counts: where they are not the same, a rate is not told too high.
    void normalize(int64_t divisor) { divisor_ = std::max(divisor_, divisor); }

    const SentAggregation& sent() const { return sent_; }
    using Entries = std::unordered_map<std::string, std::vector<int64_t>>;
    const Entries& entries() const { return entries_; }
    const std::vector<int64_t>& gone() const { return gone_; }
    int64_t divisor() const { return divisor_; }

private:
    SentAggregation sent_;
    Entries entries_;
    std::vector<int64_t> gone_;
    int64_t divisor_ = 1;
};

/// Tables as sinks take them, for one printing.
class PrintableTables {
public:
    explicit PrintableTables(std::span<const MergedTable* const> tables);
    ~PrintableTables();

    std::vector<const output::Aggregation*> tables() const;
    /// What Environment::names must be, and what Symbols::know_texts() is to be told, meanwhile.
    std::vector<std::string> names;

private:
    class Table;
    std::vector<std::unique_ptr<Table>> tables_;
};

} // namespace dt::consume
