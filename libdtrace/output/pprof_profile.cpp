// Encodes messages of profile.proto; the constants are its field numbers, grouped by message.
#include "libdtrace/output/pprof_profile.hpp"

#include <algorithm>
#include <protozero/pbf_writer.hpp>

namespace dt::output {
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

/// Returns whether a file is an executable, by the rule that pprof uses. The first mapping of a profile must be the
/// executable.
bool is_program_file(std::string_view path)
{
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return !name.empty() && name.front() != '[' && !name.ends_with(".so") && name.find(".so.") == std::string::npos;
}

/// Returns the keys of a map from content to numbers, ordered by number.
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
    sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(number)); // wraps like D's sum()
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

/// Writes the executables before their libraries.
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

} // namespace dt::output
