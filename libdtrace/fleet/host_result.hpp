// The data that one host has sent so far: its current aggregations, and the state of its answer. Class MergedTable adds
// up the aggregations of all hosts.
//
// The bytes come from another machine and are not trusted. If a value is out of range or a line is missing, the host's
// answer is ended, and the reason is reported.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libdtrace/fleet/snapshot_sink.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/results/drop_report.hpp"

// Merges an aggregation of several hosts, key by key and word by word.
//
// Hosts send the words that abi.h describes, such as sums of counts and squares, and bucket counts, instead of
// formatted values. So merging hosts is the same operation as merging CPUs, and the order of arrival does not matter.
// Hosts send keys in a form that has the same meaning on every host: for example, an address is sent as text.

namespace dt::consume {

/// Declaration of an aggregation, as a host sends it.
struct SentAggregation {
    struct Part {
        output::SentKind kind{};
        uint32_t size = 0; ///< size of the key part in bytes; 1, 2, 4 or 8 if the part is an integer
        bool operator==(const Part&) const = default;
    };
    std::string name;
    const AggFunction* function = nullptr;
    std::vector<int64_t> parameters;
    uint32_t words = 0;
    std::vector<Part> parts; ///< kind and size of each part of the aggregation's key
    bool is_sparse = false;  ///< whether messages contain only the words that are not 0

    /// Reads a declaration; the caller has already read its id. Fails if this version of dtrace cannot print such an
    /// aggregation.
    static Result<SentAggregation> read(output::SnapshotReader& reader);
    /// Returns the reason why `other` cannot be merged with this aggregation, or an empty text if it can be merged.
    std::string misfit(const SentAggregation& other) const;
    /// Skips one key in the bytes of a message. Returns false if the bytes contain no key.
    bool skip_key(output::SnapshotReader& reader) const;
};

class MergedTable {
public:
    explicit MergedTable(SentAggregation sent) : sent_(std::move(sent)) {}

    /// Merges words of one host into the words of a key. `key` contains the bytes that hosts send for the key.
    void add(std::string_view key, std::span<const int64_t> words);
    void add_expired(std::span<const int64_t> words);
    void add(const MergedTable& other);
    /// Sets the divisor of normalize(). If hosts differ, the largest divisor is used, so that a rate is not overstated.
    void normalize(int64_t divisor) { divisor_ = std::max(divisor_, divisor); }

    const SentAggregation& sent() const { return sent_; }
    using Entries = std::unordered_map<std::string, std::vector<int64_t>>;
    const Entries& entries() const { return entries_; }
    const std::vector<int64_t>& expired() const { return expired_; }
    int64_t divisor() const { return divisor_; }

private:
    SentAggregation sent_;
    Entries entries_;
    std::vector<int64_t> expired_;
    int64_t divisor_ = 1;
};

/// Converts merged tables to the form that sinks read, for one output.
class PrintableTables {
public:
    explicit PrintableTables(std::span<const MergedTable* const> tables);
    ~PrintableTables();

    std::vector<const output::Aggregation*> tables() const;
    /// Texts to which keys refer by index. During the output, they must be Environment::names, and must have been
    /// passed to Symbols::know_texts().
    std::vector<std::string> names;

private:
    class Table;
    std::vector<std::unique_ptr<Table>> tables_;
};

/// Keys of all hosts. Each key is stored once, even if many hosts have sent it.
class KeyTexts {
public:
    uint32_t number_of(std::string_view key)
    {
        const auto [found, is_new] = numbers_.try_emplace(std::string(key), static_cast<uint32_t>(keys_.size()));
        if (is_new)
            keys_.push_back(&found->first);
        return found->second;
    }
    const std::string& key(uint32_t number) const { return *keys_[number]; }

private:
    std::unordered_map<std::string, uint32_t> numbers_;
    std::vector<const std::string*> keys_;
};

class HostResult {
public:
    enum class State : uint8_t { Begun, Complete, Refused, Broken };

