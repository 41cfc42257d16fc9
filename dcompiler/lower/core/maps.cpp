// Creates the maps and data sections of the object, and defines their contents.
#include "dcompiler/lower/core/maps.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace dt::lower {

namespace {

// Size limit of a task storage value (BPF_LOCAL_STORAGE_MAX_VALUE_SIZE in the kernel: 65,535 minus the kernel's own
// data).
constexpr uint32_t kMaxTaskStorage = 65'000;
constexpr uint32_t kMaxFollowed = 32768; // maximum number of followed processes: a machine's default limit of processes
// An aggregation that may grow starts with this number of elements in its first map: the kernel needs 1 MiB for the
// map's buckets.
constexpr uint32_t kFirstAggregationEntries = 65536;

} // namespace

uint32_t Maps::add(ir::Map map)
{
    const auto [found, fresh] = made_.try_emplace(map.name, static_cast<uint32_t>(module_.out.module.maps.size()));
    if (fresh)
        module_.out.module.maps.push_back(std::move(map));
    return found->second;
}

/// Adds a hash map with this number of elements. The kernel allows no map without elements, so the map has at least
/// one. If options allow no elements, programs put nothing into it.
uint32_t Maps::add_limited(ir::Map map, uint64_t entries)
{
    constexpr uint64_t kMax = 1u << 30;
    map.max_entries = static_cast<uint32_t>(std::clamp<uint64_t>(entries, 1, kMax));
    const uint32_t index = add(std::move(map));
    if (entries == 0)
        without_room_.insert(index);
    return index;
}

uint32_t Maps::bounded(std::string name, uint32_t key, uint32_t value)
{
    return add_limited({std::move(name), kMapHash, key, value, 1, as_it_fills()},
                       module_.options.dynvarsize / (key + value));
}

/// Adds the map of a dynamic variable. For a map that evicts old elements, the kernel preallocates the memory.
uint32_t Maps::add_dynamic(std::string name, uint32_t key, uint32_t value)
{
    if (layout_.replaces_elements())
        return add_limited({std::move(name), kMapLruHash, key, value, 1, 0},
                           module_.options.dynvarsize / (key + value));
    return bounded(std::move(name), key, value);
}

ir::Value Maps::put(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element, PutFlags flags) const
{
    if (!has_room(map))
        return b.constant(-E2BIG);
    return b.call_helper(kMapUpdate, {b.map_ref(map), key, element, b.constant(flags)});
}

uint32_t Maps::scratch()
{
    const uint32_t index = add({DT_MAP_SCRATCH, kMapArray, 4, 8, cpus() * DT_SLOTS, 0});
    module_.out.module.maps[index].value_size = layout_.scratch_size;
    return index;
}

uint32_t Maps::followed()
{
    return add({DT_MAP_FOLLOWED, kMapHash, 4, 4, kMaxFollowed, as_it_fills()});
}

uint32_t Maps::self()
{
    const uint32_t size = std::max<uint32_t>(8, layout_.self_size());
    const auto& all = module_.program.variables;
    const auto is_self = [](const Variable& variable) {
        return variable.scope == Scope::Self && variable.keys.empty();
    };
    if (!layout_.self_is_hash() && size > kMaxTaskStorage)
        module_.diagnostics.error("D_UNKNOWN", std::find_if(all.begin(), all.end(), is_self)->at,
                                  "the self-> variables take " + std::to_string(size) +
                                      " bytes for each thread, but the kernel allows " +
                                      std::to_string(kMaxTaskStorage),
                                  "use an associative array with tid as its key");
    if (!layout_.self_is_hash())
        return per_thread(DT_MAP_SELF, size);
    const uint32_t map = add_dynamic(DT_MAP_SELF, 8, size);
    if (!module_.world.features().task_storage)
        threads_.insert(map);
    return map;
}

uint32_t Maps::unkeyed(const AggregationSchema& wanted)
{
    if (const auto made = made_.find(wanted.map);
        made != made_.end()) // if the map exists, do not compute its size again
        return made->second;
    uint32_t size = 0;
    for (const AggregationSchema& schema : module_.out.schema.aggregations)
        if (schema.map == wanted.map)
            size = std::max(size, schema.offset + 8 + schema.words * 8);
    if (size > kMaxPercpuValue)
        return add({wanted.map, kMapArray, 4, size, cpus(), 0});
    return per_cpu(wanted.map, size);
}

uint32_t Maps::aggregation(const Aggregation& aggregation)
{
    const AggregationSchema& schema = layout_.agg_schema(aggregation);
    const CpuElements elements(schema);
    const uint32_t key = schema.digested ? elements.map_key_size() : schema.key_size;
    const uint32_t value = schema.digested ? elements.map_value_size() : schema.words * 8;
    uint64_t entries = module_.options.aggsize / (key + value);
    if (schema.digested && schema.overflow_map.empty()) // option aggsize limits an aggregation's memory on each CPU
        entries *= cpus();
    if (!schema.overflow_map.empty())
        entries = std::min<uint64_t>(entries, module_.options.aggttl != 0 ? 1 : kFirstAggregationEntries);
    // While a program runs, the kernel can allocate per-CPU memory for only a few new keys (Linux 6.1: 16 KiB, later
    // more). Keys that find no room go to the overflow map. A map without an overflow map is therefore preallocated, if
    // it is small enough.
    constexpr uint64_t kMaxUpFront = 16384;
    const bool up_front = schema.overflow_map.empty() && entries <= kMaxUpFront;
    return add_limited({schema.map, schema.digested ? kMapHash : kMapPercpuHash, key, value, 1,
                        module_.world.features().hash_no_prealloc && !up_front ? kNoPrealloc : 0},
                       entries);
}

