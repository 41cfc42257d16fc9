// Aggregations on the consumer's side: what the CPUs counted, put together.
//
// The kernel keeps one value per key and CPU and never resets any by itself. A table here holds every key ever seen and
// its combined value; a snapshot reads the kernel's maps into it. Snapshots are taken only when somebody looks: a pass
// that prints no aggregation costs nothing. clear() keeps the keys in the table and removes them from the kernel, so
// what the kernel holds is always "since the last clear".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/cut.hpp"
#include "libdtrace/consume/printed_keys.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/aggregation.hpp"
#include "libdtrace/output/sums.hpp"

namespace dt::consume {

/// Where the per-CPU values are: the kernel's maps, or a test's table.
class AggregationStore {
public:
    virtual ~AggregationStore() = default;

    /// Receives one key and the words of each CPU: words of CPU c begin at values + c * stride bytes.
    using Visit = std::function<void(const uint8_t* key, const uint8_t* values, std::size_t stride)>;

    virtual uint32_t cpus() const = 0;
    /// Every key of an aggregation; for one without keys a single call (key null, the touched word in front of the
    /// words).
    virtual Result<void> read(const AggregationSchema& schema, const Visit& visit) = 0;
    /// From now on nobody counts: what was read once is known.
    virtual void settle() {}
    /// Removes keys; `keys` holds them one after the other.
    virtual void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) = 0;
    /// Whether keys leave by themselves: then the store knows all there are, also those that clear() has emptied.
    virtual bool forgets(const AggregationSchema&) const { return false; }
    /// With forgets(): every value that was read last becomes initial.
    virtual void empty(const AggregationSchema&) {}
    /// What the keys that have left by themselves come to; null: there are none.
    virtual const std::vector<int64_t>* gone(const AggregationSchema&) const { return nullptr; }
    virtual void forget_gone(const AggregationSchema&) {}
    /// Of the keys in the overflow map keeps only those: each one key's bytes.
    virtual void keep_overflow(const AggregationSchema&, const std::vector<std::string>& /*kept*/) {}
    /// Zeroes the slot of an aggregation without keys. Updates of its neighbours that race with this may be lost.
    virtual void zero(const AggregationSchema& schema) = 0;
};

using output::combine_words;

/// One aggregation, as the snapshots of a store make it.
class AggregationTable : public output::Aggregation {
public:
    static Result<AggregationTable> make(const AggregationSchema& schema, bool per_cpu);

    /// Reads the store. `symbols` reduces address keys, so that those that print the same are one entry; `cgroups`, if
    /// there, does so with control groups.
    Result<void> snapshot(AggregationStore& store, Symbols& symbols, ControlGroups* cgroups = nullptr);
    /// All values become initial; keys stay.
    void clear(AggregationStore& store);
    /// Keeps the `keep` best (positive) or worst (negative) entries; 0 keeps none.
    void truncate(AggregationStore& store, int64_t keep, const format::Environment& env);

    /// Of the keys that were ever added.
    const CutKeys& cut_keys() const { return cut_keys_; }

    /// Makes later snapshots multiply counts, sums and distributions by `factor` (-x maxcost). Has no effect after
    /// clear() or trunc(), because the factor is that of all firings, nor on metrics, which may not fall.
    void correct_by(double factor);

    /// From now on it is a metric too. After it is where it stays.
    void keep_series(const PrintOptions& options);

    bool printed = false;       ///< a printa() has shown it
    uint64_t taken_in_pass = 0; ///< of the last snapshot
    uint64_t taken_at = 0;      ///< its time

private:
    std::size_t find_or_add(const uint8_t* key);
    std::size_t find_or_add_printed(const uint8_t* key, const std::string& printed);
    std::size_t add(const uint8_t* key);
    void count_cut(const uint8_t* key);
    void add_keyed(const uint8_t* key, const uint8_t* values, std::size_t stride, Symbols& symbols,
                   ControlGroups* cgroups);
    void add_unkeyed(const uint8_t* values, std::size_t stride);
    void combine(std::span<int64_t> into, Words from) const { combine_words(schema_->function->kind, into, from); }
    void forget_silent(const AggregationStore& store);
    void forget_gone(AggregationStore& store);
    void remove_from_kernel(AggregationStore& store, const std::vector<bool>& gone);
    template <typename Handle> void for_each_kernel_key(Handle handle) const;
    void forget(const std::vector<bool>& gone);
    void reset_unkeyed(AggregationStore& store);
    void correct(std::vector<int64_t>& values) const;
    bool is_extreme() const
    {
        return schema_->function->kind == AggKind::Min || schema_->function->kind == AggKind::Max;
    }

    bool reduces_ = false; // some key is an address, or a control group: several keys of the kernel may be one here,
                           // and kernel_keys_ is filled
    std::vector<const Datum*> cuttable_; // of the schema's keys
    CutKeys cut_keys_;
    PrintedKeys printed_keys_; // with reduced keys; and the entry of each
    std::unordered_map<std::string, uint32_t> by_print_;
    std::vector<uint32_t> slots_; // without: open addressing: entry + 1, 0 is free
    std::vector<uint8_t> scratch_key_;
    std::vector<int64_t> scratch_words_;
    std::vector<bool> in_kernel_; // by entry: seen in the last snapshot
    /// With reduced keys: the kernel's own keys and the entry each went to.
    std::vector<uint8_t> kernel_keys_;
    std::vector<uint32_t> kernel_entries_;
    /// Without keys: each CPU's words at the last clear() or trunc(), subtracted since. (Zeroing the kernel's slot
    /// instead would lose updates of its neighbours.)
    std::vector<int64_t> baseline_, latest_;
    bool hidden_until_changed_ = false; // trunc() of an aggregation without keys
    bool was_emptied_ = false;
    double correction_ = 1;
};

} // namespace dt::consume
