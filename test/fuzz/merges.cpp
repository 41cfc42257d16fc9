// Checks that merged aggregations of three tracers equal those of one tracer that saw all events.
//
//   merges ROUNDS [SEED]
//
// In each round, random events of one D program occur. Each of them is seen by one of three tracers, and by a fourth
// tracer, which sees all events. A tracer is the compiled program, run in the virtual machine.
// The aggregations of the three are merged in two orders and two groupings. Each result must equal the aggregation of
// the fourth tracer, word by word. That aggregation must agree with the definitions in dtrace-aggregations(7), METRICS,
// which are implemented again here: each bound counts the values that are not above it.
//
// Equal seeds give equal rounds. If results differ, prints them and aborts.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bpf-runtime/abi.h"
#include "bpf-runtime/embedded.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "dcompiler/object/saved.hpp"
#include "engine/embed/dtrace_engine.h"
#include "libdtrace/fleet/host_result.hpp"
#include "libdtrace/format/histogram.hpp"
#include "libdtrace/results/time_series.hpp"
#include "test/unit/frozen_world.hpp"

namespace {

using namespace dt;
using consume::MergedTable;
using consume::SentAggregation;
using Words = std::vector<int64_t>;
using Values = std::vector<int64_t>;

constexpr unsigned kTracers = 3, kAll = kTracers; // index of the tracer that sees all events
constexpr unsigned kKeys = 3, kMaxEvents = 12;
constexpr unsigned long kRoundsOfEngine = 100; // number of rounds after which a new engine with empty tables is used

[[noreturn]] void give_up(const std::string& what)
{
    std::printf("%s\n", what.c_str());
    std::fflush(stdout);
    std::abort();
}

struct Counted {
    std::string call; ///< call of the aggregating function in the D program; the aggregated value is arg0
    AggKind kind{};
    Values parameters = {};
};

constexpr int64_t kDay = 86'400'000'000'000; // in ns

const Counted kCounted[] = {
    {"count()", AggKind::Count},
    {"sum((int64_t)arg0)", AggKind::Sum},
    {"min((int64_t)arg0)", AggKind::Min},
    {"max((int64_t)arg0)", AggKind::Max},
    {"avg((int64_t)arg0)", AggKind::Avg},
    {"stddev((int64_t)arg0)", AggKind::Stddev},
    {"quantize((int64_t)arg0)", AggKind::Quantize},
    {"quantize((int64_t)arg0)", AggKind::Quantize},
    {"quantize((int64_t)arg0)", AggKind::Quantize},
    {"lquantize((int64_t)arg0, -100, 200, 7)", AggKind::Lquantize, {-100, 200, 7}},
    {"lquantize((int64_t)arg0, 0, 64, 1)", AggKind::Lquantize, {0, 64, 1}},
    {"lquantize((int64_t)arg0, -16000000, 16000000, 65000)", AggKind::Lquantize, {-16000000, 16000000, 65000}},
    {"llquantize((int64_t)arg0, 10, 0, 6, 20)", AggKind::Llquantize, {10, 0, 6, 20}},
    {"llquantize((int64_t)arg0, 10, 2, 17, 10)", AggKind::Llquantize, {10, 2, 17, 10}},
    {"llquantize((int64_t)arg0, 2, 0, 62, 2)", AggKind::Llquantize, {2, 0, 62, 2}},
    {"llquantize((int64_t)arg0, 16, 3, 14, 64)", AggKind::Llquantize, {16, 3, 14, 64}},
    {"hquantize((int64_t)arg0, 0)", AggKind::Hquantize, {0}},
    {"hquantize((int64_t)arg0, 2)", AggKind::Hquantize, {2}},
    {"hquantize((int64_t)arg0, 5)", AggKind::Hquantize, {5}},
    // All events are in the same interval, unless midnight UTC passes between two events that belong together.
    // test/unit/libdtrace_time_series_test.cpp merges several intervals.
    {"tseries((int64_t)arg0, 86400s, 3, \"count\")", AggKind::Tseries, {kDay, 3, static_cast<int64_t>(AggKind::Count)}},
    {"tseries((int64_t)arg0, 86400s, 3, \"sum\")", AggKind::Tseries, {kDay, 3, static_cast<int64_t>(AggKind::Sum)}},
    {"tseries((int64_t)arg0, 86400s, 3, \"avg\")", AggKind::Tseries, {kDay, 3, static_cast<int64_t>(AggKind::Avg)}},
    {"tseries((int64_t)arg0, 86400s, 3, \"min\")", AggKind::Tseries, {kDay, 3, static_cast<int64_t>(AggKind::Min)}},
    {"tseries((int64_t)arg0, 86400s, 3, \"max\")", AggKind::Tseries, {kDay, 3, static_cast<int64_t>(AggKind::Max)}},
};

// ---- the definitions of the manual, implemented without code of dtrace ---------------------------------------------

/// Returns the upper bounds of the buckets of hquantize(): powers of 2^(2^-schema). Uses the tracer's table, which
/// test/unit/lower_buckets_test.cpp proves to be exact.
std::vector<__int128> exponential_bounds(unsigned schema)
{
#define DT_BOUND_OF_OCTAVE(n, bound) bound,
    constexpr uint64_t kBounds[] = {uint64_t{1} << 63, DT_HQUANTIZE_BOUNDS(DT_BOUND_OF_OCTAVE)};
#undef DT_BOUND_OF_OCTAVE
    std::vector<__int128> ends{0}; // upper bounds of the buckets of positive numbers
    for (unsigned power = 0; power < 63U << schema; ++power) {
        const __int128 end = kBounds[(power % (1U << schema)) << (5 - schema)] >> (63 - (power >> schema));
        if (end != ends.back())
            ends.push_back(end);
    }
    std::vector<__int128> bounds;
    // The buckets of negative numbers mirror those of positive numbers: bucket (a, b] becomes [-b, -a - 1].
    for (auto end = ends.rbegin(); end != ends.rend(); ++end)
        bounds.push_back(-*end - 1);
    bounds.insert(bounds.end(), ends.begin(), ends.end());
    return bounds;
}

/// Returns the upper bounds of a function's buckets in order: the largest integer of each bucket. The last bucket has
/// none.
std::vector<__int128> defined_bounds(const Counted& program)
{
    std::vector<__int128> bounds;
    const Values& by = program.parameters;
    if (program.kind == AggKind::Quantize) {
        for (int k = 62; k >= 0; --k)
            bounds.push_back(-(__int128{1} << k));
        bounds.push_back(0);
        for (int k = 0; k < 62; ++k)
            bounds.push_back((__int128{1} << (k + 1)) - 1);
        return bounds;
    }
    if (program.kind == AggKind::Lquantize) {
        bounds.push_back(by[0] - 1);
        for (int64_t low = by[0]; low + by[2] <= by[1]; low += by[2])
            bounds.push_back(low + by[2] - 1);
        return bounds;
    }
    if (program.kind == AggKind::Hquantize)
        return exponential_bounds(static_cast<unsigned>(by[0]));
    std::vector<__int128> begins; // lowest values of the buckets of positive numbers
    __int128 power = 1;
    for (int64_t m = 0; m <= by[2]; ++m, power *= by[0]) {
        const __int128 next = power * by[0];
        for (int64_t step = 0; m >= by[1] && step < by[3]; ++step) {
            // If the range between two powers has fewer integers than the function has steps for it, each integer has
            // its own bucket.
            const __int128 begin = (next * step + by[3] - 1) / by[3];
            if (begin >= power && (begins.empty() || begin > begins.back()))
                begins.push_back(begin);
        }
    }
    begins.push_back(power);
    for (auto begin = begins.rbegin(); begin != begins.rend(); ++begin)
        bounds.push_back(-*begin);
    for (const __int128 begin : begins)
        bounds.push_back(begin - 1);
    return bounds;
}

Words carried(unsigned __int128 low, unsigned __int128 high)
{
    high += low >> 64;
    return {static_cast<int64_t>(static_cast<uint64_t>(low)), static_cast<int64_t>(static_cast<uint64_t>(high)),
            static_cast<int64_t>(static_cast<uint64_t>(high >> 64))};
}

/// Returns the stored words that the value of a function without buckets should have, such as sum().
Words defined_words(AggKind kind, const Values& values)
{
    __int128 sum = 0;
    unsigned __int128 low = 0, high = 0;
    for (const int64_t value : values) {
        const auto square = static_cast<unsigned __int128>(static_cast<__int128>(value) * value);
        sum += value;
        low += static_cast<uint64_t>(square);
        high += square >> 64;
    }
    const auto count = static_cast<int64_t>(values.size());
    const auto first = static_cast<int64_t>(static_cast<uint64_t>(sum));
    switch (kind) {
    case AggKind::Count:
        return {count};
    case AggKind::Sum:
        return {first};
    case AggKind::Min: // min() and max() store their values in a form in which 0 is the least value
        return {static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) -
                                     static_cast<uint64_t>(*std::ranges::min_element(values)))};
    case AggKind::Max:
        return {static_cast<int64_t>(static_cast<uint64_t>(*std::ranges::max_element(values)) + (uint64_t{1} << 63))};
    default:
        break;
    }
    Words words = carried(low, high);
    // The sum is stored in two words: the second word counts signed multiples of 2^64.
    words.insert(words.begin(), {count, first, static_cast<int64_t>((sum - first) >> 64)});
    words.resize(kind == AggKind::Avg ? 3 : 6);
    return words;
}