uint32_t Maps::short_keys_map(const Aggregation& aggregation)
{
    const AggregationSchema& schema = layout_.agg_schema(aggregation);
    return add({schema.short_keys_map, kMapPercpuHash, schema.short_key_size, schema.words * 8,
                kFirstAggregationEntries, as_it_fills()});
}

uint32_t Maps::overflow(const Aggregation& aggregation)
{
    return add({layout_.agg_schema(aggregation).overflow_map, kMapArrayOfMaps, 4, 4, 1, 0});
}

uint32_t Maps::array(const Variable& variable)
{
    const uint32_t tuple = layout_.tuple_size(variable);
    const uint32_t key = layout_.needs_digest(tuple) ? CpuElements::kDigestSize : tuple;
    const uint32_t value = align_up(layout_.storage_size(variable.type), 8);
    const std::string name = layout_.shares_maps()           ? "arr_" + Layout::shape_name(key, value)
                             : variable.scope == Scope::Self ? "tls_" + std::to_string(variable.index)
                                                             : "arr_" + std::to_string(variable.index);
    return add_dynamic(name, key, value);
}

DataSections::DataSections(ModuleState& module, const Layout& layout) : module_(module), layout_(layout)
{
    state(); // dt_state is created first, because the session expects it at the start of .bss
}

uint32_t DataSections::add(ir::Data data)
{
    module_.out.module.data.push_back(std::move(data));
    return static_cast<uint32_t>(module_.out.module.data.size() - 1);
}

uint32_t DataSections::once(const std::string& name, const std::function<ir::Data()>& make)
{
    const auto [found, fresh] = made_.try_emplace(name, static_cast<uint32_t>(module_.out.module.data.size()));
    if (fresh)
        add(make());
    return found->second;
}

uint32_t DataSections::state()
{
    return once("dt_state", [] { return ir::Data{"dt_state", DT_SECTION_STATE, sizeof(dt_state), 8, {}}; });
}

uint32_t DataSections::global(const Variable& variable)
{
    const std::string name = "var_" + variable.name;
    return once(name, [&] {
        const uint32_t text = layout_.string_size() + (layout_.nullable(variable) ? 8 : 0);
        return ir::Data{name,
                        DT_SECTION_STATE,
                        variable.type->is_string() ? text : align_up(layout_.storage_size(variable.type), 8),
                        8,
                        {}};
    });
}

uint32_t DataSections::shared(const std::string& name, uint32_t value)
{
    return once("shared_" + name, [&] {
        const uint32_t size = Layout::shared_stride(value) * layout_.shared_places(value);
        return ir::Data{"shared_" + name, DT_SECTION_STATE, size, 8, {}};
    });
}

uint32_t DataSections::literal(const std::string& text)
{
    const auto [found, fresh] = literals_.try_emplace(text, 0);
    if (fresh) {
        // The size is rounded up to whole words, because programs load the string word by word.
        std::vector<uint8_t> bytes(text.begin(), text.end());
        bytes.resize(align_up(static_cast<uint32_t>(text.size()) + 1, 8), 0);
        const uint32_t size = static_cast<uint32_t>(bytes.size());
        found->second = add({"str_" + std::to_string(literals_.size() - 1), ".rodata", size, 8, std::move(bytes)});
    }
    return found->second;
}

uint32_t DataSections::zeros(uint32_t size)
{
    const uint32_t index = once("zeros", [] { return ir::Data{"zeros", ".rodata", 0, 8, {}}; });
    at(index).size = std::max(at(index).size, align_up(size, 8));
    at(index).bytes.assign(at(index).size, 0);
    return index;
}

uint32_t DataSections::dropped(uint32_t size)
{
    const uint32_t index = once("dt_dropped", [] { return ir::Data{"dt_dropped", DT_SECTION_STATE, 0, 8, {}}; });
    at(index).size = std::max(at(index).size, align_up(size, 8));
    return index;
}

uint32_t DataSections::speculations()
{
    return once("dt_specs", [this] {
        const uint32_t size =
            static_cast<uint32_t>((std::min<uint64_t>(module_.options.nspec, 1u << 20) + 1) * sizeof(dt_spec));
        return ir::Data{"dt_specs", DT_SECTION_SPEC, size, 8, std::vector<uint8_t>(size, 0)};
    });
}

uint32_t DataSections::sent()
{
    return once("dt_sent", [] {
        return ir::Data{"dt_sent", DT_SECTION_SENT, sizeof(dt_sent), 8, std::vector<uint8_t>(sizeof(dt_sent), 0)};
    });
}

uint32_t DataSections::overflow_keys()
{
    return once("dt_overflow_keys", [this] {
        const auto size = static_cast<uint32_t>(module_.out.schema.aggregations.size() * 8);
        return ir::Data{"dt_overflow_keys", DT_SECTION_OVERFLOW_KEYS, size, 8, std::vector<uint8_t>(size, 0)};
    });
}

} // namespace dt::lower
