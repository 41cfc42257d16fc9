// Sink of -x format=pprof: one profile, written at the end. It contains aggregations with stacks in their keys, and
// records with stacks. It also contains breakdown() and blame() aggregations, as stacks of names.
//
// Each aggregation becomes a value type of the profile, and pprof displays stacks with one value type at a time. If a
// program prints an aggregation several times, the profile contains the last printed version that was not empty.
#include "libdtrace/sinks/pprof_sink.hpp"

#include <zlib.h>

#include <algorithm>
#include <numeric>
#include <protozero/pbf_writer.hpp>

#include "base/time.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/output/output_target.hpp"
#include "libdtrace/sinks/stack_sink.hpp"

// Compresses bytes into the format of gzip(1).

namespace dt::output {

/// Returns the bytes as a gzip file without name and time, so that equal bytes give equal files. Returns an empty
/// string on failure.
std::string gzipped(std::string_view bytes);

namespace {

using ProfileUse = Symbols::Use;

/// Suffixes of aggregation names, and the pprof units that they stand for. With a known unit, pprof displays values
/// such as 1.5 ms.
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
        began_monotonic_ = now_monotonic();
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
        const uint64_t lasted = now_monotonic() - began_monotonic_;
        output_.write(gzipped(profile_.encoded(reproducible_ ? 0 : began_, reproducible_ ? 0 : lasted)));
    }

private:
    /// The kernel stack and the user stack in a record or key. In the profile, the kernel frames precede the user
    /// frames, whichever stack the D program names first.
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

    /// Returns a location that consists only of a name, without an address.
    uint64_t named(std::string_view name)
    {
        AddressOrigin origin;
        origin.functions.push_back({std::string(name), {}, 0});
        return profile_.location(origin, 0);
    }

    /// Returns the names of a blame() chain as a stack. Its outermost frame is the thread that waited.
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
        if (known_.size() >= kMaxKnown)
            known_.clear();
        if (pid == 0 || (version != 0 && version == env_.symbols.mappings_version(pid)))
            known_.emplace(key, location);
        return location;
    }

    void show(const Aggregation& table) override
    {
        if (table.size() == 0 && !table.has_expired())
            return;
        const auto [name, unit] = value_type_of(table.schema(), env_.options.flameunit);
        const std::size_t type = profile_.value_type(name, unit);
        profile_.clear(type);
        std::vector<uint32_t> entries(table.size());
        std::iota(entries.begin(), entries.end(), 0);
        if (table.has_expired())
            entries.push_back(Aggregation::kExpired);
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
            if (entry == Aggregation::kExpired) {
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

    static constexpr std::size_t kMaxKnown = 1 << 20;

    bool reproducible_;
    uint64_t began_ = 0, began_monotonic_ = 0; ///< start of the run in ns, by CLOCK_REALTIME and by CLOCK_MONOTONIC
    PprofProfile profile_;
    /// For each address (process, address, kind of address, mapping version), the id of its location in the profile.
    std::map<std::tuple<int64_t, uint64_t, ProfileUse, uint64_t>, uint64_t> known_;
    Stacks record_; ///< stacks of the current record
    format::Text scratch_;
};

} // namespace

std::unique_ptr<Sink> make_pprof_sink(const SinkOptions& with)
{
    return std::make_unique<PprofSink>(with);
}

// Encodes messages of profile.proto; the constants are its field numbers, grouped by message.

