// Sink of -x format=pprof: one profile, written at the end. It contains aggregations with stacks in their keys,
// breakdown() and blame() aggregations as stacks of names, and records with stacks.
//
// Each aggregation is a value type; pprof shows one at a time for the same stacks. If a program prints an aggregation
// several times, the last print with content counts.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "libdtrace/format/scalar.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/output/document.hpp"
#include "libdtrace/output/gzip.hpp"
#include "libdtrace/output/plain_text.hpp"
#include "libdtrace/output/pprof_profile.hpp"
#include "libdtrace/output/stack_sink.hpp"

namespace dt::output {
namespace {

using ProfileUse = Symbols::Use;

/// Suffixes of aggregation names and the pprof units that they mean, so that pprof can display 1.5 ms.
constexpr std::pair<std::string_view, std::string_view> kProfileUnits[] = {
    {"ns", "nanoseconds"},          {"us", "microseconds"}, {"ms", "milliseconds"}, {"s", "seconds"},
    {"nanoseconds", "nanoseconds"}, {"seconds", "seconds"}, {"bytes", "bytes"},     {"kb", "kilobytes"},
};

/// Returns the value type for an aggregation's name: "alloc_bytes" becomes "alloc" in bytes, "ns" becomes "time" in
/// nanoseconds.
std::pair<std::string, std::string> value_type_of(const AggregationSchema& schema, const std::string& unit)
{
    const bool counts = schema.function->kind == AggKind::Count;
    if (schema.function->kind == AggKind::Breakdown || schema.function->kind == AggKind::Blame)
        return {schema.name == "_" ? "time" : schema.name, unit.empty() ? "nanoseconds" : unit};
    if (schema.name == "_")
        return {counts ? "samples" : std::string(schema.function->name), counts || unit.empty() ? "count" : unit};
    if (counts)
        return {schema.name, "count"};
    const std::size_t underscore = schema.name.rfind('_');
    const std::string_view last = std::string_view(schema.name).substr(underscore + 1);
    for (const auto& [ending, known] : kProfileUnits)
        if (last == ending && unit.empty())
            return {underscore == std::string::npos ? known == "bytes" || known == "kilobytes" ? "space" : "time"
                                                    : schema.name.substr(0, underscore),
                    std::string(known)};
    return {schema.name, unit.empty() ? "count" : unit};
}

class PprofSink final : public StackSink {
public:
    explicit PprofSink(const SinkOptions& with) : StackSink(with.output, with.env), reproducible_(with.reproducible) {}

    Result<void> open() override
    {
        began_ = static_cast<uint64_t>(now_ns(CLOCK_REALTIME));
        began_monotonic_ = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC));
        return begin_document(output_, "pprof");
    }

    void begin(const Line&) override { record_.clear(); }
    void stack(const Datum& datum, const uint8_t* data) override { append(record_, datum, data); }
    void value(const Datum& datum, const uint8_t* data) override
    {
        if (is_stack(datum))
            append(record_, datum, data);
    }
    void end(const Line& line) override
    {
        if (!record_.empty())
            profile_.add(joined(record_), {{"probe", line.probe.name}}, profile_.value_type("records", "count"), 1);
    }

    void drop(const DropReport& report) override { profile_.comment(std::string(report.text)); }

    void finish() override
    {
        const uint64_t lasted = static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)) - began_monotonic_;
        output_.write(gzipped(profile_.encoded(reproducible_ ? 0 : began_, reproducible_ ? 0 : lasted)));
    }

