// Loads objects through libbpf, in this process or in a child, and finds their globals.
//
// A full verifier log is expensive, so the first attempt does without it. If the kernel refuses the object, it is
// opened a second time (libbpf cannot load an object twice), with one log buffer per program. A buffer is doubled as
// long as the kernel reports that it is too small. The refused program is the last one with a log.
#include "libdtrace/load/loader.hpp"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "base/descriptor.hpp"
#include "base/kernel_abi.hpp"
#include "base/time.hpp"
#include "dcompiler/object/packed.hpp"
#include "libdtrace/kernel/features.hpp"
#include "libdtrace/load/map_sizes.hpp"
#include "libdtrace/load/verifier_log.hpp"

// Addresses of a D program's scalar global variables, which are in a section mapped into this process.

struct bpf_object;

namespace dt {

/// Returns the bytes of each global variable, by its name in D. `memory` is the memory of the object's section
/// DT_SECTION_STATE.
std::map<std::string, std::span<uint8_t>> find_globals(const bpf_object* object, std::span<uint8_t> memory);

namespace {

constexpr std::size_t kFirstLogSize = std::size_t{1} << 18;
// size in bytes of a short verifier log: a few lines per program
constexpr std::size_t kResultsSize = std::size_t{1} << 16;
// Log levels: the kernel's BPF_LOG_LEVEL1 (full log) and BPF_LOG_STATS (statistics only).
constexpr uint32_t kLogAll = 1, kLogResults = 4;

using Log = std::vector<char>;

int print_libbpf(libbpf_print_level, const char* format, va_list arguments)
{
    return std::vfprintf(stderr, format, arguments);
}

bpf_object* open_object(const Object& compiled)
{
    know_function_sections();
    LIBBPF_OPTS(bpf_object_open_opts, options);
    options.object_name = "dtrace";
    std::vector<uint8_t> changed;
    if (is_locked_down()) {
        changed.assign(compiled.elf.begin(), compiled.elf.end());
        hide_read_calls(changed);
    }
    const auto& elf = changed.empty() ? compiled.elf : changed;
    bpf_object* const object = bpf_object__open_mem(elf.data(), elf.size(), &options);
    if (!object && errno == ENOMEM)
        throw std::bad_alloc(); // callers handle std::bad_alloc, because other allocations throw it too
    return object;
}

/// Returns whether a map must not be shared between objects, because the map describes the programs of its own object,
/// or has no use in other objects.
bool is_own(std::string_view map)
{
    return map.find(".rodata") != std::string_view::npos || map == ".data.ecb" || map == DT_SECTION_HITS ||
           map == DT_SECTION_CLAUSE_HITS || map == DT_SECTION_COSTS || map == DT_SECTION_COST_TIMES ||
           map == DT_SECTION_TICKS || map == DT_MAP_SCRATCH;
}

/// Replaces maps of the object by maps of earlier objects with the same names, so that the objects share them.
void share_maps(bpf_object* object, std::span<const LoadedObject* const> others)
{
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object)
    {
        const char* const name = bpf_map__name(map);
        for (const LoadedObject* other : others) {
            const LoadedMap* const theirs = is_own(name) ? nullptr : other->maps().find(name);
            if (theirs && theirs->value_size == bpf_map__value_size(map) &&
                theirs->key_size == bpf_map__key_size(map)) {
                bpf_map__reuse_fd(map, theirs->descriptor);
                break;
            }
        }
    }
}

/// Makes both objects use the map that controls an atomic handover between them.
void share_turn(bpf_object* object, const LoadedObject& former)
{
    bpf_map* const ours = bpf_object__find_map_by_name(object, DT_MAP_ACTIVE_EPOCH);
    const LoadedMap* const theirs = former.maps().find(DT_MAP_ACTIVE_EPOCH);
    if (ours && theirs)
        bpf_map__reuse_fd(ours, theirs->descriptor);
}

/// Makes the object use pinned maps and programs of an earlier tracer.
Result<void> adopt(bpf_object* object, const Object& compiled, const Pins& pins)
{
    if (Result<void> used = pins.use_maps(object); !used)
        return used;
    const auto& plans = compiled.schema.programs;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Result<std::vector<int>> links = pins.links(i);
        if (!links)
            return links.error();
        for (const int link : links.value())
            close(link);
        bpf_program* const program = bpf_object__find_program_by_name(object, plans[i].name.c_str());
        if (program && !links.value().empty())
            bpf_program__set_autoload(program, false);
    }
    return {};
}

