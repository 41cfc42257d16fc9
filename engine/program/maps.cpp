#include "engine/program/maps.hpp"

#include <cerrno>
#include <cstring>

namespace dt::vm {

namespace {

// Returns an array index or a task's address as the bytes of a map key: little-endian, as in the kernel.
template <typename T> Bytes key_of(T number)
{
    Bytes key(sizeof number);
    std::memcpy(key.data(), &number, sizeof number);
    return key;
}

} // namespace

Map::Map(const MapSpec& spec, uint32_t cpus, Memory& memory) : spec_(spec), cpus_(cpus), memory_(memory)
{
    if (is_array())
        for (uint32_t i = 0; i < spec_.max_entries; ++i)
            values_[key_of(i)] = make_values();
    put_in_order();
}

/// Lists the addresses of an array's elements, so that a look-up by index needs no search. Elements never move.
void Map::put_in_order()
{
    in_order_.clear();
    for (uint32_t i = 0; is_array() && i < spec_.max_entries; ++i)
        for (const uint64_t address : values_.at(key_of(i)))
            in_order_.push_back(address);
}

bool Map::per_cpu() const
{
    return spec_.type == BPF_MAP_TYPE_PERCPU_HASH || spec_.type == BPF_MAP_TYPE_PERCPU_ARRAY;
}

bool Map::is_array() const
{
    return spec_.type == BPF_MAP_TYPE_ARRAY || spec_.type == BPF_MAP_TYPE_PERCPU_ARRAY;
}

bool Map::has_room() const
{
    return memory_.has_room(uint64_t{spec_.value_size} * (per_cpu() ? cpus_ : 1) + spec_.key_size);
}

Map::Values Map::make_values()
{
    Values values(per_cpu() ? cpus_ : 1);
    for (uint64_t& address : values)
        address = memory_.allocate(spec_.value_size, Kind::MapValue);
    return values;
}

uint64_t Map::lookup(std::span<const uint8_t> key, uint32_t cpu) const
{
    if (uint32_t index = 0; is_array() && key.size() == sizeof index) {
        std::memcpy(&index, key.data(), sizeof index);
        const std::size_t each = per_cpu() ? cpus_ : 1;
        return index < spec_.max_entries ? in_order_[index * each + (per_cpu() ? cpu : 0)] : 0;
    }
    const auto found = values_.find(key);
    return found == values_.end() ? 0 : pick(found->second, cpu);
}

int Map::update(std::span<const uint8_t> key, std::span<const uint8_t> value, uint64_t flags, uint32_t cpu)
{
    if (flags > BPF_EXIST)
        return -EINVAL;
    const auto found = values_.find(key);
    if (is_array()) {
        if (found == values_.end())
            return -E2BIG;
        if (flags == BPF_NOEXIST)
            return -EEXIST;
    } else {
        if (found != values_.end() && flags == BPF_NOEXIST)
            return -EEXIST;
        if (found == values_.end())
            return flags == BPF_EXIST ? -ENOENT : insert(Bytes(key.begin(), key.end()), value, cpu);
        if (!per_cpu()) {
            if (!has_room())
                return -ENOMEM;
            // As in the kernel, an update makes a new value, and the old value is freed later. So a program's pointer
            // to the old value stays valid.
            memory_.retire(found->second[0]);
            found->second = make_values();
        }
    }
    std::memcpy(memory_.host(pick(found->second, cpu), spec_.value_size), value.data(), spec_.value_size);
    return 0;
}

int Map::insert(Bytes key, std::span<const uint8_t> value, uint32_t cpu)
{
    if (values_.size() >= spec_.max_entries)
        return -E2BIG;
    if (!has_room())
        return -ENOMEM;
    const Values values = make_values(); // in a new element, the values of all other CPUs are zeros
    std::memcpy(memory_.host(pick(values, cpu), spec_.value_size), value.data(), spec_.value_size);
    values_[std::move(key)] = values;
    return 0;
}

int Map::erase(std::span<const uint8_t> key)
{
    if (is_array())
        return -EINVAL;
    const auto found = values_.find(key);
    if (found == values_.end())
        return -ENOENT;
    for (const uint64_t address : found->second)
        memory_.retire(address);
    values_.erase(found);
    if (spec_.type == BPF_MAP_TYPE_TASK_STORAGE)
        known_ = {};
    return 0;
}

uint64_t Map::task_value(uint64_t task)
{
    Known& last = known(task);
    if (last.value != 0 && last.task == task)
        return last.value;
    const auto found = values_.find(std::span(reinterpret_cast<const uint8_t*>(&task), sizeof task));
    if (found == values_.end())
        return 0;
    last = {task, found->second[0]};
    return last.value;
}

uint64_t Map::make_task_value(uint64_t task)
{
    return has_room() ? (values_[key_of(task)] = make_values())[0] : 0;
}

int Map::erase_task(uint64_t task)
{
    return erase(key_of(task));
}

int Map::output(const SampleView& sample)
{
    if (taker)
        return taker(sample);
    if (sample_limit && samples.size() >= *sample_limit)
        return -ENOSPC;
    samples.push_back({sample.cpu, sample.time, {sample.bytes.begin(), sample.bytes.end()}});
    return 0;
}

std::span<uint8_t> Map::value(std::span<const uint8_t> key, uint32_t cpu) const
{
    const uint64_t address = lookup(key, cpu);
    if (!address)
        return {};
    return {memory_.host(address, spec_.value_size), spec_.value_size};
}

std::vector<Bytes> Map::keys() const
{
    std::vector<Bytes> list;
    for (const auto& [key, values] : values_)
        list.push_back(key);
    return list;
}

void Map::move(const std::map<uint64_t, uint64_t>& addresses)
{
    for (auto& [key, values] : values_)
        for (uint64_t& address : values)
            address = addresses.at(address);
    known_ = {};
    put_in_order();
}

} // namespace dt::vm
