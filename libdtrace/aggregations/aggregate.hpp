// The consumer's side of aggregations: tables that combine the values of all CPUs. Also decides whether two keys are
// equal, by their printed forms.
//
// The kernel keeps one value per key and CPU, and never resets a value by itself. A table holds every key ever seen and
// its combined value; a snapshot reads the kernel's maps into it. Snapshots are taken on demand, so a consumer pass
// that prints no aggregation costs nothing. clear() removes the keys from the kernel's maps and keeps them in the
// table. So the kernel's values always count from the last clear().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/kernel/cgroups.hpp"
#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/symbols/symbols.hpp"

// Equality of aggregation keys: two keys are equal if they print the same.
//
// The kernel records stacks and symbols as addresses. A function of a library has a different address in each process,
// so stacks that print the same would be different keys. A service also gets a new control group at each start. So keys
// are compared by their printed forms. In these forms, the text of each symbol, control group or converted number is
// replaced by an index to save memory.

namespace dt::consume {

class PrintedKeyForms {
public:
    /// Returns the printed form of a key: two keys have equal bytes if, and only if, they print the same text. Data
    /// other than addresses, control groups and converted numbers are compared by value. The result is valid until the
    /// next call.
    const std::string& of(const AggregationSchema& schema, const uint8_t* key, const format::Environment& env);

private:
    struct AddressKey {
        int64_t pid; ///< process id for a user address; kKernel for a kernel address
        uint64_t address;
        Datum::Address form;
        Symbols::Use use = Symbols::Use::Exact;
        bool operator==(const AddressKey&) const = default;
    };
    struct Hash {
        std::size_t operator()(const AddressKey& place) const
        {
            const auto mixed = (place.address ^ static_cast<uint64_t>(place.pid) << 40 ^
                                static_cast<uint64_t>(place.form) << 1 ^ static_cast<uint64_t>(place.use)) *
                               0x9e3779b97f4a7c15;
            return static_cast<std::size_t>(mixed ^ mixed >> 32);
        }
    };
    void append(const AddressKey& place, Symbols& symbols);
    uint32_t number_of(std::string_view text);

    std::unordered_map<AddressKey, uint32_t, Hash> places_;
    std::unordered_map<std::string, uint32_t> texts_;
    std::string bytes_;
};

/// Source of the per-CPU values: the kernel's maps, or a test's table.
class AggregationStore {
public:
    virtual ~AggregationStore() = default;

    /// Callback that receives one key and its words on each CPU. The words of CPU c begin at values + c * stride bytes.
    using Visit = std::function<void(const uint8_t* key, const uint8_t* values, std::size_t stride)>;

    virtual uint32_t cpus() const = 0;
    /// Calls `visit` for every key of an aggregation. For an aggregation without keys, calls `visit` once with a null
    /// key. Each value then begins with a word that says whether the aggregation has been used; the data follow.
    virtual Result<void> read(const AggregationSchema& schema, const Visit& visit) = 0;
    /// Announces that counting has ended: values no longer change, so the store may cache the values that it reads.
    virtual void settle() {}
    /// Removes several keys. `keys` contains their bytes, one key after the other.
    virtual void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) = 0;
    /// Returns whether keys expire (-x aggttl). If so, read() visits all keys that have not expired, including those
    /// that clear() has reset.
    virtual bool expires_keys(const AggregationSchema&) const { return false; }
    /// Resets the values that the last read() visited. May only be called for aggregations whose keys expire
    /// (expires_keys()).
    virtual void empty(const AggregationSchema&) {}
    /// Returns the merged value of all expired keys, or null if no key has expired.
    virtual const std::vector<int64_t>* expired(const AggregationSchema&) const { return nullptr; }
    virtual void clear_expired(const AggregationSchema&) {}
    /// Removes all keys from the overflow map except the ones in `kept`. Each string in `kept` contains the bytes of
    /// one key.
    virtual void keep_overflow(const AggregationSchema&, const std::vector<std::string>& /*kept*/) {}
    /// Zeroes the slot of an aggregation without keys. Concurrent updates of other aggregations without keys may be
    /// lost.
    virtual void zero(const AggregationSchema& schema) = 0;
};

using output::combine_words;

