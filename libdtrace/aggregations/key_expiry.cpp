#include "libdtrace/aggregations/key_expiry.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>

#include "base/time.hpp"

namespace dt::consume {
namespace {

// The kernel's map is drained this number of times within the time to live (ttl), so a key expires after 1 to 1.5 ttl.
constexpr uint64_t kTurnsInTtl = 2;
// memory in bytes that a key needs in addition to the bytes of the key and of its value
constexpr std::size_t kBytesOfKey = 160;

bool is_initial(const std::vector<int64_t>& words)
{
    return std::all_of(words.begin(), words.end(), [](int64_t word) { return word == 0; });
}

} // namespace

std::size_t max_key_count(const AggregationSchema& schema, uint64_t limit)
{
    return limit / (schema.key_size + schema.words * sizeof(int64_t) + kBytesOfKey);
}

void ExpiringKeys::open(const std::vector<AggregationSchema>& schemas, uint64_t ttl, uint64_t limit)
{
    schemas_ = &schemas;
    ttl_ = ttl;
    limit_ = limit;
    last_ = now_monotonic();
    tables_.resize(schemas.size());
    if (is_open())
        own_.enable_draining();
}

void ExpiringKeys::add(const AggregationSchema& schema, const AggregationValues& values, uint64_t now)
{
    Table& table = tables_[schema.id];
    for (std::size_t i = 0; i < values.entries.size(); ++i) {
        const auto counted = values.entries.words(i);
        const std::vector<int64_t> words(counted.begin(), counted.end());
        const auto [known, is_new] = table.keys.try_emplace(values.entries.key_text(i), Key{words, now});
        if (!is_new)
            combine_words(schema.function->kind, schema.parameters, known->second.words, words);
    }
    if (!values.expired.empty())
        leave(schema, table, {values.expired, now});
}

/// Moves the counts from the kernel's maps into this object's table. After an error, the remaining counts stay in the
/// kernel, and read() includes them.
Result<void> ExpiringKeys::drain(const AggregationSchema& schema, uint64_t now)
{
    Table& table = tables_[schema.id];
    std::vector<int64_t> words(schema.words);
    return own_.drain(schema, [&](const uint8_t* key, uint32_t, const uint8_t* counted) {
        std::memcpy(words.data(), counted, words.size() * sizeof(int64_t));
        Key& known = table.keys[std::string(reinterpret_cast<const char*>(key), schema.key_size)];
        known.words.resize(schema.words);
        combine_words(schema.function->kind, schema.parameters, known.words, words);
        known.changed = now;
    });
}

void ExpiringKeys::leave(const AggregationSchema& schema, Table& table, const Key& key) const
{
    if (is_initial(key.words)) // the key has no value, because clear() has reset it and no value was added afterwards
        return;
    table.expired.resize(schema.words);
    combine_words(schema.function->kind, schema.parameters, table.expired, key.words);
}

void ExpiringKeys::fold(const AggregationSchema& schema, uint64_t now)
{
    Table& table = tables_[schema.id];
    for (auto at = table.keys.begin(); at != table.keys.end();) {
        if (now - at->second.changed < ttl_) {
            ++at;
            continue;
        }
        leave(schema, table, at->second);
        at = table.keys.erase(at);
    }
    make_room(schema);
}

/// Lets keys expire early if this object's table exceeds its memory limit. Frees a quarter of the limit, so that early
/// expiry is not necessary at every drain.
void ExpiringKeys::make_room(const AggregationSchema& schema)
{
    Table& table = tables_[schema.id];
    const std::size_t most = max_key_count(schema, limit_);
    if (table.keys.size() <= most)
        return;
    std::vector<uint64_t> times;
    for (const auto& [key, known] : table.keys)
        times.push_back(known.changed);
    const std::size_t leaving = table.keys.size() - most / 4 * 3;
    const auto youngest = times.begin() + static_cast<std::ptrdiff_t>(leaving - 1);
    std::nth_element(times.begin(), youngest, times.end());
    std::size_t left = 0;
    for (auto at = table.keys.begin(); at != table.keys.end() && left < leaving;) {
        if (at->second.changed > *youngest) {
            ++at;
            continue;
        }
        leave(schema, table, at->second);
        at = table.keys.erase(at);
        ++left;
    }
    expired_early_ += left;
}

void ExpiringKeys::pass(uint64_t now, bool is_urgent)
{
    const bool is_due = now >= due();
    if (!is_open() || (!is_due && !is_urgent))
        return;
    if (is_due)
        last_ = now;
    for (const AggregationSchema& schema : *schemas_)
        if (expires_keys(schema)) {
            static_cast<void>(drain(schema, now)); // if draining fails, counts stay in the kernel until the next drain
            fold(schema, now);
        }
}

uint64_t ExpiringKeys::due() const
{
    return is_open() ? last_ + std::min(ttl_ / kTurnsInTtl, UINT64_MAX - last_) : UINT64_MAX;
}

/// Reads this object's table. First moves the counts from the kernel's maps into it, so that a later clear() removes
/// exactly the values that were read.
Result<void> ExpiringKeys::read(const AggregationSchema& schema, const Visit& visit)
{
    if (!expires_keys(schema))
        return own_.read(schema, visit);
    const uint64_t now = now_monotonic();
    const Result<void> taken = drain(schema, now);
    fold(schema, now);
    const std::size_t size = schema.words * sizeof(int64_t);
    std::vector<uint8_t> values(size * cpus());
    for (const auto& [key, known] : tables_[schema.id].keys) {
        std::memcpy(values.data(), known.words.data(), size);
        visit(reinterpret_cast<const uint8_t*>(key.data()), values.data(), size);
    }
    return taken ? taken : own_.read(schema, visit);
}

void ExpiringKeys::remove(const AggregationSchema& schema, std::span<const uint8_t> keys)
{
    if (!expires_keys(schema))
        return own_.remove(schema, keys);
    for (std::size_t at = 0; at < keys.size(); at += schema.key_size)
        tables_[schema.id].keys.erase(std::string(reinterpret_cast<const char*>(keys.data()) + at, schema.key_size));
}

void ExpiringKeys::keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept)
{
    if (!expires_keys(schema))
        own_.keep_overflow(schema, kept);
}

/// Implements clear(): resets the values, but the keys remain in this object's table until they expire.
void ExpiringKeys::empty(const AggregationSchema& schema)
{
    for (auto& [key, known] : tables_[schema.id].keys)
        std::fill(known.words.begin(), known.words.end(), 0);
}

const std::vector<int64_t>* ExpiringKeys::expired(const AggregationSchema& schema) const
{
    return is_open() && !tables_[schema.id].expired.empty() ? &tables_[schema.id].expired : nullptr;
}

void ExpiringKeys::clear_expired(const AggregationSchema& schema)
{
    if (is_open())
        tables_[schema.id].expired.clear();
}

} // namespace dt::consume
