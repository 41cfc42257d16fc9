#include "libdtrace/postmortem/dumped_maps.hpp"

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>

namespace dt::postmortem {
namespace {

constexpr uint64_t kMostNodes = 1 << 20; // limit of nodes in the list of maps
constexpr uint64_t kMostBufferPages = 1 << 20;
constexpr uint32_t kMostCpus = 1 << 14;

/// Structure members whose offsets are needed. find_places() returns false if the kernel lacks one of them.
struct Place {
    const char *structure, *member;
    uint64_t& offset;
};

bool find_places(const DumpedKernel& kernel, std::initializer_list<Place> places)
{
    return std::all_of(places.begin(), places.end(), [&](const Place& place) {
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

/// Reader of the list of maps, which is an IDR: a tree in which the low bits of pointers distinguish nodes from entries
/// (linux/xarray.h).
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
            return Error{"the maps of its kernel are not where they are looked for"};
        visit(first, kMostDepth);
        return std::move(maps_);
    }

private:
    static constexpr unsigned kMostDepth = 8;

    void visit(uint64_t entry, unsigned depth)
    {
        constexpr uint64_t kKindBits = 3, kInternal = 2, kLastThatIsNone = 4096;
        if (entry <= kLastThatIsNone || nodes_++ > kMostNodes)
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

/// Offsets of members of the kernel's struct perf_buffer.
struct BufferPlaces {
    uint64_t pages = 0, count = 0, control = 0, head = 0;
};

bool read_buffer(const DumpedKernel& kernel, const BufferPlaces& places, uint64_t address, DumpedBuffer& buffer)
{
    KernelDump& dump = kernel.dump();
    const uint64_t page = dump.page_size();
    int32_t count = 0;
    if (!dump.read_as(address + places.count, count) || count <= 0 || static_cast<uint64_t>(count) > kMostBufferPages ||
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
        return Error{"the buffers of its kernel are not what they are taken for"};
    std::vector<DumpedBuffer> buffers;
    for (uint32_t cpu = 0; cpu < std::min(map.entries, kMostCpus); ++cpu) {
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