namespace {

namespace profile_field {
constexpr uint32_t kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5, kStringTable = 6,
                   kTimeNanos = 9, kDurationNanos = 10, kComment = 13;
}
namespace value_type_field {
constexpr uint32_t kType = 1, kUnit = 2;
}
namespace sample_field {
constexpr uint32_t kLocationId = 1, kValue = 2, kLabel = 3;
}
namespace label_field {
constexpr uint32_t kKey = 1, kText = 2;
}
namespace mapping_field {
constexpr uint32_t kId = 1, kStart = 2, kLimit = 3, kOffset = 4, kFilename = 5, kBuildId = 6, kHasFunctions = 7,
                   kHasFilenames = 8, kHasLines = 9, kHasInlined = 10;
}
namespace location_field {
constexpr uint32_t kId = 1, kMapping = 2, kAddress = 3, kLine = 4;
}
namespace line_field {
constexpr uint32_t kFunction = 1, kLine = 2;
}
namespace function_field {
constexpr uint32_t kId = 1, kName = 2, kSystemName = 3, kFilename = 4;
}

/// Returns whether a file is an executable, by the rule of pprof itself. pprof expects the executable in the profile's
/// first mapping.
bool is_program_file(std::string_view path)
{
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return !name.empty() && name.front() != '[' && !name.ends_with(".so") && name.find(".so.") == std::string::npos;
}

/// Returns the keys of `map` in the order of their ids; `first` is the lowest id. `map` contains the id of each key.
template <typename Map> std::vector<const typename Map::key_type*> by_number(const Map& map, uint64_t first)
{
    std::vector<const typename Map::key_type*> all(map.size());
    for (const auto& [key, number] : map)
        all[number - first] = &key;
    return all;
}

} // namespace

std::size_t PprofProfile::value_type(const std::string& name, const std::string& unit)
{
    const std::pair type(string(name), string(unit));
    const auto known = std::find(types_.begin(), types_.end(), type);
    if (known != types_.end())
        return static_cast<std::size_t>(known - types_.begin());
    types_.push_back(type);
    return types_.size() - 1;
}

uint64_t PprofProfile::mapping(const AddressOrigin& origin)
{
    const std::tuple key(origin.path, origin.build_id, origin.offset);
    const auto [known, is_new] = mapping_ids_.try_emplace(key, mappings_.size() + 1);
    if (is_new)
        mappings_.push_back({origin.start, origin.end, origin.offset, string(origin.path), string(origin.build_id),
                             false, false, false, is_program_file(origin.path)});
    Mapping& mapping = mappings_[known->second - 1];
    mapping.end = std::max(mapping.end, mapping.start + (origin.end - origin.start));
    mapping.has_functions |= !origin.functions.empty();
    mapping.has_inlined |= origin.functions.size() > 1;
    mapping.has_lines |= std::any_of(origin.functions.begin(), origin.functions.end(),
                                     [](const AddressOrigin::Function& function) { return function.line != 0; });
    return known->second;
}

uint64_t PprofProfile::location(const AddressOrigin& origin, uint64_t address)
{
    Location place;
    place.address = address;
    if (!origin.path.empty()) {
        place.mapping = mapping(origin);
        place.address = address - origin.start + mappings_[place.mapping - 1].start;
    }
    for (const AddressOrigin::Function& function : origin.functions) {
        const auto id =
            function_ids_.try_emplace(Function(string(function.name), string(function.file)), function_ids_.size() + 1);
        place.lines.push_back({id.first->second, function.line});
    }
    return location_ids_.try_emplace(std::move(place), location_ids_.size() + 1).first->second;
}

int64_t& PprofProfile::value(const Locations& stack, const Labels& labels, std::size_t type)
{
    Sample sample{stack, {}};
    for (const auto& [key, text] : labels)
        sample.labels.emplace_back(string(key), string(text));
    Values& values = samples_[std::move(sample)];
    values.resize(std::max(values.size(), type + 1));
    return values[type];
}

void PprofProfile::add(const Locations& stack, const Labels& labels, std::size_t type, int64_t number)
{
    int64_t& sum = value(stack, labels, type);
    // The addition wraps on overflow, as in D's sum().
    sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(number));
}

void PprofProfile::raise(const Locations& stack, const Labels& labels, std::size_t type, int64_t number)
{
    int64_t& most = value(stack, labels, type);
    most = most == 0 ? number : std::max(most, number);
}

void PprofProfile::clear(std::size_t type)
{
    for (auto& [sample, values] : samples_)
        if (type < values.size())
            values[type] = 0;
}

