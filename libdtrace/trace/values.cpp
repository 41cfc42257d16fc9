// Globals of one run for the next: by name and type, as the bytes they are in memory.
#include "libdtrace/trace/values.hpp"

#include <algorithm>
#include <span>

#include "libdtrace/load/globals.hpp"

namespace dt {
namespace {

/// The program's global numbers, pointers and strings that are in memory, and their types.
template <typename Handle> void for_each_global(const Program& program, const LoadedObject& loaded, Handle handle)
{
    const auto places = find_globals(loaded);
    for (const Variable& variable : program.variables) {
        const auto place = places.find(variable.name);
        const bool is_value = variable.keys.empty() && (variable.type->is_scalar() || variable.type->is_string());
        if (variable.scope == Scope::Global && is_value && place != places.end())
            handle(variable, to_string(variable.type), place->second);
    }
}

} // namespace

void keep_globals(const Program& program, const LoadedObject& loaded, TraceValues& values)
{
    for_each_global(program, loaded, [&](const Variable& variable, const std::string& type, std::span<uint8_t> memory) {
        if (variable.scratch_pointer) // the memory it points to is gone
            values.globals.erase(variable.name);
        else
            values.globals[variable.name] = {type, {memory.begin(), memory.end()}};
    });
}

void restore_globals(const Program& program, const LoadedObject& loaded, const TraceValues& former,
                     std::vector<std::string>& begun_anew)
{
    if (former.globals.empty())
        return;
    for_each_global(program, loaded, [&](const Variable& variable, const std::string& type, std::span<uint8_t> memory) {
        const auto known = former.globals.find(variable.name);
        if (known == former.globals.end())
            return;
        const std::vector<uint8_t>& bytes = known->second.bytes;
        if (known->second.type != type)
            begun_anew.push_back(variable.name + ": its type was " + known->second.type + " and is " + type);
        else if (bytes.size() != memory.size())
            begun_anew.push_back(variable.name + ": it had " + std::to_string(bytes.size()) + " bytes and has " +
                                 std::to_string(memory.size()));
        else
            std::copy(bytes.begin(), bytes.end(), memory.begin());
    });
}

void renew_globals(const Program& program, const LoadedObject& loaded, const TraceValues& first, const TraceValues& now)
{
    for_each_global(program, loaded, [&](const Variable& variable, const std::string& type, std::span<uint8_t> memory) {
        const auto given = first.globals.find(variable.name), renewed = now.globals.find(variable.name);
        if (given == first.globals.end() || renewed == now.globals.end() || renewed->second.type != type)
            return;
        const std::vector<uint8_t>&before = given->second.bytes, &bytes = renewed->second.bytes;
        if (std::equal(before.begin(), before.end(), memory.begin(), memory.end()) && bytes.size() == memory.size())
            std::copy(bytes.begin(), bytes.end(), memory.begin());
    });
}

} // namespace dt