    struct ReceivedAggregation {
        SentAggregation sent;
        /// index in KeyTexts of each key that this host has sent; the host's number of a key is its position in this
        /// list
        std::vector<uint32_t> keys;
        /// Words of the value of each key, by the host's number of the key. Empty if the key has no value or was
        /// removed.
        std::vector<std::string> values;
        std::string expired;
        int64_t divisor = 1;
        bool is_printed = false; ///< whether a printa() action has already printed the aggregation
    };
    struct Loss {
        output::LossKind kind{};
        uint64_t count = 0;
        std::string one, several, text;
    };
    /// Describes an output of the host's run: a printa(), or an aggregation printed at the end.
    struct Print {
        int64_t time = 0; ///< time of the output in ns since 1970, by the host's clock
        output::SnapshotPrint how{};
        std::string format;
        std::vector<uint32_t> ids;
    };
    struct Handlers {
        /// Callback that receives records; `time` is in ns since 1970 by the host's clock.
        std::function<void(int64_t time, std::string_view text)> record;
        std::function<void(const Print&)> print;
        std::function<void(std::string_view text)> heading;
        /// receives the name and the integer value of an option; the value 0 means that the option is not set
        std::function<void(std::string_view name, uint64_t value)> option;
    };

    HostResult(std::string name, KeyTexts& keys, uint64_t most_keys)
        : given_name_(std::move(name)), keys_(keys), max_keys_(most_keys)
    {
    }

    /// Decodes the bytes of one line, and calls the handlers.
    void read(std::string_view bytes, const Handlers& handlers);
    /// Ends the host's answer; later lines are ignored.
    void end(State state, std::string reason)
    {
        state_ = state;
        reason_ = std::move(reason);
    }

    /// Returns the host's name: the name that the remote shell has written before the line if there is one, otherwise
    /// the name that the host sent.
    const std::string& host() const { return given_name_.empty() ? own_name_ : given_name_; }
    State state() const { return state_; }
    const std::string& reason() const { return reason_; }
    bool has_head() const { return has_head_; }
    uint64_t program() const { return program_; }
    /// Returns the maximum error of the host's clock in ns, or 0 if unknown.
    uint64_t clock_error() const { return clock_error_; }
    /// Returns the time of the last message in ns since 1970, by the host's own clock.
    int64_t last_time() const { return last_time_; }
    uint64_t arrived() const { return arrived_; }
    const std::map<std::string, Loss>& losses() const { return losses_; }
    const std::map<uint32_t, ReceivedAggregation>& aggregations() const { return aggregations_; }
    std::map<uint32_t, ReceivedAggregation>& aggregations() { return aggregations_; }

    /// Adds the current values of an aggregation to `table`, with the bytes `prefix` before each key.
    void add_to(MergedTable& table, const ReceivedAggregation& received, std::string_view prefix) const;

private:
    void read_message(output::SnapshotMessage letter, output::SnapshotReader& reader, const Handlers& handlers);
    void read_head(output::SnapshotReader& reader);
    void read_keys(ReceivedAggregation& received, output::SnapshotReader& reader);
    void read_values(ReceivedAggregation& received, output::SnapshotReader& reader);
    void read_removed(ReceivedAggregation& received, output::SnapshotReader& reader);
    void read_print(output::SnapshotReader& reader, const Handlers& handlers);
    void read_loss(output::SnapshotReader& reader);
    ReceivedAggregation* find(output::SnapshotReader& reader);
    int64_t wall(uint64_t monotonic) { return last_time_ = static_cast<int64_t>(monotonic + clock_offset_); }

    std::string given_name_, own_name_;
    KeyTexts& keys_;
    const uint64_t max_keys_;
    uint64_t next_line_ = 0, program_ = 0, clock_offset_ = 0, clock_error_ = 0, arrived_ = 0, key_count_ = 0;
    int64_t last_time_ = 0;
    bool has_head_ = false;
    State state_ = State::Begun;
    std::string reason_;
    std::map<uint32_t, ReceivedAggregation> aggregations_;
    std::map<std::string, Loss> losses_;
};

} // namespace dt::consume