/// Prepares the object before loading: sets map sizes, shares maps, and excludes the programs that are not needed in
/// the kernel.
Result<void> prepare(bpf_object* object, const Object& compiled, uint32_t cpus, const ExistingMaps& there)
{
    set_machine_sizes(object, {cpus, static_cast<uint64_t>(sysconf(_SC_PAGESIZE))});
    share_maps(object, there.others);
    if (there.former)
        share_turn(object, *there.former);
    for (const ProgramPlan& plan : compiled.schema.programs) {
        const ProgramKindInfo& kind = plan.plan->kind_info();
        bpf_program* const program = bpf_object__find_program_by_name(object, plan.name.c_str());
        if (program && kind.in_engine)
            bpf_program__set_autoload(program, false);
        if (program && kind.attach_type != 0)
            bpf_program__set_expected_attach_type(program, static_cast<bpf_attach_type>(kind.attach_type));
    }
    return there.adopted ? adopt(object, compiled, *there.adopted) : Result<void>();
}

/// Loads the object with a short verifier log for each program, and returns 0 or a negative errno. The short log
/// prevents libbpf from loading a refused program again with a full log, which is not needed here.
int load_quietly(bpf_object* object)
{
    Log results(kResultsSize);
    bpf_program* program = nullptr;
    bpf_object__for_each_program(program, object)
    {
        bpf_program__set_log_level(program, kLogResults);
        bpf_program__set_log_buf(program, results.data(), results.size());
    }
    return bpf_object__load(object);
}

/// The state of a load with verifier logs: one log buffer per program, in the object's order.
struct LoggedLoad {
    std::vector<std::pair<std::string, Log>> logs;
    bool incomplete = false; ///< whether some program's log was larger than the limit

    /// Loads the object with verifier logs and returns 0 or a negative errno. The caller closes *object even after an
    /// error.
    int run(const Object& compiled, uint32_t cpus, uint32_t level, uint64_t limit, bpf_object** object,
            const ExistingMaps& there)
    {
        for (std::size_t size = std::min<uint64_t>(kFirstLogSize, limit);;) {
            *object = open_object(compiled);
            if (!*object)
                return -errno;
            if (const Result<void> prepared = prepare(*object, compiled, cpus, there); !prepared)
                return -prepared.error().code;
            logs.clear();
            bpf_program* program = nullptr;
            bpf_object__for_each_program(program, *object) logs.emplace_back(bpf_program__name(program), Log(size));
            std::size_t i = 0;
            bpf_object__for_each_program(program, *object)
            {
                bpf_program__set_log_level(program, level);
                bpf_program__set_log_buf(program, logs[i].second.data(), size);
                ++i;
            }
            const InnerMaps inner(*object, compiled.schema);
            const int error = bpf_object__load(*object);
            incomplete = error == -ENOSPC;
            if (!incomplete || size >= limit)
                return error;
            bpf_object__close(std::exchange(*object, nullptr));
            size = std::min<uint64_t>(size * 4, limit);
        }
    }

    std::string text() const
    {
        std::string text;
        for (const auto& [name, log] : logs)
            text += log.data();
        return text;
    }

    /// Returns the program that the kernel refused. It is the last program with a log, because libbpf stops at the
    /// first refusal.
    const std::pair<std::string, Log>* refused() const
    {
        const auto last =
            std::find_if(logs.rbegin(), logs.rend(), [](const auto& entry) { return entry.second[0] != 0; });
        return last == logs.rend() ? nullptr : &*last;
    }
};

/// Kernels before 5.11 refuse keys of more than kMaxShortKey bytes. Most aggregations then use digests of long keys;
/// blame() cannot. Returns a message about the first blame() with such keys, else an empty string.
std::string describe_long_keys(const Schema& schema)
{
    const auto refused =
        std::find_if(schema.aggregations.begin(), schema.aggregations.end(),
                     [](const AggregationSchema& each) { return each.key_size > kMaxShortKey && !each.digested; });
    if (refused == schema.aggregations.end())
        return {};
    return "this kernel accepts keys of at most " + std::to_string(kMaxShortKey) +
           " bytes for blame(), and those of @" + refused->name + " have " + std::to_string(refused->key_size) +
           ": lower option strsize, use fewer strings or shorter stacks, such as stack(20), or use Linux 5.11 or later";
}

