#include "libdtrace/consume/application_store.hpp"

#include <algorithm>
#include <cstring>

namespace dt::consume {

Result<void> ApplicationAggregations::read(const AggregationSchema& schema, const Visit& visit)
{
    // the value of an aggregation without keys is preceded by a "touched" word
    const std::size_t touched = schema.key_size == 0 ? sizeof(uint64_t) : 0;
    const std::size_t size = touched + schema.words * sizeof(int64_t), own_cpus = own_.cpus();
    std::vector<uint8_t> values(size * cpus());
    for (std::size_t i = 0; touched != 0 && i < halves_.size(); ++i) {
        const Application::Elements& all = halves_[i]->elements(schema.map);
        if (all.value_size >= schema.offset + size && all.bytes.size() >= all.key_size + all.value_size)
            std::memcpy(values.data() + (own_cpus + i) * size, all.bytes.data() + all.key_size + schema.offset, size);
    }
    const Result<void> read = own_.read(schema, [&](const uint8_t* key, const uint8_t* own, std::size_t stride) {
        for (std::size_t cpu = 0; cpu < own_cpus; ++cpu)
            std::memcpy(values.data() + cpu * size, own + cpu * stride, size);
        visit(key, values.data(), size);
    });
    for (std::size_t i = 0; read && touched == 0 && i < halves_.size(); ++i)
        read_keys(schema, i, visit);
    return read;
}

void ApplicationAggregations::read_keys(const AggregationSchema& schema, std::size_t half, const Visit& visit)
{
    const std::size_t size = schema.words * sizeof(int64_t);
    std::vector<uint8_t> values(size * cpus()), key(schema.key_size);
    uint8_t* const own = values.data() + (own_.cpus() + half) * size;
    for (const std::string& map : {schema.map, schema.brief}) {
        if (map.empty())
            continue;
        const Application::Elements& all = halves_[half]->elements(map);
        const std::size_t element = std::size_t{all.key_size} + all.value_size;
        if (all.key_size == 0 || all.key_size > key.size() || all.value_size < size)
            continue; // the map is missing, or differs from the object's map of that name
        for (std::size_t at = 0; at + element <= all.bytes.size(); at += element) {
            uint64_t id = schema.id;
            std::memcpy(&id, all.bytes.data() + at, schema.shared ? std::min<std::size_t>(sizeof id, all.key_size) : 0);
            if (id != schema.id)
                continue;
            std::fill(key.begin(), key.end(), uint8_t{0});
            std::memcpy(key.data(), all.bytes.data() + at, all.key_size);
            std::memcpy(own, all.bytes.data() + at + all.key_size, size);
            visit(key.data(), values.data(), size);
        }
    }
}

void ApplicationAggregations::remove(const AggregationSchema& schema, std::span<const uint8_t> keys)
{
    own_.remove(schema, keys);
    std::vector<uint8_t> brief;
    for (std::size_t at = 0; !schema.brief.empty() && at + schema.key_size <= keys.size(); at += schema.key_size)
        brief.insert(brief.end(), keys.begin() + static_cast<std::ptrdiff_t>(at),
                     keys.begin() + static_cast<std::ptrdiff_t>(at + schema.brief_size));
    for (ApplicationHalf* half : halves_) {
        half->remove(schema.map, keys);
        if (!schema.brief.empty())
            half->remove(schema.brief, brief);
    }
}

void ApplicationAggregations::zero(const AggregationSchema& schema)
{
    own_.zero(schema);
    for (ApplicationHalf* half : halves_)
        half->zero(schema.map, schema.offset, sizeof(uint64_t) + schema.words * sizeof(int64_t));
}

} // namespace dt::consume
