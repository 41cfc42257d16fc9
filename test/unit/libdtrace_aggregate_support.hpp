// Aggregations in memory instead of the kernel's maps, for tests of tables, sorting and printing.
#pragma once

#include <map>

#include "libdtrace/aggregations/aggregations.hpp"
#include "libdtrace/sinks/text_sink.hpp"
#include "libdtrace_support.hpp"

namespace dt::test {

inline const AggFunction* function(AggKind kind)
{
    for (const AggFunction& each : agg_functions())
        if (each.kind == kind)
            return &each;
    return nullptr;
}

/// Stores the keys and per-CPU words of aggregations in memory, in the layout of the kernel's maps.
class HandStore final : public consume::AggregationStore {
public:
    explicit HandStore(uint32_t cpus) : cpus_(cpus) {}

    uint32_t cpus() const override { return cpus_; }

    /// Adds words to the words of a key on CPU `cpu`. For an aggregation without keys, the key is null.
    void add(uint32_t id, const Bytes* key, uint32_t cpu, std::vector<int64_t> words)
    {
        std::vector<int64_t>& value = value_of(id, key, words.size());
        const std::size_t first = cpu * (words.size() + (key ? 0 : 1));
        if (!key)
            value[first] = 1;
        for (std::size_t i = 0; i < words.size(); ++i)
            wrapping_add(value[first + (key ? 0 : 1) + i], words[i]);
    }

    Result<void> read(const AggregationSchema& schema, const Visit& visit) override
    {
        ++reads;
        for (const auto& [key, value] : maps_[schema.id])
            visit(reinterpret_cast<const uint8_t*>(key.data()), reinterpret_cast<const uint8_t*>(value.data()),
                  value.size() / cpus_ * 8);
        return {};
    }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override
    {
        for (std::size_t at = 0; at < keys.size(); at += schema.key_size)
            maps_[schema.id].erase(std::string(reinterpret_cast<const char*>(keys.data()) + at, schema.key_size));
    }
    void zero(const AggregationSchema& schema) override
    {
        for (auto& [key, value] : maps_[schema.id])
            std::fill(value.begin(), value.end(), 0);
    }
    std::size_t keys(uint32_t id) { return maps_[id].size(); }

    int reads = 0;

private:
    static void wrapping_add(int64_t& word, int64_t amount)
    {
        word = static_cast<int64_t>(static_cast<uint64_t>(word) + static_cast<uint64_t>(amount));
    }

    std::vector<int64_t>& value_of(uint32_t id, const Bytes* key, std::size_t words)
    {
        std::vector<int64_t>& value = maps_[id][key ? std::string(key->data.begin(), key->data.end()) : std::string()];
        value.resize(cpus_ * (words + (key ? 0 : 1)));
        return value;
    }

    uint32_t cpus_;
    std::map<uint32_t, std::map<std::string, std::vector<int64_t>>> maps_;
};

/// The aggregations of a program. A HandStore has their data.
struct Aggregated : Surroundings {
    explicit Aggregated(uint32_t cpus = 2) : store(cpus) {}

    /// Declares an aggregation whose keys have the layout of `key`. Returns its id.
    uint32_t declare(AggKind kind, const Bytes& key = {}, std::vector<int64_t> parameters = {})
    {
        AggregationSchema schema;
        schema.id = static_cast<uint32_t>(schemas.size());
        schema.name = std::string(1, static_cast<char>('a' + schema.id));
        schema.function = function(kind);
        schema.parameters = parameters;
        schema.keys = key.datums;
        schema.key_size = static_cast<uint32_t>(key.data.size());
        schema.words = kind == AggKind::Avg ? DT_AVG_WORDS : kind == AggKind::Stddev ? DT_STDDEV_WORDS : 1;
        if (auto shape = format::HistogramShape::make(kind, parameters))
            schema.words = static_cast<uint32_t>(shape->size());
        schemas.push_back(schema);
        return schema.id;
    }

    void add(uint32_t id, const Bytes& key, int64_t word, uint32_t cpu = 0) { store.add(id, &key, cpu, {word}); }

    void open()
    {
        const Result<void> opened = aggregations.open(schemas, store);
        ASSERT_TRUE(opened) << opened.error().message;
        pass();
    }
    void pass(uint64_t now = 0, bool last = false) { aggregations.begin_pass(now, last); }

    std::string printa(const std::vector<uint32_t>& ids)
    {
        EXPECT_TRUE(aggregations.print(sink, ids));
        std::string text = taken();
        EXPECT_EQ(text.substr(0, 1), "\n"); // without a format, printa() begins with a newline
        return text.substr(1);
    }
    std::string printa(const std::string& format, const std::vector<uint32_t>& ids)
    {
        const auto parsed = format::parse(format);
        std::vector<format::BoundFormat> bound;
        for (const uint32_t id : ids) {
            auto one = format::BoundFormat::bind(parsed.value(), schemas[id].keys, ids.size());
            EXPECT_TRUE(one);
            bound.push_back(std::move(one.value()));
        }
        EXPECT_TRUE(aggregations.print(sink, ids, &bound));
        return taken();
    }
    std::string at_exit()
    {
        EXPECT_TRUE(aggregations.print_unprinted(sink));
        return taken();
    }
    std::string taken()
    {
        std::string text(shown.text().view());
        shown.text().clear();
        return text;
    }

    HandStore store;
    std::vector<AggregationSchema> schemas;
    Output shown{-1}; // output without a file, whose text stays in a buffer; taken() returns it
    output::TextSink sink{options.print(), shown, env, true};
    consume::Aggregations aggregations{env, options.run()};
};

/// Returns a line with a string key, indented and padded to 52 columns, followed by `rest`.
inline std::string text_line(const std::string& key, const std::string& rest)
{
    return "  " + key + std::string(50 - key.size(), ' ') + rest + "\n";
}
inline std::string number(int64_t value)
{
    const std::string text = std::to_string(value);
    std::string padded(text.size() < 16 ? 17 - text.size() : 1, ' ');
    return padded.append(text);
}

} // namespace dt::test