/// The table of one aggregation, filled by snapshots of a store.
class AggregationTable : public output::Aggregation {
public:
    static Result<AggregationTable> make(const AggregationSchema& schema, bool per_cpu);

    /// Reads the store's values into this aggregation's table. Keys that print the same text are merged.
    Result<void> snapshot(AggregationStore& store, const format::Environment& env);
    /// Resets all values, but does not remove keys.
    void clear(AggregationStore& store);
    /// Removes all entries except the `keep` largest ones. A negative `keep` preserves the -`keep` smallest entries
    /// instead; 0 removes all.
    void truncate(AggregationStore& store, int64_t keep, const format::Environment& env);

    /// Returns how many of all keys ever added contain truncated data.
    const TruncatedKeys& truncated_keys() const { return truncated_keys_; }

    /// Makes later snapshots multiply counts, sums and distributions by `factor` (-x maxcost). The factor is an average
    /// over the whole run, so it is not applied after clear() or trunc(). It is never applied to metrics, which must
    /// not decrease.
    void correct_by(double factor);

    /// From now on, each snapshot also updates a metric with the aggregation's values.
    void keep_series(const PrintOptions& options);

    bool printed = false;       ///< whether a printa() action has already printed the aggregation
    uint64_t taken_in_pass = 0; ///< number of the consumer pass that took the last snapshot
    uint64_t taken_at = 0;      ///< time of the last snapshot (ns)

private:
    std::size_t find_or_add(const uint8_t* key);
    std::size_t find_or_add_printed(const uint8_t* key, const std::string& printed);
    std::size_t add(const uint8_t* key);
    void count_truncated(const uint8_t* key);
    void add_keyed(const uint8_t* key, const uint8_t* values, std::size_t stride, const format::Environment& env);
    void add_unkeyed(const uint8_t* values, std::size_t stride);
    void combine(std::span<int64_t> into, Words from) const
    {
        combine_words(schema_->function->kind, schema_->parameters, into, from);
    }
    void remove_expired(const AggregationStore& store);
    void clear_expired(AggregationStore& store);
    void remove_from_kernel(AggregationStore& store, const std::vector<bool>& expired);
    template <typename Handle> void for_each_kernel_key(Handle handle) const;
    void forget(const std::vector<bool>& expired);
    void reset_unkeyed(AggregationStore& store);
    void correct(std::vector<int64_t>& values) const;
    bool is_extreme() const
    {
        return schema_->function->kind == AggKind::Min || schema_->function->kind == AggKind::Max;
    }
    /// Returns whether an earlier value cannot be subtracted from a later one.
    bool is_indivisible() const { return is_extreme() || schema_->function->kind == AggKind::Tseries; }

    // Whether some part of a key is an address or a control group. If so, keys are compared by their printed forms:
    // several keys of the kernel may be merged into one entry, and kernel_keys_ is filled.
    bool reduces_ = false;
    std::vector<const Datum*> truncatable_; // key parts of the schema that can be truncated
    TruncatedKeys truncated_keys_;
    PrintedKeyForms printed_keys_;
    // index of the entry, by printed form of the key; used if keys are compared by these forms
    std::unordered_map<std::string, uint32_t> by_print_;
    // Hash table of keys with open addressing; used if keys are compared by their bytes. A slot contains the index of
    // an entry plus 1, or 0 if it is free.
    std::vector<uint32_t> slots_;
    std::vector<uint8_t> scratch_key_;
    std::vector<int64_t> scratch_words_;
    std::vector<bool> in_kernel_; // for each entry: whether the last snapshot found its key in the kernel's map
    /// Used if keys are compared by their printed forms: the kernel's keys, and for each key the index of the entry
    /// into which it was merged.
    std::vector<uint8_t> kernel_keys_;
    std::vector<uint32_t> kernel_entries_;
    /// For an aggregation without keys: each CPU's words at the last clear() or trunc(). Later snapshots subtract these
    /// words. The kernel's slot is not zeroed, because that could lose concurrent updates of other aggregations.
    std::vector<int64_t> baseline_, latest_;
    // Whether printing is suppressed until the value changes. trunc() sets this for an aggregation without keys.
    bool hidden_until_changed_ = false;
    bool was_emptied_ = false;
    double correction_ = 1;
};

} // namespace dt::consume
