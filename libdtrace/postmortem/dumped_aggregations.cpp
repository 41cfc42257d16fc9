// Finds the BPF maps in a kernel dump by following the kernel's data structures, and reads the aggregations in the
// maps.
#include "libdtrace/postmortem/dumped_aggregations.hpp"

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace dt::postmortem {
namespace {

constexpr std::size_t kMaxCpusOfDump = 1 << 13;
// maximum number of elements read from one hash map
constexpr uint64_t kMaxElements = 1 << 24;
// maximum size of a map value in bytes
constexpr std::size_t kMaxValue = 1 << 20;

std::size_t round_to_word(std::size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/// Returns whether a key belongs to the aggregation. In a map that several aggregations share, keys begin with the id
/// of their aggregation.
bool is_of(const AggregationSchema& schema, std::span<const uint8_t> key)
{
    uint64_t id = schema.id;
    if (schema.shared)
        std::memcpy(&id, key.data(), std::min(sizeof id, key.size()));
    return id == schema.id;
}

/// Returns each possible CPU's offset of per-CPU data (__per_cpu_offset), or an empty list if the dump does not contain
/// the offsets.
std::vector<uint64_t> read_cpu_offsets(const DumpedKernel& kernel)
{
    const uint64_t at = kernel.symbol("__per_cpu_offset"), count_at = kernel.symbol("nr_cpu_ids");
    uint32_t count = 0;
    if (at == 0 || count_at == 0 || !kernel.dump().read_as(count_at, count) || count > kMaxCpusOfDump)
        return {};
    std::vector<uint64_t> offsets(count);
    const bool is_there =
        kernel.dump().read(at, {reinterpret_cast<uint8_t*>(offsets.data()), count * sizeof(uint64_t)});
    return is_there ? offsets : std::vector<uint64_t>();
}

} // namespace

DumpedAggregations::DumpedAggregations(const DumpedKernel& kernel, MapsOfTrace maps)
    : kernel_(kernel), maps_(std::move(maps)), offsets_(read_cpu_offsets(kernel))
{
}

Result<void> DumpedAggregations::read(const AggregationSchema& schema, const Visit& visit)
{
    bool is_whole = !offsets_.empty();
    const auto read_from = [&](const std::string& name, auto how) {
        const DumpedMap* const map = name.empty() ? nullptr : maps_.by_name(name);
        is_whole &= name.empty() || (map && map->value_size <= kMaxValue && how(*map));
    };
    read_from(schema.map, [&](const DumpedMap& map) {
        if (schema.digested)
            return read_cpu_elements(schema, map, visit);
        return schema.key_size != 0 ? read_hash(schema, map, schema.key_size, visit) : read_array(schema, map, visit);
    });
    read_from(schema.short_keys_map,
              [&](const DumpedMap& map) { return read_hash(schema, map, schema.short_key_size, visit); });
    read_from(schema.overflow_map, [&](const DumpedMap& map) { return read_overflow(schema, map, visit); });
    if (!is_whole && reported_.insert(schema.id).second)
        unread_.push_back("@" + schema.name);
    return {};
}

/// Reads a per-CPU value: `stride` bytes for each possible CPU. `of` is the per-CPU address of the value: a CPU's value
/// is at this address plus the CPU's offset.
bool DumpedAggregations::read_per_cpu(uint64_t of, std::size_t stride, std::vector<uint8_t>& values)
{
    values.assign(stride * offsets_.size(), 0);
    for (std::size_t cpu = 0; cpu < offsets_.size(); ++cpu)
        if (!kernel_.dump().read(of + offsets_[cpu], std::span(values).subspan(cpu * stride, stride)))
            return false;
    return true;
}

bool DumpedAggregations::read_array(const AggregationSchema& schema, const DumpedMap& map, const Visit& visit)
{
    const std::size_t stride = round_to_word(map.value_size);
    const std::size_t wanted = schema.offset + sizeof(uint64_t) * (1 + std::size_t{schema.words});
    const auto elements = kernel_.offset("bpf_array", "value");
    if (stride < wanted || !elements)
        return false;
    std::vector<uint8_t> values;
    if (map.type == BPF_MAP_TYPE_ARRAY) { // a large aggregation has an array map with one element per CPU
        values.resize(stride * std::min<std::size_t>(map.entries, offsets_.size()));
        if (values.size() < stride * offsets_.size() || !kernel_.dump().read(map.address + *elements, values))
            return false;
    } else {
        uint64_t first = 0;
        if (!kernel_.dump().read_as(map.address + *elements, first) || !read_per_cpu(first, stride, values))
            return false;
    }
    visit(nullptr, values.data() + schema.offset, stride);
    return true;
}

/// Calls `handle` for each element of a hash map. Each bucket of the map is a linked list that ends with an odd number
/// instead of a pointer.
bool DumpedAggregations::for_each_element(const DumpedMap& map, const std::function<bool(uint64_t element)>& handle)
{
    const auto buckets_at = kernel_.offset("bpf_htab", "buckets"), count_at = kernel_.offset("bpf_htab", "n_buckets"),
               head_at = kernel_.offset("bucket", "head"), next_at = kernel_.offset("htab_elem", "hash_node");
    const auto bucket_size = kernel_.size("bucket");
    uint64_t buckets = 0;
    uint32_t count = 0;
    if (!buckets_at || !count_at || !head_at || !next_at || !bucket_size ||
        !kernel_.dump().read_as(map.address + *buckets_at, buckets) ||
        !kernel_.dump().read_as(map.address + *count_at, count))
        return false;
    uint64_t elements = 0;
    bool is_whole = true;
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t element = 1;
        is_whole &= kernel_.dump().read_as(buckets + i * *bucket_size + *head_at, element);
        while ((element & 1) == 0 && element != 0 && ++elements < kMaxElements) {
            is_whole &= handle(element);
            if (!kernel_.dump().read_as(element + *next_at, element))
                return false;
        }
    }
    return is_whole && elements < kMaxElements;
}

bool DumpedAggregations::read_hash(const AggregationSchema& schema, const DumpedMap& map, uint32_t key_size,
                                   const Visit& visit)
{
    return map.key_size == key_size && map.value_size >= schema.words * sizeof(int64_t) &&
           for_each_element(map, [&](uint64_t element) { return read_element(schema, map, element, visit); });
}

/// Reads the overflow map if it exists. The overflow map is a hash map and the only element of an array of maps. Each
/// of its keys ends with the index of a CPU.
bool DumpedAggregations::read_overflow(const AggregationSchema& schema, const DumpedMap& outer, const Visit& visit)
{
    const auto elements = kernel_.offset("bpf_array", "ptrs");
    uint64_t inner = 0;
    if (!elements || !kernel_.dump().read_as(outer.address + *elements, inner))
        return false;
    const DumpedMap* const map = maps_.at_address(inner);
    return inner == 0 || (map && read_cpu_elements(schema, *map, visit));
}

/// Reads a hash map that has an element for each key and CPU.
bool DumpedAggregations::read_cpu_elements(const AggregationSchema& schema, const DumpedMap& map, const Visit& visit)
{
    const CpuElements parts(schema);
    const auto key_at = kernel_.offset("htab_elem", "key");
    if (!key_at || map.key_size != parts.map_key_size() || map.value_size != parts.map_value_size())
        return false;
    const std::size_t size = schema.words * sizeof(int64_t);
    std::vector<uint8_t> map_key(map.key_size), value(map.value_size), values(size * offsets_.size());
    return for_each_element(map, [&](uint64_t element) {
        if (!kernel_.dump().read(element + *key_at, map_key) ||
            !kernel_.dump().read(element + *key_at + round_to_word(map.key_size), value))
            return false;
        const uint64_t cpu = parts.cpu(map_key.data());
        if (cpu >= offsets_.size())
            return false;
        const uint8_t* const key = parts.key(map_key.data(), value.data());
        std::memcpy(values.data() + cpu * size, parts.words(value.data()), size);
        if (is_of(schema, {key, schema.key_size}))
            visit(key, values.data(), size);
        std::memset(values.data() + cpu * size, 0, size);
        return true;
    });
}

/// Reads an element of a per-CPU hash map: the key, then the per-CPU address of the value. If the map's keys are
/// shorter than the keys of the aggregation, they are padded with zeros.
bool DumpedAggregations::read_element(const AggregationSchema& schema, const DumpedMap& map, uint64_t element,
                                      const Visit& visit)
{
    const auto key_at = kernel_.offset("htab_elem", "key");
    const std::size_t stride = round_to_word(map.value_size);
    std::vector<uint8_t> key(schema.key_size, 0), values;
    uint64_t first = 0;
    if (!key_at || !kernel_.dump().read(element + *key_at, std::span(key).first(map.key_size)) ||
        !kernel_.dump().read_as(element + *key_at + round_to_word(map.key_size), first) ||
        !read_per_cpu(first, stride, values))
        return false;
    if (is_of(schema, key))
        visit(key.data(), values.data(), stride);
    return true;
}

namespace {

constexpr uint64_t kMaxNodes = 1 << 20; // maximum number of nodes read from the list of maps
constexpr uint64_t kMaxBufferPages = 1 << 20;
constexpr uint32_t kMaxCpus = 1 << 14;

/// Describes a member of a kernel structure, and points to the variable in which find_places() stores the member's
/// offset. find_places() returns false if the dumped kernel lacks one of the members.
struct MemberOffset {
    const char *structure, *member;
    uint64_t& offset;
};

bool find_places(const DumpedKernel& kernel, std::initializer_list<MemberOffset> places)
{
    return std::all_of(places.begin(), places.end(), [&](const MemberOffset& place) {
        const auto found = kernel.offset(place.structure, place.member);
        place.offset = found.value_or(0);
        return found.has_value();
    });
}

uint64_t pointer_at(const DumpedKernel& kernel, uint64_t address)
{
    uint64_t pointer = 0;
    kernel.dump().read_as(address, pointer);
    return pointer;
}

/// Reads the kernel's list of BPF maps. The list is an IDR: a tree in which the low bits of pointers distinguish nodes
/// from entries (linux/xarray.h).
class MapList {
public:
    explicit MapList(const DumpedKernel& kernel) : kernel_(kernel) {}

    Result<std::vector<DumpedMap>> read()
    {
        uint64_t tree = 0, head = 0;
        slots_count_ = kernel_.elements("xa_node", "slots").value_or(0);
        const bool is_known = find_places(kernel_, {{"idr", "idr_rt", tree},
                                                    {"xarray", "xa_head", head},
                                                    {"xa_node", "slots", slots_},
                                                    {"bpf_map", "name", name_},
                                                    {"bpf_map", "id", number_},
                                                    {"bpf_map", "map_type", type_},
                                                    {"bpf_map", "key_size", key_size_},
                                                    {"bpf_map", "value_size", value_size_},
                                                    {"bpf_map", "max_entries", entries_}});
        const uint64_t list = kernel_.symbol("map_idr");
        uint64_t first = 0;
        if (!is_known || slots_count_ == 0 || slots_count_ > 256 || list == 0 ||
            !kernel_.dump().read_as(list + tree + head, first))
            return Error{"cannot find the BPF maps of its kernel"};
        visit(first, kMaxDepth);
        return std::move(maps_);
    }

private:
    static constexpr unsigned kMaxDepth = 8;

    void visit(uint64_t entry, unsigned depth)
    {
        constexpr uint64_t kKindBits = 3, kInternal = 2, kLastThatIsNone = 4096;
        if (entry <= kLastThatIsNone || nodes_++ > kMaxNodes)
            return;
        if ((entry & kKindBits) == 0)
            return add(entry);
        if ((entry & kKindBits) != kInternal || depth == 0)
            return;
        std::vector<uint64_t> slots(slots_count_);
        if (!kernel_.dump().read((entry & ~kKindBits) + slots_,
                                 {reinterpret_cast<uint8_t*>(slots.data()), slots.size() * sizeof(uint64_t)}))
            return;
        for (const uint64_t slot : slots)
            visit(slot, depth - 1);
    }

    void add(uint64_t address)
    {
        DumpedMap map;
        map.address = address;
        char name[BPF_OBJ_NAME_LEN] = {};
        KernelDump& dump = kernel_.dump();
        if (dump.read_as(address + name_, name) && dump.read_as(address + number_, map.number) &&
            dump.read_as(address + type_, map.type) && dump.read_as(address + key_size_, map.key_size) &&
            dump.read_as(address + value_size_, map.value_size) && dump.read_as(address + entries_, map.entries)) {
            map.name.assign(name, strnlen(name, sizeof name));
            maps_.push_back(std::move(map));
        }
    }

    const DumpedKernel& kernel_;
    uint64_t slots_ = 0, name_ = 0, number_ = 0, type_ = 0, key_size_ = 0, value_size_ = 0, entries_ = 0;
    uint32_t slots_count_ = 0;
    uint64_t nodes_ = 0;
    std::vector<DumpedMap> maps_;
};

/// Offsets of members in the kernel's struct perf_buffer.
struct BufferPlaces {
    uint64_t pages = 0, count = 0, control = 0, head = 0;
};

bool read_buffer(const DumpedKernel& kernel, const BufferPlaces& places, uint64_t address, DumpedBuffer& buffer)
{
    KernelDump& dump = kernel.dump();
    const uint64_t page = dump.page_size();
    int32_t count = 0;
    if (!dump.read_as(address + places.count, count) || count <= 0 || static_cast<uint64_t>(count) > kMaxBufferPages ||
        (count & (count - 1)) != 0)
        return false;
    buffer.mapping.assign((static_cast<uint64_t>(count) + 1) * page, 0);
    const auto page_of_mapping = [&](uint64_t index) { return std::span(buffer.mapping).subspan(index * page, page); };
    if (!dump.read(pointer_at(kernel, address + places.control), page_of_mapping(0)))
        return false;
    for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i)
        if (!dump.read(pointer_at(kernel, address + places.pages + i * sizeof(uint64_t)), page_of_mapping(i + 1)))
            ++buffer.missing_pages;
    return dump.read_as(address + places.head, buffer.reserved);
}

} // namespace