private:
    /// Stacks of a record or key. Kernel frames come first, whatever the order of the keys.
    struct Stacks {
        PprofProfile::Locations kernel, user;

        bool empty() const { return kernel.empty() && user.empty(); }
        void clear()
        {
            kernel.clear();
            user.clear();
        }
    };
    static PprofProfile::Locations joined(const Stacks& stacks)
    {
        PprofProfile::Locations all = stacks.kernel;
        all.insert(all.end(), stacks.user.begin(), stacks.user.end());
        return all;
    }

    void append(Stacks& to, const Datum& datum, const uint8_t* data)
    {
        PprofProfile::Locations& stack = is_user_stack(datum, data) ? to.user : to.kernel;
        format::for_each_address(datum, data, [&](int64_t pid, uint64_t address, ProfileUse use) {
            stack.push_back(location(pid, address, use));
        });
    }

    /// Returns a location that consists of a name only.
    uint64_t named(std::string_view name)
    {
        AddressOrigin origin;
        origin.functions.push_back({std::string(name), {}, 0});
        return profile_.location(origin, 0);
    }

    /// Returns the names of a blame() chain as a stack whose outermost frame is the thread that waited.
    PprofProfile::Locations chain(std::string_view names)
    {
        PprofProfile::Locations stack;
        while (!names.empty()) {
            const std::size_t end = std::min(names.find(';'), names.size());
            stack.insert(stack.begin(), named(names.substr(0, end)));
            names.remove_prefix(std::min(end + 1, names.size()));
        }
        return stack;
    }

    uint64_t location(int64_t pid, uint64_t address, ProfileUse use)
    {
        if (use == ProfileUse::Return && address == DT_FRAMES_INCOMPLETE)
            return named("[incomplete]");
        const uint64_t version = pid != 0 ? env_.symbols.mappings_version(pid) : 0;
        const std::tuple key(pid, address, use, version);
        if (const auto known = known_.find(key); known != known_.end())
            return known->second;
        const AddressOrigin origin = pid != 0 ? env_.symbols.origin_in_user(pid, address, use, env_.options.noresolve)
                                              : env_.symbols.origin_in_kernel(address, use);
        const uint64_t location = profile_.location(origin, address - (use == ProfileUse::Return ? 1 : 0));
        if (known_.size() >= kMostKnown)
            known_.clear();
        if (pid == 0 || (version != 0 && version == env_.symbols.mappings_version(pid)))
            known_.emplace(key, location);
        return location;
    }

    void show(const Aggregation& table) override
    {
        if (table.size() == 0 && !table.has_gone())
            return;
        const auto [name, unit] = value_type_of(table.schema(), env_.options.flameunit);
        const std::size_t type = profile_.value_type(name, unit);
        profile_.clear(type);
        std::vector<uint32_t> entries(table.size());
        std::iota(entries.begin(), entries.end(), 0);
        if (table.has_gone())
            entries.push_back(Aggregation::kGone);
        for (const uint32_t entry : entries)
            add(table, entry, type);
    }

    void add(const Aggregation& table, uint32_t entry, std::size_t type)
    {
        const uint8_t* const key = table.key(entry);
        const bool has_chain = table.schema().function->kind == AggKind::Blame;
        Stacks stacks;
        PprofProfile::Labels labels;
        std::size_t number = 0;
        for (const Datum& datum : table.schema().keys) {
            ++number;
            if (entry == Aggregation::kGone) {
                labels.emplace_back("key" + std::to_string(number), format::kGoneKey);
            } else if (is_stack(datum)) {
                append(stacks, datum, key);
            } else {
                scratch_.clear();
                append_plain(scratch_, env_, datum, key);
                if (has_chain && &datum == &table.schema().keys.back()) {
                    const PprofProfile::Locations names = chain(scratch_.view());
                    stacks.user.insert(stacks.user.begin(), names.begin(), names.end());
                } else {
                    labels.emplace_back("key" + std::to_string(number), scratch_.view());
                }
            }
        }
        if (table.shape())
            return add_parts(table, table.words(entry), joined(stacks), labels, type);
        const int64_t value = table.number(table.words(entry));
        if (table.schema().function->kind == AggKind::Max)
            profile_.raise(joined(stacks), labels, type, value);
        else
            profile_.add(joined(stacks), labels, type, value);
    }

    void add_parts(const Aggregation& table, Aggregation::Words parts, const PprofProfile::Locations& stack,
                   const PprofProfile::Labels& labels, std::size_t type)
    {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i] == 0)
                continue;
            PprofProfile::Labels all = labels;
            all.emplace_back("part", table.shape()->label(i));
            profile_.add(stack.empty() ? PprofProfile::Locations{named(table.shape()->label(i))} : stack, all, type,
                         format::divided(parts[i], table.divisor));
        }
    }

    static constexpr std::size_t kMostKnown = 1 << 20;

    bool reproducible_;
    uint64_t began_ = 0, began_monotonic_ = 0; ///< ns since the epoch; CLOCK_MONOTONIC ns
    PprofProfile profile_;
    std::map<std::tuple<int64_t, uint64_t, ProfileUse, uint64_t>, uint64_t> known_; ///< locations
    Stacks record_;                                                                 ///< stacks of the current record
    format::Text scratch_;
};

} // namespace

std::unique_ptr<Sink> make_pprof_sink(const SinkOptions& with)
{
    return std::make_unique<PprofSink>(with);
}

} // namespace dt::output