/// Writes the mappings of executables before those of libraries.
template <typename Writer> void PprofProfile::write_mappings(Writer& profile) const
{
    for (const bool programs : {true, false})
        for (std::size_t i = 0; i < mappings_.size(); ++i) {
            const Mapping& mapping = mappings_[i];
            if (mapping.is_program != programs)
                continue;
            Writer out(profile, profile_field::kMapping);
            out.add_uint64(mapping_field::kId, i + 1);
            out.add_uint64(mapping_field::kStart, mapping.start);
            out.add_uint64(mapping_field::kLimit, mapping.end);
            out.add_uint64(mapping_field::kOffset, mapping.offset);
            out.add_int64(mapping_field::kFilename, static_cast<int64_t>(mapping.path));
            out.add_int64(mapping_field::kBuildId, static_cast<int64_t>(mapping.build_id));
            out.add_bool(mapping_field::kHasFunctions, mapping.has_functions);
            out.add_bool(mapping_field::kHasFilenames, mapping.has_lines);
            out.add_bool(mapping_field::kHasLines, mapping.has_lines);
            out.add_bool(mapping_field::kHasInlined, mapping.has_inlined);
        }
}

template <typename Writer> void PprofProfile::write_locations(Writer& profile) const
{
    uint64_t id = 0;
    for (const Location* location : by_number(location_ids_, 1)) {
        Writer out(profile, profile_field::kLocation);
        out.add_uint64(location_field::kId, ++id);
        if (location->mapping != 0)
            out.add_uint64(location_field::kMapping, location->mapping);
        out.add_uint64(location_field::kAddress, location->address);
        for (const Line& each : location->lines) {
            Writer line(out, location_field::kLine);
            line.add_uint64(line_field::kFunction, each.function);
            line.add_int64(line_field::kLine, static_cast<int64_t>(each.line));
        }
    }
    id = 0;
    for (const Function* function : by_number(function_ids_, 1)) {
        Writer out(profile, profile_field::kFunction);
        out.add_uint64(function_field::kId, ++id);
        out.add_int64(function_field::kName, static_cast<int64_t>(function->first));
        out.add_int64(function_field::kSystemName, static_cast<int64_t>(function->first));
        out.add_int64(function_field::kFilename, static_cast<int64_t>(function->second));
    }
}

template <typename Writer> void PprofProfile::write_samples(Writer& profile) const
{
    for (const auto& [sample, values] : samples_) {
        if (std::all_of(values.begin(), values.end(), [](int64_t value) { return value == 0; }))
            continue;
        Values all = values;
        all.resize(types_.size());
        Writer out(profile, profile_field::kSample);
        out.add_packed_uint64(sample_field::kLocationId, sample.stack.begin(), sample.stack.end());
        out.add_packed_int64(sample_field::kValue, all.begin(), all.end());
        for (const auto& [key, text] : sample.labels) {
            Writer label(out, sample_field::kLabel);
            label.add_int64(label_field::kKey, static_cast<int64_t>(key));
            label.add_int64(label_field::kText, static_cast<int64_t>(text));
        }
    }
}

std::string PprofProfile::encoded(uint64_t began, uint64_t lasted) const
{
    using Writer = protozero::pbf_writer;
    std::string bytes;
    Writer profile(bytes);
    for (const auto& [name, unit] : types_) {
        Writer type(profile, profile_field::kSampleType);
        type.add_int64(value_type_field::kType, static_cast<int64_t>(name));
        type.add_int64(value_type_field::kUnit, static_cast<int64_t>(unit));
    }
    write_samples(profile);
    write_mappings(profile);
    write_locations(profile);
    for (const std::string* text : by_number(strings_, 0))
        profile.add_string(profile_field::kStringTable, *text);
    profile.add_int64(profile_field::kTimeNanos, static_cast<int64_t>(began));
    profile.add_int64(profile_field::kDurationNanos, static_cast<int64_t>(lasted));
    for (const uint64_t text : comments_)
        profile.add_int64(profile_field::kComment, static_cast<int64_t>(text));
    return bytes;
}

std::string gzipped(std::string_view bytes)
{
    // Arguments of deflateInit2(): kGzip is added to the window bits to get a gzip header; kMemory is the default
    // memory level.
    constexpr int kGzip = 16, kMemory = 8;
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return {};
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.resize(done ? stream.total_out : 0);
    deflateEnd(&stream);
    return packed;
}

} // namespace dt::output
