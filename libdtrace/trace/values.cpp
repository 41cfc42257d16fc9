// Saves globals by name and type, as the bytes in memory, and restores them in the next trace.
#include "libdtrace/trace/values.hpp"

#include <algorithm>
#include <span>

namespace dt {
namespace {

template <typename Handle> void for_each_global(const Schema& schema, const LoadedObject& loaded, Handle handle)
{
    const auto& places = loaded.globals();
    for (const KeptGlobal& global : schema.globals)
        if (const auto place = places.find(global.name); place != places.end())
            handle(global, place->second);
}

} // namespace

void keep_globals(const Schema& schema, const LoadedObject& loaded, TraceValues& values)
{
    for_each_global(schema, loaded, [&](const KeptGlobal& global, std::span<uint8_t> memory) {
        if (global.is_scratch) // it points to memory that no longer exists
            values.globals.erase(global.name);
        else
            values.globals[global.name] = {global.type, {memory.begin(), memory.end()}};
    });
}

void restore_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& former,
                     std::vector<std::string>& begun_anew)
{
    if (former.globals.empty())
        return;
    for_each_global(schema, loaded, [&](const KeptGlobal& global, std::span<uint8_t> memory) {
        const auto known = former.globals.find(global.name);
        if (known == former.globals.end())
            return;
        const std::vector<uint8_t>& bytes = known->second.bytes;
        if (known->second.type != global.type)
            begun_anew.push_back(global.name + ": its type was " + known->second.type + " and is " + global.type);
        else if (bytes.size() != memory.size())
            begun_anew.push_back(global.name + ": it had " + std::to_string(bytes.size()) + " bytes and has " +
                                 std::to_string(memory.size()));
        else
            std::copy(bytes.begin(), bytes.end(), memory.begin());
    });
}

void renew_globals(const Schema& schema, const LoadedObject& loaded, const TraceValues& first, const TraceValues& now)
{
    for_each_global(schema, loaded, [&](const KeptGlobal& global, std::span<uint8_t> memory) {
        const auto given = first.globals.find(global.name), renewed = now.globals.find(global.name);
        if (given == first.globals.end() || renewed == now.globals.end() || renewed->second.type != global.type)
            return;
        const std::vector<uint8_t>&before = given->second.bytes, &bytes = renewed->second.bytes;
        if (std::equal(before.begin(), before.end(), memory.begin(), memory.end()) && bytes.size() == memory.size())
            std::copy(bytes.begin(), bytes.end(), memory.begin());
    });
}

} // namespace dt
