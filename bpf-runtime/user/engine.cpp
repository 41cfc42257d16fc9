#include "bpf-runtime/user/engine.hpp"

#include "bpf-runtime/user/interpreter.hpp"

namespace dt::user {

namespace {

// struct task_struct as far as a program sees it without types: enough zero bytes to read from.
constexpr uint64_t kTaskSize = 64;

} // namespace

Engine::Engine(Image image, uint32_t cpus) : image_(std::move(image)), cpus_(cpus)
{
    for (const MapSpec& spec : image_.maps)
        maps_.push_back(std::make_unique<Map>(spec, cpus_, memory_));
    for (Section& section : image_.sections)
        section_addresses_.push_back(memory_.lend(section.bytes, Kind::Data, section.writable));
    auto* registers = reinterpret_cast<uint8_t*>(environment.registers.data());
    registers_ = memory_.lend({registers, sizeof environment.registers}, Kind::Task);
    environment.task = memory_.allocate(kTaskSize, Kind::Task, false);
}

Result<uint64_t> Engine::run(std::string_view function, std::span<const uint8_t> context)
{
    const Function* entry = image_.function(function);
    if (!entry)
        return Error{"no function " + std::string(function)};
    if (environment.cpu >= cpus_)
        return Error{"the environment's CPU does not exist"};
    std::vector<uint8_t> copy(context.begin(), context.end());
    const uint64_t address = memory_.lend(copy, Kind::Context);
    executed_ = 0;
    Result<uint64_t> result = Interpreter(*this, address).run(entry->first);
    memory_.forget(address);
    for (const auto& map : maps_)
        map->reclaim();
    return result;
}

Map* Engine::map(std::string_view name)
{
    for (const auto& map : maps_)
        if (map->spec().name == name)
            return map.get();
    return nullptr;
}

std::span<uint8_t> Engine::section(std::string_view name)
{
    Section* found = image_.section(name);
    return found ? std::span<uint8_t>(found->bytes) : std::span<uint8_t>();
}

} // namespace dt::user