// ---- a program and its tracers -------------------------------------------------------------------------------------

std::vector<uint8_t> compiled(const std::string& text)
{
    test::FrozenWorld world;
    OptionSet options;
    Source source;
    source.kind = Source::Kind::Script;
    source.name = "merges.d";
    source.text = text;
    Compiler compiler(world, options);
    if (!compiler.add(source, SpecKind::Script, {}))
        give_up(compiler.diagnostics().list().front().message);
    auto object = compiler.finish(embedded_runtime());
    auto bytes =
        object ? saved_object(*object, compiler.program(), world) : Result<std::vector<uint8_t>>(object.error());
    if (!bytes)
        give_up(bytes.error().message);
    return *bytes;
}

/// Contents of the aggregation in one round: the stored words of each key, for each tracer.
using Round = std::array<std::array<Words, kTracers + 1>, kKeys>;

class Counting {
public:
    explicit Counting(const Counted& program)
        : program_(program),
          object_(compiled("#pragma D option aggsize=64m\nsyscall::read:entry { @[(int)arg1, (int)arg2, (int)arg3] = " +
                           program.call + "; }"))
    {
        sent_.name = "_";
        sent_.parameters = program.parameters;
        for (const AggFunction& each : agg_functions())
            if (each.kind == program.kind)
                sent_.function = &each;
        if (auto shape = format::HistogramShape::make(program.kind, program.parameters)) {
            shape_.emplace(std::move(shape.value()));
            bounds_ = defined_bounds(program);
            find_places();
        }
        if (auto series = output::TimeSeries::make(program.parameters); series && program.kind == AggKind::Tseries)
            series_.emplace(series.value());
        sent_.words = static_cast<uint32_t>(shape_    ? shape_->words()
                                            : series_ ? series_->words()
                                                      : defined_words(program.kind, {0}).size());
    }

