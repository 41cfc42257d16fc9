// Merges an aggregation of several hosts, key by key and word by word.
//
// Hosts send the words that abi.h describes, such as sums of counts and squares, and bucket counts, instead of
// formatted values. So merging hosts is the same operation as merging CPUs, and the order of arrival does not matter.
// Keys have a meaning that all hosts share: an address, for example, is sent as text.
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
        uint32_t size = 0; ///< in bytes; 1, 2, 4 or 8 for integers
        bool operator==(const Part&) const = default;
    };
    std::string name;
    const AggFunction* function = nullptr;
    std::vector<int64_t> parameters;
    uint32_t words = 0;
    std::vector<Part> parts; ///< kinds and sizes of the parts of a key
    bool is_histogram = false;

    /// Reads the declaration after the id. Fails if no such aggregation can be printed.
    static Result<SentAggregation> read(output::SnapshotReader& reader);
    /// Returns why `other` cannot be merged with this aggregation; empty if it can.
    std::string misfit(const SentAggregation& other) const;
    /// Skips the parts of one key. Returns false if there is none.
    bool skip_key(output::SnapshotReader& reader) const;
};

class MergedTable {
public:
    explicit MergedTable(SentAggregation sent) : sent_(std::move(sent)) {}

    /// Merges one host's words into those of the key (as sent).
    void add(std::string_view key, std::span<const int64_t> words);
    void add_gone(std::span<const int64_t> words);
    void add(const MergedTable& other);
    /// Sets the divisor. The largest one of all hosts is used, so that a rate is not overstated if they differ.
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

/// Tables in the form that sinks need, for one output.
class PrintableTables {
public:
    explicit PrintableTables(std::span<const MergedTable* const> tables);
    ~PrintableTables();

    std::vector<const output::Aggregation*> tables() const;
    /// required as Environment::names, and for Symbols::know_texts(), during the output
    std::vector<std::string> names;

private:
    class Table;
    std::vector<std::unique_ptr<Table>> tables_;
};

} // namespace dt::consume