Error explain(const LoggedLoad& load, int code, const Object& compiled, ProbeSource& source,
              std::span<const Source* const> sources)
{
    const auto* refused = load.refused();
    // Without the necessary rights, the kernel fails before it verifies any program. So if a program has a log, the
    // process has the rights, and the verifier refused the program.
    if (!refused || code == EPERM)
        if (std::string missing = missing_capability(code); !missing.empty())
            return {std::move(missing), code};
    if (std::string missing = missing_kernel_feature(); !missing.empty())
        return {std::move(missing), code};
    if (!refused && code == E2BIG && !find_features().long_keys)
        if (std::string problem = describe_long_keys(compiled.schema); !problem.empty())
            return {std::move(problem), code};
    if (!refused && code == E2BIG)
        return {"the kernel cannot create a map of the required size: lower option aggsize or dynvarsize", ENOMEM};
    if (!refused)
        return {std::string("the kernel refused the compiled program: ") + std::strerror(code), code};
    std::string probes = refused->first;
    for (const ProgramPlan& plan : compiled.schema.programs)
        if (plan.name == refused->first)
            probes = served_probes(plan, source);
    const Refusal refusal = read_verifier_log(refused->second.data(), sources);
    std::string message = "BPF program load for '" + probes + "' failed: ";
    if (!load.incomplete && refuses_reads(refusal) && is_locked_down())
        return {message + describe_locked_down(refusal), code};
    if (!load.incomplete && refuses_writes(refusal))
        return {message + describe_refused_write(refusal), code};
    message += std::strerror(code);
    if (load.incomplete)
        message += "\n\tBPF verifier log is incomplete and is not reported.\n\tSet DTrace option 'bpflogsize' to some "
                   "greater size for more output.";
    else
        message += describe(refusal);
    return {std::move(message), code};
}

} // namespace

std::string served_probes(const ProgramPlan& plan, ProbeSource& source)
{
    std::string parts[4];
    bool first = true;
    for (const uint32_t id : plan.probes) {
        const Probe* probe = source.probe(id);
        if (!probe)
            continue;
        const std::string* const names[] = {&probe->provider, &probe->module, &probe->function, &probe->name};
        for (std::size_t i = 0; i < 4; ++i)
            if (first)
                parts[i] = *names[i];
            else if (parts[i] != *names[i])
                parts[i] = "*";
        first = false;
    }
    return parts[0] + ":" + parts[1] + ":" + parts[2] + ":" + parts[3];
}

/// Sets resource limits and libbpf's message handler for this process. The limits are also needed if another process
/// has loaded the object, because this process creates further maps later.
void LoadedObject::prepare_process(const Options& options)
{
    libbpf_set_print(options.run().debug ? print_libbpf : nullptr);
    if (options.run().lockmem != UINT64_MAX) {
        const rlimit limit{options.run().lockmem, options.run().lockmem};
        setrlimit(RLIMIT_MEMLOCK, &limit);
    }
}

Result<LoadedObject> LoadedObject::load(const Object& compiled, const Options& options, ProbeSource& probes,
                                        uint32_t cpus, std::span<const Source* const> sources, std::string& log,
                                        const ExistingMaps& there)
{
    prepare_process(options);
    LoggedLoad logged;
    bpf_object* object = nullptr;
    int error = 0;
    if (!options.run().bpflog) {
        object = open_object(compiled);
        if (!object)
            return Error{std::string("BPF program content is invalid: ") + std::strerror(errno), errno};
        if (Result<void> prepared = prepare(object, compiled, cpus, there); !prepared) {
            bpf_object__close(object);
            return prepared.error();
        }
        const InnerMaps inner(object, compiled.schema);
        error = load_quietly(object);
        if (error != 0)
            bpf_object__close(std::exchange(object, nullptr));
    }
    // E2BIG means that a program has too many instructions. A full log would take seconds to write, and would not help
    // the user to reduce the program, so only statistics are requested.
    const uint32_t level = error == -E2BIG ? kLogResults : kLogAll;
    if (options.run().bpflog || error != 0)
        error = logged.run(compiled, cpus, level, std::max<uint64_t>(options.run().bpflogsize, 128), &object, there);
    LoadedObject loaded(object);
    if (options.run().bpflog)
        log = logged.text();
    if (error != 0)
        return explain(logged, -error, compiled, probes, sources);
    loaded.forget_initial_values();
    if (Result<void> mapped = loaded.know_parts(); !mapped)
        return mapped.error();
    return loaded;
}

