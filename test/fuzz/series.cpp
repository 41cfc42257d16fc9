// Simulates a day of changing metric keys: millions of keys appear, expire, and are cleared and truncated.
//
// series KEYS [SEED]
//
// Each step adds keys, fires recent ones, and expires the oldest (-x aggttl). Some steps remove values, as clear() and
// trunc() do. After each step the test reads a metrics page, as a scraper would. The page must not have more series
// than -x maxseries allows. No series may decrease from page to page. The sum of all series must be the number of all
// firings. The last line of output has the totals.
//
// Equal seeds give equal steps. If a check fails, prints the difference and aborts.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/metrics/metric_series.hpp"
#include "test/unit/libdtrace_aggregate_support.hpp"

namespace {

using namespace dt;
using output::MetricSeries;

constexpr std::size_t kLimit = 1000, kNewKeys = 400, kLiveKeys = 2000, kOtherAndGone = 2;

[[noreturn]] void stop_at(const std::string& what)
{
    std::printf("%s\n", what.c_str());
    std::fflush(stdout);
    std::abort();
}

/// An aggregation keyed by a number, filled by this test.
class Churned final : public output::Aggregation {
public:
    explicit Churned(AggKind kind)
    {
        own_.name = own_.metric.name = "m";
        own_.function = test::function(kind);
        own_.words = 1;
        if (auto shape = format::HistogramShape::make(kind, {})) {
            shape_ = std::move(shape.value());
            own_.words = static_cast<uint32_t>(shape_->size());
        }
        own_.keys.push_back({Datum::Kind::Unsigned, 0, sizeof(uint64_t)});
        own_.key_size = sizeof(uint64_t);
        own_.metric.labels = {"k"};
        schema_ = &own_;
        expired_key_.resize(own_.key_size);
        expires_keys_ = true;
    }

    void add_key(uint64_t key)
    {
        const auto* const bytes = reinterpret_cast<const uint8_t*>(&key);
        keys_.insert(keys_.end(), bytes, bytes + sizeof key);
        values_.resize(values_.size() + own_.words);
        ++count_;
    }
    void fire(std::size_t entry, std::size_t word, int64_t amount) { values_[entry * own_.words + word] += amount; }
    /// Removes the oldest keys. If `is_kept` is true, adds their values to the key "gone".
    void leave(std::size_t entries, bool is_kept)
    {
        for (std::size_t i = 0; is_kept && i < entries * own_.words; ++i) {
            expired_words_.resize(own_.words);
            expired_words_[i % own_.words] += values_[i];
        }
        keys_.erase(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(entries * own_.key_size));
        values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(entries * own_.words));
        count_ -= entries;
    }
    void clear()
    {
        std::ranges::fill(values_, 0);
        expired_words_.clear();
    }

private:
    AggregationSchema own_;
};

PrintOptions options_of_day()
{
    PrintOptions options;
    options.maxseries = kLimit;
    return options;
}

class Day {
public:
    Day(AggKind kind, unsigned long seed) : table_(kind), random_(seed) {}

    void step()
    {
        for (std::size_t i = 0; i < kNewKeys; ++i)
            table_.add_key(++keys_);
        for (std::size_t i = 0; i < kLiveKeys; ++i) {
            const auto amount = static_cast<int64_t>(random_() % 5);
            table_.fire(random_() % table_.size(), random_() % table_.schema().words, amount);
            total_ += static_cast<uint64_t>(amount);
        }
        if (table_.size() > kLiveKeys)
            table_.leave(table_.size() - kLiveKeys, true);
        if (random_() % 16 == 0)
            take_away(random_() % 2 == 0);
        read();
    }
    uint64_t keys() const { return keys_; }
    uint64_t total() const { return total_; }
    std::size_t most_series() const { return most_; }

private:
    void take_away(bool with_keys)
    {
        series_.update(table_, world_.env, ++now_, MetricSeries::Leaving::Later);
        table_.clear();
        if (with_keys)
            table_.leave(table_.size() / 2, false);
        series_.was_emptied(table_, world_.env);
    }

    void read()
    {
        series_.update(table_, world_.env, ++now_);
        output::MetricPage page(output::Exposition::Prometheus);
        series_.append(page, "", false);
        const std::string text = page.text();
        uint64_t sum = 0;
        std::unordered_map<std::string, uint64_t> told;
        for (std::string_view rest = text; !rest.empty();) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(line.size() + 1);
            if (!line.starts_with("m_total") && !line.starts_with("m_count"))
                continue;
            const std::size_t blank = line.rfind(' ');
            const uint64_t value = std::stoull(std::string(line.substr(blank + 1)));
            sum += value;
            const std::string name(line.substr(0, blank));
            if (!told.emplace(name, value).second)
                stop_at("twice: " + name);
            if (const auto before = last_totals_.find(name); before != last_totals_.end() && value < before->second)
                stop_at("turned back: " + name);
        }
        if (sum != total_)
            stop_at("told are " + std::to_string(sum) + ", and fired were " + std::to_string(total_));
        most_ = std::max(most_, told.size());
        if (told.size() > kLimit + kOtherAndGone)
            stop_at("so many series: " + std::to_string(told.size()));
        last_totals_ = std::move(told);
    }

    Churned table_;
    std::mt19937_64 random_;
    test::Surroundings world_;
    MetricSeries series_{table_.schema(), table_.shape(), options_of_day(), 1};
    std::unordered_map<std::string, uint64_t> last_totals_;
    uint64_t keys_ = 0, total_ = 0, now_ = 2;
    std::size_t most_ = 0;
};

} // namespace

int main(int argc, char** argv)
{
    const unsigned long keys = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
    const unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
    if (keys == 0) {
        std::fprintf(stderr, "usage: %s KEYS [SEED]\n", argv[0]);
        return 2;
    }
    for (const AggKind kind : {AggKind::Count, AggKind::Quantize}) {
        Day day(kind, seed);
        while (day.keys() < keys)
            day.step();
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        std::printf("%s(): %lu keys, at most %zu series at once, all %lu told; %ld MB\n",
                    std::string(test::function(kind)->name).c_str(), day.keys(), day.most_series(), day.total(),
                    used.ru_maxrss / 1024);
    }
    return 0;
}
