// Keys of aggregations that fell silent leave (-x aggttl), and what they counted stays, under one key for all of them.
//
// A key cannot be taken out of a map that programs write: what is counted between reading and removing it would be
// lost. So all keys are in the map that can be replaced (aggregate_overflow.hpp). Each time that is replaced by an
// empty one nobody writes the old one any more; what it holds is added to a table here, with the time, and the map
// goes. A key that was in none of them for so long is folded into "gone". The kernel never has more keys than came
// between two turns, and sums are exact, whatever the function.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "libdtrace/consume/aggregate_store.hpp"
#include "libdtrace/consume/carried.hpp"

namespace dt::consume {

/// How many keys of an aggregation have room in so many bytes of the tracer's memory.
std::size_t most_kept_keys(const AggregationSchema& schema, uint64_t limit);

/// Times are ns by CLOCK_MONOTONIC.
class SilentKeys final : public AggregationStore {
public:
    /// `own` is where programs count; it must outlive this.
    explicit SilentKeys(KernelAggregations& own) : own_(own) {}

    /// Before `own` is opened. `ttl`: 0 is never, and nothing here changes anything. `limit`: bytes that the keys of
    /// one aggregation may have here; with more the longest silent leave before their time.
    void open(const std::vector<AggregationSchema>& schemas, uint64_t ttl, uint64_t limit);
    bool is_open() const { return ttl_ != 0; }

    /// A former run has left that. Only where forgets().
    void add(const AggregationSchema& schema, const AggregationValues& values, uint64_t now);

    /// To be called in each pass: takes what is due. `is_urgent`: the kernel's maps are about to be full.
    void pass(uint64_t now, bool is_urgent);
    /// When pass() has something to do; UINT64_MAX: never.
    uint64_t due() const;
    /// Keys that left before their time, for want of room.
    uint64_t left_early() const { return left_early_; }

    uint32_t cpus() const override { return own_.cpus(); }
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void settle() override { own_.settle(); }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept) override;
    void zero(const AggregationSchema& schema) override { own_.zero(schema); }
    bool forgets(const AggregationSchema& schema) const override { return is_open() && own_.may_be_taken(schema); }
    void empty(const AggregationSchema& schema) override;
    const std::vector<int64_t>* gone(const AggregationSchema& schema) const override;
    void forget_gone(const AggregationSchema& schema) override;

private:
    struct Key {
        std::vector<int64_t> words;
        uint64_t changed = 0; ///< seen in a map that was taken then
    };
    struct Table {
        std::unordered_map<std::string, Key> keys;
        std::vector<int64_t> gone; ///< empty: none has left
    };

    Result<void> take(const AggregationSchema& schema, uint64_t now);
    void fold(const AggregationSchema& schema, uint64_t now);
    void make_room(const AggregationSchema& schema);
    void leave(const AggregationSchema& schema, Table& table, const Key& key) const;

    KernelAggregations& own_;
    const std::vector<AggregationSchema>* schemas_ = nullptr;
    std::vector<Table> tables_; ///< by aggregation id
    uint64_t ttl_ = 0, limit_ = 0, last_ = 0, left_early_ = 0;
};

} // namespace dt::consume