Result<std::vector<DumpedMap>> dumped_maps(const DumpedKernel& kernel)
{
    return MapList(kernel).read();
}

Result<std::vector<DumpedBuffer>> dumped_buffers(const DumpedKernel& kernel, const DumpedMap& map)
{
    uint64_t elements = 0, event_of_entry = 0, buffer_of_event = 0;
    BufferPlaces places;
    if (!find_places(kernel, {{"bpf_array", "ptrs", elements},
                              {"bpf_event_entry", "event", event_of_entry},
                              {"perf_event", "rb", buffer_of_event},
                              {"perf_buffer", "data_pages", places.pages},
                              {"perf_buffer", "nr_pages", places.count},
                              {"perf_buffer", "user_page", places.control},
                              {"perf_buffer", "head", places.head}}))
        return Error{"the perf buffers of its kernel have an unknown layout"};
    std::vector<DumpedBuffer> buffers;
    for (uint32_t cpu = 0; cpu < std::min(map.entries, kMaxCpus); ++cpu) {
        uint64_t at = pointer_at(kernel, map.address + elements + cpu * sizeof(uint64_t));
        at = at != 0 ? pointer_at(kernel, at + event_of_entry) : 0;
        at = at != 0 ? pointer_at(kernel, at + buffer_of_event) : 0;
        DumpedBuffer buffer;
        buffer.cpu = cpu;
        if (at != 0 && read_buffer(kernel, places, at, buffer))
            buffers.push_back(std::move(buffer));
    }
    return buffers;
}

std::vector<uint8_t> dumped_value(const DumpedKernel& kernel, const DumpedMap& map, uint64_t bytes)
{
    uint64_t value = 0;
    std::vector<uint8_t> read(std::min<uint64_t>(bytes, map.value_size));
    if (map.type != BPF_MAP_TYPE_ARRAY || !find_places(kernel, {{"bpf_array", "value", value}}) ||
        !kernel.dump().read(map.address + value, read))
        return {};
    return read;
}

} // namespace dt::postmortem
