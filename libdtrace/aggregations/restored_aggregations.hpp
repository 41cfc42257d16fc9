// Aggregations restored from a previous run.
//
// The previous run's values appear as those of one more CPU. So the code that combines, clears and truncates the values
// of this run handles them too.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "libdtrace/consume/aggregate.hpp"
#include "libdtrace/consume/keyed_words.hpp"

namespace dt::consume {

/// The values of one aggregation at the end of a run.
struct AggregationValues {
    AggregationSchema shape;        ///< layout of keys and values
    KeyedWords entries;             ///< values by key; an aggregation without keys has an empty key
    std::vector<int64_t> gone;      ///< merged value of the keys that had expired (-x aggttl); empty: none had
    std::vector<std::string> names; ///< names whose numbers the keys contain; empty: keys contain no such numbers
};

/// Replaces the numbers of names in keys by those of the next program. `names` are that program's names; missing ones
/// are appended.
void renumber_names(AggregationValues& values, std::vector<std::string>& names);

class CarriedAggregations final : public AggregationStore {
public:
    /// Creates the store on top of `own`, which has this run's values and must outlive this object.
    explicit CarriedAggregations(AggregationStore& own) : own_(own) {}

    /// Adds restored values; must be called before the first read, and only if misfit() returns an empty text.
    void add(const AggregationSchema& schema, AggregationValues values)
    {
        entries_[schema.id] = std::move(values.entries);
        gone_[schema.id] = std::move(values.gone);
    }

    /// Returns why an aggregation cannot continue from these values, for example "its keys are others"; empty if it
    /// can.
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
    bool forgets(const AggregationSchema& schema) const override { return own_.forgets(schema); }
    void empty(const AggregationSchema& schema) override { own_.empty(schema); }
    const std::vector<int64_t>* gone(const AggregationSchema& schema) const override;
    void forget_gone(const AggregationSchema& schema) override;

private:
    AggregationStore& own_;
    std::map<uint32_t, KeyedWords> entries_;        ///< restored values by aggregation id
    std::map<uint32_t, std::vector<int64_t>> gone_; ///< merged values of expired keys, by aggregation id
};

} // namespace dt::consume
