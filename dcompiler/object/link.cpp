// Links the compiled object with parts of bpf-runtime, using libbpf's static linker.
//
// The linker of libbpf 1.1 accepts only file names, so objects are passed as memory files. Required objects are found
// through undefined symbols, so that a script contains only the runtime functions it uses.
#include <bpf/libbpf.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <set>

#include "dcompiler/object/emit.hpp"
#include "base/memory_file.hpp"
#include "dcompiler/object/runtime_index.hpp"

namespace dt {
namespace {

Result<std::vector<std::size_t>> needed_objects(const std::vector<std::string>& calls,
                                                std::span<const RuntimeObject> runtime)
{
    RuntimeIndex index(runtime);
    std::deque<std::string> wanted(calls.begin(), calls.end());
    std::set<std::string> asked(calls.begin(), calls.end());
    std::vector<std::size_t> objects;
    std::set<std::size_t> taken;
    while (!wanted.empty()) {
        const std::string name = std::move(wanted.front());
        wanted.pop_front();
        const int found = index.find(name);
        if (found < 0)
            return Error{"the runtime has no function " + name};
        const auto object = static_cast<std::size_t>(found);
        if (!taken.insert(object).second)
            continue;
        objects.push_back(object);
        for (const std::string& undefined : index.symbols(object).undefined)
            if (index.find(undefined) >= 0 &&
                asked.insert(undefined).second) // skip undefined symbols that are maps or data of the compiled object
                wanted.push_back(undefined);
    }
    return objects;
}

Error linking(const std::string& what, int code)
{
    return {"cannot link with the runtime: " + what + ": " + std::strerror(code), code};
}

} // namespace

Result<std::vector<uint8_t>> link(std::span<const uint8_t> object, const std::vector<std::string>& calls,
                                  std::span<const RuntimeObject> runtime)
{
    if (calls.empty())
        return std::vector<uint8_t>(object.begin(), object.end());
    const auto objects = needed_objects(calls, runtime);
    if (!objects)
        return objects.error();
    auto output = MemoryFile::make("dtrace-linked");
    if (!output)
        return output.error();
    const std::unique_ptr<bpf_linker, decltype(&bpf_linker__free)> linker(
        bpf_linker__new(output->path().c_str(), nullptr), bpf_linker__free);
    if (!linker)
        return linking("start", errno);
    const auto add = [&](std::span<const uint8_t> bytes, const std::string& name) -> Result<void> {
        auto file = MemoryFile::make("dtrace-part");
        if (!file)
            return file.error();
        if (auto written = file->write(bytes); !written)
            return written;
        if (const int error = bpf_linker__add_file(linker.get(), file->path().c_str(), nullptr))
            return linking(name, -error);
        return {};
    };
    if (auto added = add(object, "program"); !added)
        return added.error();
    for (const std::size_t i : objects.value())
        if (auto added = add(runtime[i].elf, std::string(runtime[i].name)); !added)
            return added.error();
    if (const int error = bpf_linker__finalize(linker.get()))
        return linking("finish", -error);
    return output->read();
}

} // namespace dt
