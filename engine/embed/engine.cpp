// Loads saved objects and fires their probes in the virtual machine. A probe's arguments are stored where its program
// expects them: in the context, in saved registers, or in memory that a register points to. So the same object works in
// the kernel, which fills the context, registers and memory itself, and in the virtual machine.
#include "engine/embed/engine.hpp"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/embed/live_socket.hpp"

namespace dt::embed {
namespace {

// Maximum size in bytes of an emulated task_struct. Only members that the code reads are filled.
constexpr uint32_t kMaxTask = 65536;
// minimum size of an emulated task_struct: that of struct thread_info, with which it begins
constexpr std::size_t kMinTask = 64;
constexpr std::size_t kNameSize = 16;
constexpr uint64_t kMaxArray = 1 << 28; // maximum size in bytes of a preallocated map
// maximum number of samples that are stored until drain_samples() removes them
constexpr std::size_t kMaxSamples = 65536;

uint64_t now(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t moment_of_firing()
{
    return now(CLOCK_MONOTONIC);
}

/// Returns the thread id. The id is cached per thread, and determined again after a fork.
int thread_number()
{
    thread_local int process = 0, number = 0;
    if (const int current = current_process(); process != current) {
        process = current;
        number = gettid();
    }
    return number;
}

/// Sets the sizes of the maps whose size the object leaves to the loader (abi.h), for a machine with one CPU.
void set_sizes(vm::Image& image)
{
    const struct {
        const char* map;
        uint32_t entries;
    } sizes[] = {{DT_MAP_BUFFERS, 1}, {DT_MAP_LOSSES, 1}, {DT_MAP_ACTIVE_EPOCH, 1}, {DT_MAP_SCRATCH, DT_SLOTS}};
    for (const auto& size : sizes)
        if (vm::MapSpec* map = image.map(size.map))
            map->max_entries = size.entries;
}

Error no_place(const Probe& probe, std::size_t argument)
{
    return Error{"argument " + std::to_string(argument) + " of " + probe.name +
                 " can only be provided by the kernel, so dtrace_engine.h cannot run the program"};
}

bool is_array(const vm::MapSpec& map)
{
    return map.type == BPF_MAP_TYPE_ARRAY || map.type == BPF_MAP_TYPE_PERCPU_ARRAY;
}

/// Returns the number of bytes that an image needs even before its first run: preallocated maps and data sections.
uint64_t least_memory(const vm::Image& image)
{
    constexpr uint64_t kElement = 256; // memory in bytes that a map element takes in addition to its value
    uint64_t bytes = 0;
    for (const vm::MapSpec& map : image.maps)
        bytes += is_array(map) ? uint64_t{map.max_entries} * (uint64_t{map.value_size} + kElement) : 0;
    for (const vm::Section& section : image.sections)
        bytes += section.bytes.size();
    return bytes;
}

/// Returns whether this process can run the program, according to its kind (dcompiler/interface/plan.cpp).
bool runs_here(const Program& program)
{
    return program.kind == "application" || program.kind == "test run";
}

/// Removes the programs that only the kernel can run, and the probes that have only such programs.
void copy_to_own(vm::Image& image, Description& description)
{
    std::erase_if(image.functions, [&](const vm::Function& function) {
        return std::any_of(description.programs.begin(), description.programs.end(), [&](const Program& program) {
            return program.function == function.name && !runs_here(program);
        });
    });
    for (Probe& probe : description.probes)
        std::erase_if(probe.programs,
                      [&](const Probe::Use& use) { return !runs_here(description.programs[use.program]); });
    std::erase_if(description.probes, [](const Probe& probe) { return probe.programs.empty(); });
}

} // namespace

Result<std::unique_ptr<EngineHost>> EngineHost::load(std::span<const uint8_t> elf)
{
    return load(elf, {UINT64_MAX, 0, nullptr});
}

Result<std::unique_ptr<EngineHost>> EngineHost::load(std::span<const uint8_t> elf, Guest guest)
{
    auto description = read_description(elf);
    if (!description)
        return description.error();
    auto image = vm::parse(elf);
    if (!image)
        return image.error();
    for (const Program& program : description->programs)
        if (!image->function(program.function))
            return Error{"the object has no function " + program.function};
    set_sizes(*image);
    for (const vm::MapSpec& map : image->maps)
        if (is_array(map) && uint64_t{map.max_entries} * map.value_size > kMaxArray)
            return Error{"map " + map.name + " is too large"};
    if (!guest.record)
        return std::unique_ptr<EngineHost>(new EngineHost(std::move(*image), std::move(*description)));
    if (const uint64_t least = least_memory(*image); least > guest.memory)
        return Error{"its maps and data need " + std::to_string(least) + " bytes, but the program allows " +
                     std::to_string(guest.memory)};
    copy_to_own(*image, *description);
    std::unique_ptr<EngineHost> host(new EngineHost(std::move(*image), std::move(*description)));
    host->vm_.budget = guest.instructions;
    host->vm_.memory().set_limit(std::max(guest.memory, host->vm_.memory().owned()));
    if (vm::Map* buffers = host->vm_.map(DT_MAP_BUFFERS))
        buffers->taker = std::move(guest.record);
    return host;
}

EngineHost::EngineHost(vm::Image image, Description description)
    : description_(std::move(description)), vm_(std::move(image), 1)
{
    vm_.environment.own_memory = true;
    vm_.environment.uid = getuid();
    vm_.environment.gid = getgid();
    vm_.environment.random = now(CLOCK_MONOTONIC) | 1;
    vm_.environment.clock = moment_of_firing;
    if (vm::Map* buffers = vm_.map(DT_MAP_BUFFERS))
        buffers->sample_limit = kMaxSamples;
    const auto state = vm_.section(DT_SECTION_STATE);
    if (state.size() >= sizeof(dt_state)) {
        const uint32_t active = DT_ACTIVE;
        const auto to_wall = static_cast<int64_t>(now(CLOCK_REALTIME) - now(CLOCK_MONOTONIC));
        std::memcpy(state.data() + offsetof(dt_state, activity), &active, sizeof active);
        std::memcpy(state.data() + offsetof(dt_state, boot_to_wall_ns), &to_wall, sizeof to_wall);
    }
}

EngineHost::Thread EngineHost::make_thread()
{
    char name[kNameSize] = "";
    prctl(PR_GET_NAME, name);
    const auto number = static_cast<uint32_t>(thread_number()), process = static_cast<uint32_t>(current_process());
    const std::tuple<std::optional<uint32_t>, const void*, std::size_t> members[] = {
        {description_.task_pid, &number, sizeof number},
        {description_.task_tgid, &process, sizeof process},
        {description_.task_comm, name, sizeof name}};
    std::size_t size = kMinTask;
    for (const auto& [offset, bytes, length] : members)
        if (offset && *offset < kMaxTask)
            size = std::max(size, *offset + length);
    const uint64_t task = vm_.memory().allocate(size, vm::Kind::Task, false);
    uint8_t* const memory = vm_.memory().host(task, size);
    for (const auto& [offset, bytes, length] : members)
        if (offset && *offset < kMaxTask)
            std::memcpy(memory + *offset, bytes, length);
    return {task, name};
}

const EngineHost::Thread& EngineHost::thread()
{
    const int number = thread_number();
    auto found = threads_.find(number);
    if (found == threads_.end())
        found = threads_.emplace(number, make_thread()).first;
    return found->second;
}

void EngineHost::update_environment()
{
    vm::Environment& environment = vm_.environment;
    // A time of 0 makes the virtual machine read the clock only when a program asks for the time. Reading the clock
    // takes as long as a whole clause.
    environment.time = 0;
    const auto number = static_cast<uint32_t>(thread_number()), process = static_cast<uint32_t>(current_process());
    if (environment.tid == number && environment.pid == process && knows_thread_)
        return;
    const Thread& current = thread();
    environment.tid = number;
    environment.pid = process;
    environment.task = current.task;
    environment.comm = current.name;
    knows_thread_ = true;
}

/// Compiles the programs, then resolves the addresses that they use. This must precede the first run, because compiling
/// changes addresses.
Result<void> EngineHost::prepare()
{
    if (!ready_.empty())
        return {};
    (void)vm_.compile(); // if compiling fails, the interpreter runs the programs
    std::deque<Ready> all;
    for (const Program& program : description_.programs)
        if (Result<void> made = make_ready(program, all.emplace_back()); !made)
            return made;
    ready_ = std::move(all); // the elements keep their addresses when the container is moved
    const uint32_t cpu = 0;
    const vm::Map* const losses = vm_.map(DT_MAP_LOSSES);
    // losses_ will point into this map, so it must be an array: the values of other maps may move
    if (!losses || !is_array(losses->spec()))
        return {};
    if (const auto bytes = losses->value({reinterpret_cast<const uint8_t*>(&cpu), sizeof cpu});
        bytes.size() >= sizeof *losses_)
        losses_ = reinterpret_cast<const dt_losses*>(bytes.data());
    return {};
}

Result<void> EngineHost::make_ready(const Program& program, Ready& ready)
{
    auto entry = vm_.entry(program.function);
    if (!entry && runs_here(program))
        return entry.error();
    if (!entry || program.conditional) {
        ready.refused = entry ? "its program reads memory of the kernel" : entry.error().message;
        return {};
    }
    ready.entry = *entry;
    ready.refused = find_slot(program.selector, 0, ready, ready.selector);
    ready.arguments.resize(program.arguments.size());
    for (std::size_t i = 0; i < program.arguments.size(); ++i) {
        if (program.arguments[i].in == ArgumentSource::In::Kernel)
            ready.in_kernel = std::min(ready.in_kernel, i);
        if (ready.refused.empty())
            ready.refused = find_slot(program.arguments[i], i, ready, ready.arguments[i]);
    }
    return {};
}

/// Finds the memory in which a program expects a value. Returns the reason if the engine cannot fill this memory, else
/// an empty string.
std::string EngineHost::find_slot(const ArgumentSource& place, std::size_t argument, Ready& ready, Slot& slot)
{
    constexpr std::size_t kWord = sizeof(uint64_t);
    const auto take = [&](std::span<uint8_t> memory, uint64_t offset) {
        if (place.size > kWord || offset > memory.size() - kWord)
            return "argument " + std::to_string(argument) + " is at an offset outside of its memory";
        slot = {memory.data() + offset, place.size};
        return std::string();
    };
    const auto offset = static_cast<uint64_t>(place.offset);
    vm::Environment& environment = vm_.environment;
    switch (place.in) {
    case ArgumentSource::In::Nothing:
    case ArgumentSource::In::Constant:
    case ArgumentSource::In::Kernel: // no error here: a firing fails only if the caller passes this argument
        return {};
    case ArgumentSource::In::Context:
        return take(ready.context, offset);
    case ArgumentSource::In::Cookie:
        ready.is_alone = false;
        slot = {reinterpret_cast<uint8_t*>(&environment.cookie), sizeof environment.cookie};
        return {};
    case ArgumentSource::In::Registers:
        ready.is_alone = false;
        return take({reinterpret_cast<uint8_t*>(environment.registers.data()), sizeof environment.registers}, offset);
    case ArgumentSource::In::Memory:
        ready.is_alone = false;
        break;
    }
    if (argument_memory_.empty()) {
        argument_memory_.resize(2 * kBeside);
        beside_address_ = vm_.memory().lend(argument_memory_, vm::Kind::User) + kBeside;
    }
    const bool has_base = place.base <= ready.context.size() - kWord;
    if (has_base)
        std::memcpy(ready.context.data() + place.base, &beside_address_, kWord);
    return take(argument_memory_, has_base ? offset + kBeside : UINT64_MAX);
}

Result<void> EngineHost::fire(const Probe& probe, std::span<const uint64_t> words)
{
    if (ready_.empty())
        if (Result<void> prepared = prepare(); !prepared)
            return prepared;
    update_environment();
    for (const Probe::Use& use : probe.programs)
        if (const std::size_t argument = ready_[use.program].in_kernel; argument < words.size())
            return no_place(probe, argument);
    for (const Probe::Use& use : probe.programs) {
        Ready& program = ready_[use.program];
        if (!program.refused.empty())
            return Error{probe.name + ": " + program.refused};
        if (!run(program, use.selector, words))
            return Error{probe.name + ": " + vm_.error().message};
    }
    return {};
}

/// Runs a program. Returns false on an error, which the virtual machine describes.
bool EngineHost::run(Ready& program, uint64_t selector, std::span<const uint64_t> words)
{
    const auto put = [](const Slot& slot, uint64_t value) {
        // most arguments have 8 bytes, and a copy of constant size is a single instruction
        if (slot.size == sizeof value)
            std::memcpy(slot.to, &value, sizeof value);
        else if (slot.size != 0)
            std::memcpy(slot.to, &value, slot.size);
    };
    put(program.selector, selector);
    const std::size_t given = std::min(words.size(), program.arguments.size());
    for (std::size_t i = 0; i < given; ++i)
        put(program.arguments[i], words[i]);
    const std::size_t zeros = program.is_alone ? program.given : program.arguments.size();
    for (std::size_t i = given; i < zeros; ++i)
        put(program.arguments[i], 0);
    program.given = given;
    program.entry(program.context.data(), program.context.size());
    return !vm_.failed();
}

Samples EngineHost::drain_samples()
{
    Samples taken, seen;
    if (vm::Map* buffers = vm_.map(DT_MAP_BUFFERS))
        taken.swap(buffers->samples);
    speculations_.sort(std::move(taken), description_, seen);
    return seen;
}

uint64_t EngineHost::lost()
{
    const uint32_t cpu = 0;
    vm::Map* const map = vm_.map(DT_MAP_LOSSES);
    const auto bytes = map ? map->value({reinterpret_cast<const uint8_t*>(&cpu), sizeof cpu}) : std::span<uint8_t>();
    uint64_t sum = 0;
    for (std::size_t i = 0; i + sizeof sum <= bytes.size(); i += sizeof sum) {
        uint64_t one = 0;
        std::memcpy(&one, bytes.data() + i, sizeof one);
        sum += one;
    }
    return sum;
}

Result<void> EngineHost::place_state(std::span<uint8_t> memory)
{
    return vm_.place_section(DT_SECTION_STATE, memory);
}

Result<void> EngineHost::place_counters(const std::string& section, std::span<uint8_t> memory)
{
    const std::size_t size = vm_.section(section).size();
    const char* const all[] = {DT_SECTION_HITS, DT_SECTION_CLAUSE_HITS, DT_SECTION_COSTS, DT_SECTION_COST_TIMES};
    if (std::find(std::begin(all), std::end(all), section) == std::end(all) || size == 0 || size > memory.size())
        return Error{"the object has no counters, or more than fit, in section " + section};
    return vm_.place_section(section, memory.first(size));
}

std::span<uint8_t> EngineHost::variable(const Variable& variable)
{
    const auto section = vm_.section(variable.section);
    if (variable.offset > section.size() || variable.size > section.size() - variable.offset)
        return {};
    return section.subspan(variable.offset, variable.size);
}

Result<void> EngineHost::share(int tracer)
{
    if (!ready_.empty())
        return Error{"it is too late to share variables: a probe has fired"};
    auto memory = TracerMemory::find(tracer, description_, vm_.section(DT_SECTION_STATE).size());
    if (!memory)
        return memory.error();
    if (Result<void> placed = vm_.place_section(DT_SECTION_STATE, memory->bytes()); !placed)
        return placed;
    shared_.emplace(std::move(*memory));
    return {};
}

// Finds the map with a tracer's global variables. The map has no name by which another process could open it. So its id
// is taken from the tracer's proc(5) files, and the kernel opens a map by its id. The map's type information lists
// names and offsets of its variables and confirms that it is the right one.

namespace {

/// Returns the ids of the maps that a process has open.
Result<std::set<uint32_t>> maps_of(int process)
{
    const std::string directory = "/proc/" + std::to_string(process) + "/fdinfo";
    std::set<uint32_t> maps;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        std::ifstream file(entry->path());
        std::string line;
        while (std::getline(file, line))
            if (line.rfind("map_id:", 0) == 0)
                maps.insert(static_cast<uint32_t>(std::strtoul(line.c_str() + std::strlen("map_id:"), nullptr, 10)));
    }
    if (error)
        return Error{"cannot read " + directory + ": " + error.message(), error.value()};
    return maps;
}

/// Returns whether the map's type information lists exactly the global variables of `description`.
bool has_variables(const bpf_map_info& map, const Description& description)
{
    const std::unique_ptr<btf, decltype(&btf__free)> types(
        map.btf_id ? btf__load_from_kernel_by_id(map.btf_id) : nullptr, btf__free);
    const btf_type* const section = types ? btf__type_by_id(types.get(), map.btf_value_type_id) : nullptr;
    if (!section || !btf_is_datasec(section))
        return false;
    std::set<std::pair<std::string, uint64_t>> there, wanted;
    for (uint32_t i = 0; i < btf_vlen(section); ++i) {
        const btf_var_secinfo& place = btf_var_secinfos(section)[i];
        const std::string name = btf__name_by_offset(types.get(), btf__type_by_id(types.get(), place.type)->name_off);
        if (name.rfind("var_", 0) == 0)
            there.emplace(name.substr(4), place.offset);
    }
    for (const Variable& variable : description.variables)
        if (variable.section == DT_SECTION_STATE)
            wanted.emplace(variable.name, variable.offset);
    return there == wanted;
}

/// Opens the map with this id. Returns a descriptor, or -1 if the map holds other variables or cannot be opened.
int open_state(uint32_t id, const Description& description, std::size_t size, int& refused)
{
    const int descriptor = bpf_map_get_fd_by_id(id);
    if (descriptor < 0) {
        refused = errno;
        return -1;
    }
    bpf_map_info info{};
    uint32_t length = sizeof info;
    const bool is_it = bpf_obj_get_info_by_fd(descriptor, &info, &length) == 0 && info.type == BPF_MAP_TYPE_ARRAY &&
                       std::string_view(info.name).ends_with(DT_SECTION_STATE) &&
                       (info.map_flags & BPF_F_MMAPABLE) != 0 && info.value_size == size &&
                       has_variables(info, description);
    if (is_it)
        return descriptor;
    close(descriptor);
    return -1;
}

} // namespace

Result<TracerMemory> TracerMemory::find(int tracer, const Description& description, std::size_t size)
{
    const auto maps = maps_of(tracer);
    if (!maps)
        return maps.error();
    int refused = 0;
    for (const uint32_t id : maps.value()) {
        const int descriptor = open_state(id, description, size, refused);
        if (descriptor < 0)
            continue;
        void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        const int error = errno;
        close(descriptor);
        if (memory == MAP_FAILED)
            return Error{std::string("cannot map the variables of the tracer: ") + std::strerror(error), error};
        return TracerMemory({static_cast<uint8_t*>(memory), size});
    }
    if (refused != 0)
        return Error{std::string("cannot open the maps of the tracer: ") + std::strerror(refused) +
                         " (CAP_SYS_ADMIN is needed)",
                     refused};
    return Error{"process " + std::to_string(tracer) + " runs no trace of a script with the same variables", ENOENT};
}

TracerMemory::TracerMemory(TracerMemory&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

TracerMemory::~TracerMemory()
{
    if (!bytes_.empty())
        munmap(bytes_.data(), bytes_.size());
}

} // namespace dt::embed
