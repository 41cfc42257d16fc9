// Aggregations that begin with what a former run left.
//
// The former run's values are shown as those of one CPU more: then they are put together with what this run counts, and
// cleared and truncated, by the same code as everything else.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "libdtrace/consume/aggregate.hpp"
#include "libdtrace/consume/keyed_words.hpp"

namespace dt::consume {

/// One aggregation as a run left it.
struct AggregationValues {
    AggregationSchema shape;        ///< of keys and values
    KeyedWords entries;             ///< the key of one without keys is empty
    std::vector<int64_t> gone;      ///< words of all keys that had left (-x aggttl); empty: none had
    std::vector<std::string> names; ///< that numbers in keys stand for; empty: there are no such numbers
};

/// Names are numbers of their program. Gives those in the keys of former values the numbers of the next program, whose
/// `names` get those it has not.
void renumber_names(AggregationValues& values, std::vector<std::string>& names);

class CarriedAggregations final : public AggregationStore {
public:
    /// `own` is where this run's values are; it must outlive this.
    explicit CarriedAggregations(AggregationStore& own) : own_(own) {}

    /// Before the first read. Only where fits() says so.
    void add(const AggregationSchema& schema, AggregationValues values)
    {
        entries_[schema.id] = std::move(values.entries);
        gone_[schema.id] = std::move(values.gone);
    }

    /// Why an aggregation cannot go on from these values: "its keys are others", …; empty: it can.
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
    std::map<uint32_t, KeyedWords> entries_;        ///< by aggregation's id
    std::map<uint32_t, std::vector<int64_t>> gone_; ///< likewise
};

} // namespace dt::consume
