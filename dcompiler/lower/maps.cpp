// Maps and data sections of the object, each made when the first clause uses it: what is not used is not there.
#include "dcompiler/lower/clause.hpp"

#include <algorithm>
#include <cerrno>

namespace dt::lower {

namespace {

// A value of task storage (BPF_LOCAL_STORAGE_MAX_VALUE_SIZE in the kernel: 65,535 less what the kernel keeps beside it).
constexpr uint32_t kMostTaskStorage = 65'000;
constexpr uint32_t kMostFollowed = 32768;            // processes: as many as there are on a machine, unless that was changed
constexpr uint32_t kFirstAggregationEntries = 65536; // where the hash of an aggregation may grow: 1 MiB of buckets

} // namespace

uint32_t ModuleLowering::add_map(ir::Map map)
{
    const auto [found, fresh] = maps_.try_emplace(map.name, static_cast<uint32_t>(out.module.maps.size()));
    if (fresh)
        out.module.maps.push_back(std::move(map));
    return found->second;
}

/// A hash of so many elements. The kernel makes none without any: where the option has room for none, nothing is put into it.
uint32_t ModuleLowering::add_limited_map(ir::Map map, uint64_t entries)
{
    constexpr uint64_t kMost = 1u << 30;
    map.max_entries = static_cast<uint32_t>(std::clamp<uint64_t>(entries, 1, kMost));
    const uint32_t index = add_map(std::move(map));
    if (entries == 0)
        without_room_.insert(index);
    return index;
}

ir::Value ModuleLowering::put(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element, PutFlags flags) const
{
    if (!has_room(map))
        return b.constant(-E2BIG);
    return b.call_helper(kMapUpdate, {b.map_ref(map), key, element, b.constant(flags)});
}

uint32_t ModuleLowering::add_data(ir::Data data)
{
    out.module.data.push_back(std::move(data));
    return static_cast<uint32_t>(out.module.data.size() - 1);
}

uint32_t ModuleLowering::buffers_map()
{
    return add_map({DT_MAP_BUFFERS, kMapPerfEventArray, 4, 4, world.target().cpus, 0});
}

uint32_t ModuleLowering::lanes_map()
{
    return add_map({DT_MAP_LANES, kMapArrayOfMaps, 4, 4, world.target().cpus, 0});
}

uint32_t ModuleLowering::lane_state_map()
{
    return add_map({DT_MAP_LANE_STATE, kMapArray, 4, sizeof(dt_lane), world.target().cpus, kMmapable});
}

uint32_t ModuleLowering::no_programs_map()
{
    return add_map({"no_programs", kMapProgArray, 4, 4, 1, 0});
}

uint32_t ModuleLowering::losses_map()
{
    return add_map({DT_MAP_LOSSES, kMapArray, 4, sizeof(dt_losses), world.target().cpus, kMmapable});
}

uint32_t ModuleLowering::scratch_map()
{
    const uint32_t index = add_map({DT_MAP_SCRATCH, kMapArray, 4, 8, world.target().cpus * DT_SLOTS, 0});
    out.module.maps[index].value_size = scratch_size;
    return index;
}

uint32_t ModuleLowering::unkeyed_map(const AggregationSchema& wanted)
{
    if (const auto made = maps_.find(wanted.map); made != maps_.end()) // asked for by every statement: its size is worked out once
        return made->second;
    uint32_t size = 0;
    for (const AggregationSchema& schema : out.schema.aggregations)
        if (schema.map == wanted.map)
            size = std::max(size, schema.offset + 8 + schema.words * 8);
    if (size > kMostPercpuValue)
        return add_map({wanted.map, kMapArray, 4, size, world.target().cpus, 0});
    return add_map({wanted.map, kMapPercpuArray, 4, size, 1, 0});
}

uint32_t ModuleLowering::cpu_map(const std::string& name, uint32_t size)
{
    return add_map({name, kMapPercpuArray, 4, size, 1, 0});
}

uint32_t ModuleLowering::hash_map(const std::string& name, uint32_t key, uint32_t value, uint32_t entries)
{
    return add_map({name, kMapHash, key, value, entries, 0});
}

uint32_t ModuleLowering::cgroup_map()
{
    return add_map({DT_MAP_CGROUP, kMapCgroupArray, 4, 4, 1, 0});
}

uint32_t ModuleLowering::followed_map()
{
    return add_map({DT_MAP_FOLLOWED, kMapHash, 4, 4, kMostFollowed, world.features().hash_no_prealloc ? kNoPrealloc : 0});
}

uint32_t ModuleLowering::self_map()
{
    const uint32_t size = std::max<uint32_t>(8, self_size_);
    if (!self_is_hash() && size > kMostTaskStorage)
        diagnostics.error("D_UNKNOWN", self_slots_.begin()->first->at,
                          "the self-> variables take " + std::to_string(size) + " bytes of each thread and the kernel allows " +
                              std::to_string(kMostTaskStorage),
                          "use an associative array, keyed by tid");
    if (self_is_hash()) {
        const uint64_t entries = options.dynvarsize / (8 + size);
        return add_limited_map({DT_MAP_SELF, kMapHash, 8, size, 1, world.features().hash_no_prealloc ? kNoPrealloc : 0}, entries);
    }
    return add_map({DT_MAP_SELF, kMapTaskStorage, 4, size, 0, kNoPrealloc});
}

uint32_t ModuleLowering::aggregation_map(const Aggregation& aggregation)
{
    const AggregationSchema& schema = agg_schema(aggregation);
    const uint32_t value = schema.words * 8;
    uint64_t entries = options.aggsize / (schema.key_size + value);
    if (!schema.more.empty())
        entries = std::min<uint64_t>(entries, kFirstAggregationEntries);
    // Where a program runs the kernel finds per-CPU memory for a few new keys at a time only (6.1: 16 KiB, then more later). What has no
    // overflow map to go to gets its memory at the start, if that is not too much.
    constexpr uint64_t kMostUpFront = 16384;
    const bool up_front = !grows_ && entries <= kMostUpFront;
    return add_limited_map({schema.map, kMapPercpuHash, schema.key_size, value, 1, world.features().hash_no_prealloc && !up_front ? kNoPrealloc : 0}, entries);
}

uint32_t ModuleLowering::brief_map(const Aggregation& aggregation)
{
    const AggregationSchema& schema = agg_schema(aggregation);
    return add_map(
        {schema.brief, kMapPercpuHash, schema.brief_size, schema.words * 8, kFirstAggregationEntries, world.features().hash_no_prealloc ? kNoPrealloc : 0});
}

uint32_t ModuleLowering::overflow_map(const Aggregation& aggregation)
{
    return add_map({agg_schema(aggregation).more, kMapArrayOfMaps, 4, 4, 1, 0});
}

uint32_t ModuleLowering::array_map(const Variable& variable)
{
    uint32_t key = tuple_prefix(variable);
    for (const Type* type : variable.keys)
        key += align_up(storage_size(type), 8);
    const uint32_t value = align_up(storage_size(variable.type), 8);
    const uint64_t entries = options.dynvarsize / (key + value);
    const std::string name = shared_                         ? "arr_" + shape_name(key, value)
                             : variable.scope == Scope::Self ? "tls_" + std::to_string(variable.index)
                                                             : "arr_" + std::to_string(variable.index);
    return add_limited_map({name, kMapHash, key, value, 1, world.features().hash_no_prealloc ? kNoPrealloc : 0}, entries);
}

uint32_t ModuleLowering::state_data()
{
    if (!state_)
        state_ = add_data({"dt_state", DT_SECTION_STATE, sizeof(dt_state), 8, {}});
    return *state_;
}

uint32_t ModuleLowering::global_data(const Variable& variable)
{
    auto found = globals_.find(&variable);
    if (found == globals_.end()) {
        const uint32_t text = string_size() + (nullable(variable) ? 8 : 0);
        const uint32_t size = variable.type->is_string() ? text : align_up(storage_size(variable.type), 8);
        found = globals_.emplace(&variable, add_data({"var_" + variable.name, DT_SECTION_STATE, size, 8, {}})).first;
    }
    return found->second;
}

uint32_t ModuleLowering::literal_data(const std::string& text)
{
    auto found = literals_.find(text);
    if (found == literals_.end()) {
        // Rounded up so that whole words may be loaded from it.
        std::vector<uint8_t> bytes(text.begin(), text.end());
        bytes.resize(align_up(static_cast<uint32_t>(text.size()) + 1, 8), 0);
        const uint32_t size = static_cast<uint32_t>(bytes.size());
        found = literals_.emplace(text, add_data({"str_" + std::to_string(literals_.size()), ".rodata", size, 8, std::move(bytes)})).first;
    }
    return found->second;
}

uint32_t ModuleLowering::zeros_data(uint32_t size)
{
    zeros_size_ = std::max(zeros_size_, align_up(size, 8));
    if (!zeros_)
        zeros_ = add_data({"zeros", ".rodata", zeros_size_, 8, {}});
    ir::Data& data = out.module.data[*zeros_];
    data.size = zeros_size_;
    data.bytes.assign(zeros_size_, 0);
    return *zeros_;
}

uint32_t ModuleLowering::error_frames()
{
    if (!error_frames_)
        error_frames_ = std::exchange(this_stack_, this_stack_ + 8);
    return *error_frames_;
}

uint32_t ModuleLowering::span_words()
{
    if (!span_words_)
        span_words_ = std::exchange(this_stack_, this_stack_ + 8 * SpanWords::kCount);
    return *span_words_;
}

uint32_t ModuleLowering::spec_data()
{
    if (!spec_) {
        const uint32_t size = static_cast<uint32_t>((std::min<uint64_t>(options.nspec, 1u << 20) + 1) * sizeof(dt_spec));
        spec_ = add_data({"dt_specs", DT_SECTION_SPEC, size, 8, std::vector<uint8_t>(size, 0)});
    }
    return *spec_;
}

uint32_t ModuleLowering::more_data()
{
    if (!more_) {
        const auto size = static_cast<uint32_t>(out.schema.aggregations.size() * 8);
        more_ = add_data({"dt_more", DT_SECTION_MORE, size, 8, std::vector<uint8_t>(size, 0)});
    }
    return *more_;
}

ModuleLowering::Tick ModuleLowering::new_tick()
{
    if (!ticks_)
        ticks_ = add_data({"dt_ticks", DT_SECTION_TICKS, 0, 8, {}});
    ir::Data& data = out.module.data[*ticks_];
    const uint32_t place = data.size / sizeof(dt_tick);
    data.bytes.resize(data.size + offsetof(dt_tick, limit), 0);
    data.bytes.resize(data.size + sizeof(dt_tick), 0xff);
    data.size += sizeof(dt_tick);
    return {*ticks_, place};
}

uint32_t ModuleLowering::names_table(uint32_t stride)
{
    std::vector<uint8_t> bytes(out.schema.names.size() * stride, 0);
    for (std::size_t i = 0; i < out.schema.names.size(); ++i)
        std::copy(out.schema.names[i].begin(), out.schema.names[i].end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * stride));
    if (!names_table_)
        names_table_ = add_data({"names", ".rodata", 0, 8, {}});
    ir::Data& data = out.module.data[*names_table_];
    data.size = static_cast<uint32_t>(bytes.size());
    data.bytes = std::move(bytes);
    return *names_table_;
}

/// As every string it ends at strsize, so names that are one then have one id.
uint32_t ModuleLowering::name_id(const std::string& whole)
{
    const std::string name = whole.substr(0, options.strsize);
    const auto [found, fresh] = names_.try_emplace(name, static_cast<uint32_t>(out.schema.names.size()));
    if (fresh)
        out.schema.names.push_back(name);
    return found->second;
}

} // namespace dt::lower
