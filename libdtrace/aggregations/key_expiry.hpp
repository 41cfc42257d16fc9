// Expiry of inactive aggregation keys (-x aggttl). The values of expired keys are kept under one common key.
//
// A key cannot be removed safely from a map that BPF programs write: counts made between reading and removing would be
// lost. So all keys are kept in the overflow map, which can be replaced (aggregate_store.hpp). Once an empty map has
// replaced it, no program writes to the old one. Its values are then added to a table in this object, which records the
// time for each key. Then the old map is freed. A key that appears in no map for its time to live is merged into the
// key "gone". So the kernel contains only the keys since the last replacement, and results are exact for every
// aggregating function.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "libdtrace/aggregations/aggregate_store.hpp"
#include "libdtrace/aggregations/restored_aggregations.hpp"

namespace dt::consume {

/// Returns how many keys of an aggregation fit into `limit` bytes of the tracer's memory.
std::size_t max_key_count(const AggregationSchema& schema, uint64_t limit);

/// Aggregation store whose keys expire. Times are ns of CLOCK_MONOTONIC.
class ExpiringKeys final : public AggregationStore {
public:
    /// Creates the store on top of the store `own`. BPF programs write to `own`, which must outlive this object.
    explicit ExpiringKeys(KernelAggregations& own) : own_(own) {}

    /// Sets the time to live and the limit; must be called before `own` is opened. With a `ttl` of 0 keys never expire,
    /// and this store forwards all calls to `own`. `limit` is the memory for the keys of one aggregation in bytes. If
    /// the keys need more, those that were inactive longest expire early.
    void open(const std::vector<AggregationSchema>& schemas, uint64_t ttl, uint64_t limit);
    bool is_open() const { return ttl_ != 0; }

    /// Adds the values that a previous run of the script has saved. May only be called if expires_keys() is true.
    void add(const AggregationSchema& schema, const AggregationValues& values, uint64_t now);

    /// Moves the counts from the kernel's maps into this object's tables if this is due; must be called in each pass.
    /// `is_urgent`: the kernel's maps are nearly full.
    void pass(uint64_t now, bool is_urgent);
    /// Returns the time at which pass() must be called next, or UINT64_MAX if keys never expire.
    uint64_t due() const;
    /// Returns the number of keys that expired early because of the memory limit.
    uint64_t expired_early() const { return expired_early_; }

    uint32_t cpus() const override { return own_.cpus(); }
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void settle() override { own_.settle(); }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept) override;
    void zero(const AggregationSchema& schema) override { own_.zero(schema); }
    bool expires_keys(const AggregationSchema& schema) const override
    {
        return is_open() && own_.can_be_drained(schema);
    }
    void empty(const AggregationSchema& schema) override;
    const std::vector<int64_t>* expired(const AggregationSchema& schema) const override;
    void clear_expired(const AggregationSchema& schema) override;

private:
    struct Key {
        std::vector<int64_t> words;
        uint64_t changed = 0; ///< time of the last drain that found the key in a kernel map
    };
    struct Table {
        std::unordered_map<std::string, Key> keys;
        std::vector<int64_t> expired; ///< merged value of expired keys; empty if none has expired
    };

    Result<void> drain(const AggregationSchema& schema, uint64_t now);
    void fold(const AggregationSchema& schema, uint64_t now);
    void make_room(const AggregationSchema& schema);
    void leave(const AggregationSchema& schema, Table& table, const Key& key) const;

    KernelAggregations& own_;
    const std::vector<AggregationSchema>* schemas_ = nullptr;
    std::vector<Table> tables_; ///< tables of keys and values, by aggregation id
    uint64_t ttl_ = 0, limit_ = 0, last_ = 0, expired_early_ = 0;
};

} // namespace dt::consume
