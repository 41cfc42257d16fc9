// Aggregations restored from a previous run.
//
// The values of the previous run are presented as the values of one more CPU. So the code that combines, clears and
// truncates the values of this run handles them too.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "libdtrace/aggregations/aggregate.hpp"

// Compact storage of an aggregation's keys and values in two arrays.
//
// Tens of thousands of keys may stay in memory for months until they are printed. In a map of strings and vectors, each
// key took 170 bytes; here a key with a count takes 16.

namespace dt::consume {

class PackedEntries {
public:
    PackedEntries() = default;
    /// Creates an empty container for keys of `key_size` bytes and values of `words` words.
    PackedEntries(std::size_t key_size, std::size_t words) : key_size_(key_size), per_key_(words) {}

    /// Adds a key with its values. The container must not contain the key yet.
    void add(const uint8_t* key, std::span<const int64_t> words)
    {
        keys_.insert(keys_.end(), key, key + key_size_);
        words_.insert(words_.end(), words.begin(), words.end());
        ++size_;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    uint8_t* key(std::size_t i) { return keys_.data() + i * key_size_; }
    const uint8_t* key(std::size_t i) const { return keys_.data() + i * key_size_; }
    std::span<const int64_t> words(std::size_t i) const { return {words_.data() + i * per_key_, per_key_}; }
    std::string key_text(std::size_t i) const { return {reinterpret_cast<const char*>(key(i)), key_size_}; }

    void remove(const std::unordered_set<std::string>& keys)
    {
        PackedEntries kept(key_size_, per_key_);
        for (std::size_t i = 0; i < size_; ++i)
            if (!keys.contains(key_text(i)))
                kept.add(key(i), words(i));
        *this = std::move(kept);
    }

    bool operator==(const PackedEntries&) const = default;

private:
    std::size_t key_size_ = 0, per_key_ = 0, size_ = 0;
    std::vector<uint8_t> keys_;
    std::vector<int64_t> words_;
};

/// The values of one aggregation at the end of a run.
struct AggregationValues {
    AggregationSchema shape;      ///< layout of keys and values
    PackedEntries entries;        ///< values of each key; without keys, there is one entry with an empty key
    std::vector<int64_t> expired; ///< merged value of expired keys (-x aggttl); empty if no key had expired
    /// names to which keys refer by their index in this list; empty if the keys contain no names
    std::vector<std::string> names;
};

/// In keys, a name is stored as an index into values.names. Replaces each such index by the name's index in `names`,
/// the list of the next program. Appends names that are missing there to `names`.
void renumber_names(AggregationValues& values, std::vector<std::string>& names);

class RestoredAggregations final : public AggregationStore {
public:
    /// Creates the store on top of the store `own`, which has this run's values and must outlive this object.
    explicit RestoredAggregations(AggregationStore& own) : own_(own) {}

    /// Adds restored values. Must be called before the first read, and only if misfit() returns an empty text.
    void add(const AggregationSchema& schema, AggregationValues values)
    {
        entries_[schema.id] = std::move(values.entries);
        expired_[schema.id] = std::move(values.expired);
    }

    /// Returns the reason why an aggregation cannot continue with these restored values, for example "its keys have
    /// changed". Returns an empty text if it can continue.
    static std::string misfit(const AggregationSchema& schema, const AggregationValues& values);

    uint32_t cpus() const override { return own_.cpus() + 1; }
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void settle() override { own_.settle(); }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept) override
    {
        own_.keep_overflow(schema, kept);
    }
    void zero(const AggregationSchema& schema) override;
    bool expires_keys(const AggregationSchema& schema) const override { return own_.expires_keys(schema); }
    void empty(const AggregationSchema& schema) override { own_.empty(schema); }
    const std::vector<int64_t>* expired(const AggregationSchema& schema) const override;
    void clear_expired(const AggregationSchema& schema) override;

private:
    AggregationStore& own_;
    std::map<uint32_t, PackedEntries> entries_;        ///< restored values by aggregation id
    std::map<uint32_t, std::vector<int64_t>> expired_; ///< merged values of expired keys, by aggregation id
};

} // namespace dt::consume