Result<LoadedObject> LoadedObject::without_kernel(const Object& compiled, uint32_t cpus)
{
    bpf_object* const object = open_object(compiled);
    if (!object)
        return Error{std::string("BPF program content is invalid: ") + std::strerror(errno), errno};
    LoadedObject opened(object);
    opened.is_in_kernel_ = false;
    if (Result<void> prepared = prepare(object, compiled, cpus, {}); !prepared)
        return prepared.error();
    if (Result<void> mapped = opened.know_parts(); !mapped)
        return mapped.error();
    return opened;
}

/// Frees the initial values of maps after loading, because libbpf's copy of them in shared memory would exist until the
/// object is closed.
void LoadedObject::forget_initial_values()
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object_)
    {
        std::size_t size = 0;
        if (const void* const values = bpf_map__initial_value(map, &size))
            // For a map whose initial values are in the memory of the map itself, MADV_REMOVE has no effect.
            madvise(const_cast<void*>(values), (size + page - 1) / page * page, MADV_REMOVE);
    }
}

/// Copies the data that are needed after libbpf's structures are freed: maps, program descriptors and globals.
Result<void> LoadedObject::know_parts()
{
    maps_ = LoadedMaps(object_);
    bpf_program* program = nullptr;
    bpf_object__for_each_program(program, object_)
    {
        if (const int descriptor = bpf_program__fd(program); descriptor >= 0)
            programs_.emplace(bpf_program__name(program), fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    }
    if (Result<void> mapped = map_parts(); !mapped)
        return mapped;
    globals_ = find_globals(object_, state_memory());
    return {};
}

/// Maps the data sections that this process accesses without system calls.
Result<void> LoadedObject::map_parts()
{
    const LoadedMap* const map = maps_.section(DT_SECTION_STATE);
    if (!map)
        return Error{"BPF program content is invalid: no section " DT_SECTION_STATE, EINVAL};
    if (Result<void> mapped = state_.open(*map, 1); !mapped)
        return mapped;
    state().boot_to_wall_ns = now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
    const LoadedMap* const ticks = maps_.section(DT_SECTION_TICKS);
    return ticks ? ticks_.open(*ticks, 1) : Result<void>();
}

volatile dt_tick* LoadedObject::tick(const ProgramPlan& plan) const
{
    return plan.tick ? static_cast<volatile dt_tick*>(ticks_.memory()) + *plan.tick : nullptr;
}

LoadedObject::LoadedObject(LoadedObject&& other) noexcept
    : object_(std::exchange(other.object_, nullptr)), is_in_kernel_(other.is_in_kernel_), maps_(std::move(other.maps_)),
      programs_(std::exchange(other.programs_, {})), state_(std::move(other.state_)), ticks_(std::move(other.ticks_)),
      globals_(std::move(other.globals_))
{
}

LoadedObject::~LoadedObject()
{
    for (const auto& [name, descriptor] : programs_)
        close(descriptor);
    bpf_object__close(object_);
}

void LoadedObject::forget_object()
{
    if (is_in_kernel_)
        bpf_object__close(std::exchange(object_, nullptr));
}

int LoadedObject::program_descriptor(const std::string& name) const
{
    const auto found = programs_.find(name);
    return found == programs_.end() ? -1 : found->second;
}

uint64_t LoadedObject::verified(const std::string& name) const
{
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    return bpf_obj_get_info_by_fd(program_descriptor(name), &info, &size) == 0 ? info.verified_insns : 0;
}

ObjectFunction LoadedObject::final_code(const std::string& name) const
{
    ObjectFunction function{name, {}, {}};
    const bpf_program* found = object_ ? bpf_object__find_program_by_name(object_, name.c_str()) : nullptr;
    if (!found)
        return function;
    const bpf_insn* insns = bpf_program__insns(found);
    function.insns.assign(insns, insns + bpf_program__insn_cnt(found));
    for (uint32_t i = 0; i + 1 < function.insns.size(); ++i) {
        const bpf_insn& insn = function.insns[i];
        const bool is_value = insn.src_reg == BPF_PSEUDO_MAP_VALUE;
        if (insn.code != (BPF_LD | BPF_IMM | BPF_DW) || (!is_value && insn.src_reg != BPF_PSEUDO_MAP_FD))
            continue;
        bpf_map* map = nullptr;
        bpf_object__for_each_map(map, object_) if (bpf_map__fd(map) == insn.imm) function.references.push_back(
            {i, bpf_map__name(map), false, false, is_value ? function.insns[i + 1].imm : 0});
    }
    return function;
}

// Loads an object in a child process.
//
// libbpf needs several MB to load an object: the object's sections, its own copy of the kernel's types, relocated
// programs. A service would allocate this memory for each script that starts or changes, and would fragment its heap.
// So a forked child loads the object, and passes the descriptors of maps and programs with their names to the parent.
// All other memory is freed when the child ends.

struct ChildGlobal {
    std::string name;
    uint64_t offset = 0, size = 0;
};

/// Result that the child process sends to its parent. The descriptors are sent separately: first the descriptors of the
/// maps that are in the kernel, then those of the programs.
struct ChildResult {
    enum class What : uint8_t { Loaded, Refused, NoMemory } what = What::Loaded;
    std::string error, log;
    int code = 0;
    std::vector<LoadedMap> maps;
    std::vector<std::string> programs;
    std::vector<ChildGlobal> globals;
};

namespace {

/// Limits for the child that loads an object. In an emulated machine the verifier may take minutes for a large program.
constexpr ReaderBounds kLoaderBounds{.seconds = 600};

/// LoadedWriter and LoadedReader are types of their own, so that overload resolution chooses the fields() functions
/// below.
class LoadedWriter : public archive::Writer {};
class LoadedReader : public archive::Reader {
public:
    using Reader::Reader;
};

template <typename A> void fields(A& archive, LoadedMap& it)
{
    bool is_there = it.descriptor >= 0;
    archive::all(archive, it.name, is_there, it.type, it.key_size, it.value_size, it.max_entries, it.flags);
    if (A::kReads)
        it.descriptor = is_there ? 0 : -1; // 0 is a placeholder until the parent receives the descriptor
}

template <typename A> void fields(A& archive, ChildGlobal& it)
{
    archive::all(archive, it.name, it.offset, it.size);
}

template <typename A> void fields(A& archive, ChildResult& it)
{
    archive::choice(archive, it.what, ChildResult::What::NoMemory);
    archive::all(archive, it.error, it.log, it.code, it.maps, it.programs, it.globals);
}

int be_loader(int, uint64_t)
{
    prctl(PR_SET_NAME, "dtrace-loader");
    return -1;
}

} // namespace

/// Arguments of load(). The child is forked, so they have the same addresses in parent and child.
struct LoadedObject::Request {
    const Object& compiled;
    const Options& options;
    ProbeSource& probes;
    uint32_t cpus;
    std::span<const Source* const> sources;
    const ExistingMaps& there;
    int socket; ///< socket for passing descriptors
};

/// Fills in the result that the child sends to its parent, and returns the descriptors to send with it.
std::vector<int> LoadedObject::export_to(ChildResult& result) const
{
    std::vector<int> descriptors;
    for (const LoadedMap& map : maps_) {
        result.maps.push_back(map);
        if (map.descriptor >= 0)
            descriptors.push_back(map.descriptor);
    }
    for (const auto& [name, descriptor] : programs_) {
        result.programs.push_back(name);
        descriptors.push_back(descriptor);
    }
    for (const auto& [name, bytes] : globals_)
        result.globals.push_back(
            {name, static_cast<uint64_t>(bytes.data() - state_memory().data()), static_cast<uint64_t>(bytes.size())});
    return descriptors;
}

/// Loads the object; runs in the child.
std::string LoadedObject::load_for_parent(ReaderState&, std::string_view request)
{
    uint64_t place = 0;
    std::memcpy(&place, request.data(), sizeof place);
    const Request& wanted = *reinterpret_cast<const Request*>(place); // NOLINT(performance-no-int-to-ptr)
    ChildResult result;
    const auto refuse = [&result](std::string error, int code) {
        result.what = ChildResult::What::Refused;
        result.error = std::move(error);
        result.code = code;
    };
    try {
        const auto loaded =
            load(wanted.compiled, wanted.options, wanted.probes, wanted.cpus, wanted.sources, result.log, wanted.there);
        if (!loaded)
            refuse(loaded.error().message, loaded.error().code);
        else if (!send_descriptors(wanted.socket, loaded.value().export_to(result)))
            refuse(std::string("the loader process cannot send the descriptors of the loaded programs to dtrace: ") +
                       std::strerror(errno),
                   errno);
    } catch (const std::bad_alloc&) {
        result = {};
        result.what = ChildResult::What::NoMemory;
    }
    LoadedWriter writer;
    fields(writer, result);
    return writer.take();
}

/// Stores the child's result and the received descriptors in this object; runs in the parent.
Result<void> LoadedObject::take(ChildResult result, std::span<const int> descriptors)
{
    for (LoadedMap& map : result.maps)
        if (map.descriptor >= 0) {
            map.descriptor = descriptors.front();
            descriptors = descriptors.subspan(1);
        }
    maps_ = LoadedMaps(std::move(result.maps));
    for (std::string& name : result.programs) {
        programs_.emplace(std::move(name), descriptors.front());
        descriptors = descriptors.subspan(1);
    }
    if (Result<void> mapped = map_parts(); !mapped)
        return mapped;
    for (ChildGlobal& global : result.globals)
        if (global.offset <= state_memory().size() && global.size <= state_memory().size() - global.offset)
            globals_.emplace(std::move(global.name), state_memory().subspan(global.offset, global.size));
    return {};
}

Result<LoadedObject> LoadedObject::load_in_child(const Object& compiled, const Options& options, ProbeSource& probes,
                                                 uint32_t cpus, std::span<const Source* const> sources,
                                                 std::string& log, const ExistingMaps& there,
                                                 const std::function<void()>& waiting)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return Error{std::strerror(errno), errno};
    const Descriptor ours(pair[0]), theirs(pair[1]);
    const Request wanted{compiled, options, probes, cpus, sources, there, theirs.get()};
    prepare_process(options);
    const auto loader = SandboxedReader::start(kLoaderBounds, be_loader);
    if (!loader) // no child process can be started, for example because the limit of processes is reached
        return load(compiled, options, probes, cpus, sources, log, there);
    loader.value()->set_waiting_callback(waiting);
    const auto place = reinterpret_cast<uint64_t>(&wanted);
    const Result<std::string> said =
        loader.value()->query(load_for_parent, {reinterpret_cast<const char*>(&place), sizeof place});
    if (!said)
        return Error{"the process that loads the program " + said.error().message, said.error().code};
    LoadedReader reader(said.value());
    ChildResult result;
    fields(reader, result);
    if (!reader.good() || result.what == ChildResult::What::NoMemory)
        throw std::bad_alloc();
    log = std::move(result.log);
    if (result.what == ChildResult::What::Refused)
        return Error{std::move(result.error), result.code};
    const auto count = static_cast<std::size_t>(std::count_if(
        result.maps.begin(), result.maps.end(), [](const LoadedMap& map) { return map.descriptor >= 0; }));
    const std::vector<int> descriptors = receive_descriptors(ours.get(), count + result.programs.size());
    if (descriptors.empty())
        return Error{std::string("cannot receive the loaded programs: ") + std::strerror(EMFILE), EMFILE};
    LoadedObject loaded(nullptr);
    if (Result<void> taken = loaded.take(std::move(result), descriptors); !taken)
        return taken.error();
    return loaded;
}

// Finds global variables in the object's BTF (include/uapi/linux/btf.h, BTF_KIND_DATASEC).

std::map<std::string, std::span<uint8_t>> find_globals(const bpf_object* object, std::span<uint8_t> memory)
{
    constexpr std::string_view kPrefix = "var_"; // prefix of the variables that lowering creates for D's globals
    std::map<std::string, std::span<uint8_t>> globals;
    const btf* const types = bpf_object__btf(object);
    const int section = types ? btf__find_by_name_kind(types, DT_SECTION_STATE, BTF_KIND_DATASEC) : -1;
    const btf_type* const variables = section > 0 ? btf__type_by_id(types, static_cast<uint32_t>(section)) : nullptr;
    for (uint32_t i = 0; variables && i < btf_vlen(variables); ++i) {
        const btf_var_secinfo& place = btf_var_secinfos(variables)[i];
        const std::string_view name = btf__name_by_offset(types, btf__type_by_id(types, place.type)->name_off);
        if (name.starts_with(kPrefix) && uint64_t{place.offset} + place.size <= memory.size())
            globals.emplace(name.substr(kPrefix.size()), memory.subspan(place.offset, place.size));
    }
    return globals;
}

} // namespace dt