    /// Runs this many rounds with one engine. Its tables are empty at the start.
    void run(unsigned long rounds, std::mt19937_64& random)
    {
        char message[256] = "";
        const std::unique_ptr<dt_engine, decltype(&dt_engine_close)> engine(
            dt_engine_load(object_.data(), object_.size(), message, sizeof message), dt_engine_close);
        if (!engine)
            give_up(message);
        std::vector<std::array<Values, kKeys>> events(rounds);
        for (unsigned long round = 0; round < rounds; ++round)
            for (uint64_t left = random() % (kMaxEvents + 1); left > 0; --left)
                fire(*engine, round, events[round], random);
        rounds_.assign(rounds, Round());
        if (dt_engine_aggregation(engine.get(), "_", take, this) < 0 || dt_engine_lost(engine.get()) != 0)
            give_up(program_.call + ": " + std::to_string(dt_engine_lost(engine.get())) +
                    " lost: " + dt_engine_error());
        for (unsigned long round = 0; round < rounds; ++round)
            check(rounds_[round], events[round]);
    }

private:
    static void fire(dt_engine& engine, uint64_t round, std::array<Values, kKeys>& into, std::mt19937_64& random)
    {
        const uint64_t key = random() % kKeys, tracer = random() % kTracers;
        auto value = random() >> random() % 64; // random numbers of every magnitude, or a number at the end of a bucket
        if (random() % 2 == 0)
            value = (uint64_t{1} << random() % 64) + random() % 3 - 1;
        value = random() % 2 == 0 ? value : 0 - value;
        for (const uint64_t who : {tracer, uint64_t{kAll}}) {
            const uint64_t words[] = {value, round, key, who};
            if (dt_engine_fire(&engine, 0, words, 4) != 0)
                give_up("the clause did not run");
        }
        into[key].push_back(static_cast<int64_t>(value));
    }

    static void take(const dt_value* keys, unsigned, const int64_t* words, unsigned n_words, void* self)
    {
        Counting& it = *static_cast<Counting*>(self);
        Words& into = it.rounds_.at(static_cast<std::size_t>(keys[0].number))
                          .at(static_cast<std::size_t>(keys[1].number))
                          .at(static_cast<std::size_t>(keys[2].number));
        into.assign(words, words + n_words);
        // For min() and max(), dt_engine_aggregation() returns the value; the expected result is the stored word, which
        // encodes it.
        if (it.program_.kind == AggKind::Min || it.program_.kind == AggKind::Max)
            into = defined_words(it.program_.kind, into);
    }

