// Loads an object in a child process.
//
// libbpf needs several MB to load an object: the object's sections, its own copy of the kernel's types, relocated
// programs. A service would allocate them for each script that starts or changes, and fragments would remain. So a
// forked child loads the object and passes the descriptors of maps and programs with their names. Everything else ends
// with the child.
#include "libdtrace/load/loader.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/passed_descriptors.hpp"
#include "dcompiler/object/archive.hpp"
#include "libdtrace/elf/confined_reader.hpp"

namespace dt {

struct ToldGlobal {
    std::string name;
    uint64_t offset = 0, size = 0;
};

/// Result from the child. Descriptors are sent separately: those of existing maps, then those of programs.
struct ToldObject {
    enum class What : uint8_t { Loaded, Refused, NoMemory } what = What::Loaded;
    std::string error, log;
    int code = 0;
    std::vector<LoadedMap> maps;
    std::vector<std::string> programs;
    std::vector<ToldGlobal> globals;
};

namespace {

/// Limits for the child. In an emulated machine the verifier may take minutes for a large program.
constexpr ReaderBounds kLoaderBounds{.seconds = 600};

/// Types of their own, so that overload resolution finds the functions that follow.
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
        it.descriptor = is_there ? 0 : -1; // the receiver gets its own descriptor separately
}

template <typename A> void fields(A& archive, ToldGlobal& it)
{
    archive::all(archive, it.name, it.offset, it.size);
}

template <typename A> void fields(A& archive, ToldObject& it)
{
    archive::choice(archive, it.what, ToldObject::What::NoMemory);
    archive::all(archive, it.error, it.log, it.code, it.maps, it.programs, it.globals);
}

int be_loader(int, uint64_t)
{
    prctl(PR_SET_NAME, "dtrace-loader");
    return -1;
}

} // namespace

/// Arguments of load(), at the same address in parent and child.
struct LoadedObject::Request {
    const Object& compiled;
    const Options& options;
    ProbeSource& probes;
    uint32_t cpus;
    std::span<const Source* const> sources;
    const MapsThere& there;
    int socket; ///< for passing descriptors
};

/// Fills in the result for the parent and returns the descriptors to send with it.
std::vector<int> LoadedObject::tell(ToldObject& told) const
{
    std::vector<int> descriptors;
    for (const LoadedMap& map : maps_) {
        told.maps.push_back(map);
        if (map.descriptor >= 0)
            descriptors.push_back(map.descriptor);
    }
    for (const auto& [name, descriptor] : programs_) {
        told.programs.push_back(name);
        descriptors.push_back(descriptor);
    }
    for (const auto& [name, bytes] : globals_)
        told.globals.push_back(
            {name, static_cast<uint64_t>(bytes.data() - state_memory().data()), static_cast<uint64_t>(bytes.size())});
    return descriptors;
}

/// Loads the object; runs in the child.
std::string LoadedObject::load_for_parent(ReaderState&, std::string_view request)
{
    uint64_t place = 0;
    std::memcpy(&place, request.data(), sizeof place);
    const Request& wanted = *reinterpret_cast<const Request*>(place); // NOLINT(performance-no-int-to-ptr)
    ToldObject told;
    const auto refuse = [&told](std::string error, int code) {
        told.what = ToldObject::What::Refused;
        told.error = std::move(error);
        told.code = code;
    };
    try {
        const auto loaded =
            load(wanted.compiled, wanted.options, wanted.probes, wanted.cpus, wanted.sources, told.log, wanted.there);
        if (!loaded)
            refuse(loaded.error().message, loaded.error().code);
        else if (!send_descriptors(wanted.socket, loaded.value().tell(told)))
            refuse(std::string("cannot hand over what was loaded: ") + std::strerror(errno), errno);
    } catch (const std::bad_alloc&) {
        told = {};
        told.what = ToldObject::What::NoMemory;
    }
    LoadedWriter writer;
    fields(writer, told);
    return writer.take();
}

/// Takes over the child's result and the descriptors; runs in the parent.
Result<void> LoadedObject::take(ToldObject told, std::span<const int> descriptors)
{
    for (LoadedMap& map : told.maps)
        if (map.descriptor >= 0) {
            map.descriptor = descriptors.front();
            descriptors = descriptors.subspan(1);
        }
    maps_ = LoadedMaps(std::move(told.maps));
    for (std::string& name : told.programs) {
        programs_.emplace(std::move(name), descriptors.front());
        descriptors = descriptors.subspan(1);
    }
    if (Result<void> mapped = map_parts(); !mapped)
        return mapped;
    for (ToldGlobal& global : told.globals)
        if (global.offset <= state_memory().size() && global.size <= state_memory().size() - global.offset)
            globals_.emplace(std::move(global.name), state_memory().subspan(global.offset, global.size));
    return {};
}

Result<LoadedObject> LoadedObject::load_beside(const Object& compiled, const Options& options, ProbeSource& probes,
                                               uint32_t cpus, std::span<const Source* const> sources, std::string& log,
                                               const MapsThere& there, const std::function<void()>& waiting)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return Error{std::strerror(errno), errno};
    const Descriptor ours(pair[0]), theirs(pair[1]);
    const Request wanted{compiled, options, probes, cpus, sources, there, theirs.get()};
    prepare_process(options);
    const auto loader = ConfinedReader::start(kLoaderBounds, be_loader);
    if (!loader) // the process limit is reached
        return load(compiled, options, probes, cpus, sources, log, there);
    loader.value()->tell_waiting(waiting);
    const auto place = reinterpret_cast<uint64_t>(&wanted);
    const Result<std::string> said =
        loader.value()->ask(load_for_parent, {reinterpret_cast<const char*>(&place), sizeof place});
    if (!said)
        return Error{"what loads it " + said.error().message, said.error().code};
    LoadedReader reader(said.value());
    ToldObject told;
    fields(reader, told);
    if (!reader.good() || told.what == ToldObject::What::NoMemory)
        throw std::bad_alloc();
    log = std::move(told.log);
    if (told.what == ToldObject::What::Refused)
        return Error{std::move(told.error), told.code};
    const auto count = static_cast<std::size_t>(
        std::count_if(told.maps.begin(), told.maps.end(), [](const LoadedMap& map) { return map.descriptor >= 0; }));
    const std::vector<int> descriptors = receive_descriptors(ours.get(), count + told.programs.size());
    if (descriptors.empty())
        return Error{std::string("cannot take what was loaded: ") + std::strerror(EMFILE), EMFILE};
    LoadedObject loaded(nullptr);
    if (Result<void> taken = loaded.take(std::move(told), descriptors); !taken)
        return taken.error();
    return loaded;
}

} // namespace dt
