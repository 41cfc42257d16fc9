// Aggregations restored from a previous run. Their keys and values are stored compactly, and are added to the tables of
// this run as if one more CPU had counted them.
#include "libdtrace/aggregations/restored_aggregations.hpp"

#include <algorithm>
#include <cstring>

namespace dt::consume {
namespace {

bool is_same_datum(const Datum& a, const Datum& b)
{
    return a.kind == b.kind && a.offset == b.offset && a.size == b.size && a.address == b.address && a.part == b.part &&
           a.conversion == b.conversion && a.constant == b.constant;
}

/// Returns whether a part of a key is only meaningful in the run that recorded it: other runs have other processes and
/// control groups.
bool is_of_its_run(const Datum& key)
{
    return key.kind == Datum::Kind::UserStack || key.kind == Datum::Kind::UserSymbol || key.kind == Datum::Kind::Cgroup;
}

/// Maps each name to its index in a list, and appends new names to the list.
class Numbers {
public:
    explicit Numbers(std::vector<std::string>& names) : names_(names)
    {
        for (std::size_t i = 0; i < names.size(); ++i)
            numbers_.emplace(names[i], static_cast<uint32_t>(i));
    }

    uint32_t of(const std::string& name)
    {
        const auto [found, is_new] = numbers_.try_emplace(name, static_cast<uint32_t>(names_.size()));
        if (is_new)
            names_.push_back(name);
        return found->second;
    }

private:
    std::vector<std::string>& names_;
    std::map<std::string, uint32_t> numbers_;
};

} // namespace

void renumber_names(AggregationValues& values, std::vector<std::string>& names)
{
    if (values.names.empty())
        return;
    Numbers numbers(names);
    for (std::size_t i = 0; i < values.entries.size(); ++i)
        for (const Datum& datum : values.shape.keys) {
            uint32_t number = 0;
            if (datum.kind != Datum::Kind::Name)
                continue;
            uint8_t* const at = values.entries.key(i) + datum.offset;
            std::memcpy(&number, at, sizeof number);
            if (number < values.names.size())
                number = numbers.of(values.names[number]);
            std::memcpy(at, &number, sizeof number);
        }
    values.names = names;
}

std::string RestoredAggregations::misfit(const AggregationSchema& schema, const AggregationValues& values)
{
    const AggregationSchema& former = values.shape;
    if (schema.function != former.function || schema.parameters != former.parameters)
        return "its aggregating function has changed";
    if (!std::equal(schema.keys.begin(), schema.keys.end(), former.keys.begin(), former.keys.end(), is_same_datum) ||
        schema.key_size != former.key_size || schema.shared || former.shared)
        return "its keys have changed";
    if (std::any_of(schema.keys.begin(), schema.keys.end(), is_of_its_run))
        return "its keys are valid only in the run that stored them";
    return {};
}

Result<void> RestoredAggregations::read(const AggregationSchema& schema, const Visit& visit)
{
    // The value of an aggregation without keys begins with an additional word, which says whether the aggregation has
    // been used.
    const std::size_t touched = schema.key_size == 0 ? sizeof(uint64_t) : 0;
    const std::size_t size = touched + schema.words * sizeof(int64_t), own_cpus = own_.cpus();
    std::vector<uint8_t> values(size * cpus());
    uint8_t* const restored = values.data() + size * own_cpus;
    const auto& entries = entries_[schema.id];
    if (touched != 0 && !entries.empty()) {
        restored[0] = 1;
        std::memcpy(restored + touched, entries.words(0).data(), size - touched);
    }
    const Result<void> read = own_.read(schema, [&](const uint8_t* key, const uint8_t* own, std::size_t stride) {
        for (std::size_t cpu = 0; cpu < own_cpus; ++cpu)
            std::memcpy(values.data() + cpu * size, own + cpu * stride, size);
        visit(key, values.data(), size);
    });
    if (!read || touched != 0)
        return read;
    std::fill(values.begin(), values.end(), 0);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        std::memcpy(restored, entries.words(i).data(), size);
        visit(entries.key(i), values.data(), size);
    }
    return {};
}

void RestoredAggregations::remove(const AggregationSchema& schema, std::span<const uint8_t> keys)
{
    std::unordered_set<std::string> expired;
    for (std::size_t at = 0; at < keys.size(); at += schema.key_size)
        expired.emplace(reinterpret_cast<const char*>(keys.data()) + at, schema.key_size);
    entries_[schema.id].remove(expired);
    own_.remove(schema, keys);
}

/// Returns the value of the previous run's expired keys. It is printed even if keys of this run do not expire.
const std::vector<int64_t>* RestoredAggregations::expired(const AggregationSchema& schema) const
{
    const auto mine = expired_.find(schema.id);
    return mine != expired_.end() && !mine->second.empty() ? &mine->second : own_.expired(schema);
}

void RestoredAggregations::clear_expired(const AggregationSchema& schema)
{
    expired_[schema.id].clear();
    own_.clear_expired(schema);
}

void RestoredAggregations::zero(const AggregationSchema& schema)
{
    entries_.erase(schema.id);
    own_.zero(schema);
}

} // namespace dt::consume