    MergedTable table_of(const Round& round, unsigned tracer)
    {
        MergedTable table(sent_);
        for (unsigned key = 0; key < kKeys; ++key)
            if (const Words& words = round[key][tracer]; !words.empty())
                table.add(std::to_string(key), words);
        return table;
    }

    void check(const Round& round, const std::array<Values, kKeys>& events)
    {
        const MergedTable all = table_of(round, kAll);
        const MergedTable a = table_of(round, 0), b = table_of(round, 1), c = table_of(round, 2);
        MergedTable left = a, right = b, other = c;
        left.add(b); // merges the tracers' results in the grouping (a + b) + c
        left.add(c);
        right.add(c); // merges the tracers' results in the grouping a + (b + c)
        MergedTable grouped = a;
        grouped.add(right);
        other.add(b); // merges the tracers' results in the grouping (c + b) + a
        other.add(a);
        for (const MergedTable* merged : {&left, &grouped, &other})
            if (merged->entries() != all.entries())
                give_up(program_.call + ": what is merged is not what one tracer has");
        for (unsigned key = 0; key < kKeys; ++key)
            check_words(round[key][kAll], events[key]);
    }

    void check_words(const Words& words, const Values& values) const
    {
        if (words.empty() != values.empty())
            give_up(program_.call + ": a key that had no event, or the other way about");
        if (words.empty())
            return;
        if (series_) {
            if (series_->whole(words) != defined_words(series_->function(), values))
                give_up(program_.call + ": other words than defined");
            return;
        }
        if (!shape_) {
            if (words != defined_words(program_.kind, values))
                give_up(program_.call + ": other words than defined");
            return;
        }
        std::vector<__int128> sorted(values.begin(), values.end());
        std::ranges::sort(sorted);
        int64_t count = 0;
        std::size_t bucket = 0;
        for (std::size_t i = 0; i < bounds_.size(); ++i) {
            for (; bucket <= places_[i]; ++bucket)
                count += words[bucket];
            if (count != std::ranges::upper_bound(sorted, bounds_[i]) - sorted.begin())
                give_up(program_.call + ": another count at bound " + std::to_string(static_cast<int64_t>(bounds_[i])));
        }
        for (; bucket < shape_->size(); ++bucket)
            count += words[bucket];
        if (shape_->has_sum() && words.back() != defined_words(AggKind::Sum, values)[0])
            give_up(program_.call + ": another sum");
        if (count != static_cast<int64_t>(values.size()))
            give_up(program_.call + ": the buckets are not all");
    }

    /// Checks that the bounds of buckets that the tracer prints equal the bounds in the definition. Excludes bounds at
    /// the limits of 64-bit integers, beyond which there is no bucket.
    void find_places()
    {
        std::vector<__int128> totals;
        for (std::size_t bucket = 0; bucket < shape_->size(); ++bucket)
            if (const auto high = shape_->bounds(bucket).high) {
                totals.push_back(*high);
                places_.push_back(bucket);
            }
        std::erase_if(bounds_, [](__int128 bound) { return bound >= INT64_MAX || bound <= INT64_MIN; });
        if (totals != bounds_)
            give_up(program_.call + ": other bounds than defined");
    }

    const Counted& program_;
    const std::vector<uint8_t> object_;
    SentAggregation sent_;
    std::optional<format::HistogramShape> shape_;
    std::optional<output::TimeSeries> series_;
    std::vector<__int128> bounds_;
    std::vector<std::size_t> places_; ///< for each bound of the definition, finds the last bucket that ends below it
    std::vector<Round> rounds_;
};

} // namespace

int main(int argc, char** argv)
{
    const unsigned long count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
    std::mt19937_64 random(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
    if (count == 0) {
        std::fprintf(stderr, "usage: %s ROUNDS [SEED]\n", argv[0]);
        return 2;
    }
    std::vector<std::unique_ptr<Counting>> countings;
    for (const Counted& program : kCounted)
        countings.push_back(std::make_unique<Counting>(program));
    const unsigned long part = std::max(1UL, std::min(kRoundsOfEngine, count / countings.size()));
    for (unsigned long done = 0, turn = 0; done < count; done += part, ++turn)
        countings[turn % countings.size()]->run(std::min(part, count - done), random);
    std::printf("%lu merges are what one tracer has\n", count);
    return 0;
}
