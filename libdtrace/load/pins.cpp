#include "libdtrace/load/pins.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/time.hpp"
#include "bpf-runtime/abi.h"

namespace dt {
namespace {

constexpr const char* kFileSystem = "/sys/fs/bpf";
constexpr const char* kDirectory = "/sys/fs/bpf/dtrace";

/// Value of the pinned map "identity": identifies the trace to which the pins belong.
struct PinIdentity {
    uint64_t hash = 0;     ///< hash of the bytes of the trace's object
    uint64_t began = 0;    ///< start of the trace in ns of CLOCK_BOOTTIME
    uint64_t complete = 0; ///< 1 if BEGIN has run, so that another tracer may adopt the trace
};

/// Value of the pinned map "owner": describes the tracer that owns the trace. A tracer of another dtrace version may
/// have written this value.
struct PinOwner {
    uint64_t process = 0;
    uint64_t adopted = 0;  ///< how many times a tracer has adopted the trace
    uint64_t lease = 0;    ///< duration of the lease in ns; if no tracer runs for this time, the trace stops
    uint64_t lease_at = 0; ///< offset of dt_state.lease in the pinned map of DT_SECTION_STATE
};

uint64_t boot_time()
{
    return static_cast<uint64_t>(now_ns(CLOCK_BOOTTIME));
}

Error cannot_pin(const std::string& what, int code)
{
    return {"cannot " + what + ": " + std::strerror(code), code};
}

bool is_bpf_file_system()
{
    struct statfs found {};
    return statfs(kFileSystem, &found) == 0 && static_cast<uint32_t>(found.f_type) == BPF_FS_MAGIC;
}

Result<void> make_directory(const std::string& path)
{
    if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return cannot_pin("create " + path, errno);
    return {};
}

struct flock whole_pin(short type)
{
    struct flock whole {};
    whole.l_type = type;
    whole.l_whence = SEEK_SET;
    return whole;
}

/// Returns whether a tracer owns the directory; does not lock it.
bool is_pin_held(int directory)
{
    struct flock asked = whole_pin(F_WRLCK);
    return fcntl(directory, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}

/// Creates, opens and locks the directory; returns its descriptor. Tries again if the previous owner removes the
/// directory at that moment. Also waits for processes that lock the directory briefly to remove pins without an owner.
Result<int> lock_directory(const std::string& directory)
{
    constexpr int kMaxPatience = 100;
    constexpr auto kPause = std::chrono::milliseconds(10);
    for (int waited = 0;;) {
        for (const std::string& path : {std::string(kDirectory), directory})
            if (Result<void> made = make_directory(path); !made && made.error().code != ENOENT)
                return made.error();
        const int lock = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (lock < 0 && errno == ENOENT)
            continue;
        if (lock < 0)
            return cannot_pin("open " + directory, errno);
        struct stat opened {
        }, named{};
        const int code = flock(lock, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
        if (code == 0 && fstat(lock, &opened) == 0 && stat(directory.c_str(), &named) == 0 &&
            opened.st_ino == named.st_ino) {
            struct flock shown = whole_pin(F_RDLCK);
            static_cast<void>(fcntl(lock, F_OFD_SETLK, &shown));
            return lock;
        }
        const bool is_owned = is_pin_held(lock);
        close(lock);
        if (code == EWOULDBLOCK && !is_owned && waited++ < kMaxPatience) {
            std::this_thread::sleep_for(kPause);
            continue;
        }
        if (code != 0)
            return cannot_pin("lock " + directory, code);
    }
}

bool read_pinned(const std::string& path, void* value, std::size_t size)
{
    const int map = bpf_obj_get(path.c_str());
    bpf_map_info info{};
    uint32_t length = sizeof info;
    const uint32_t first = 0;
    const bool is_read = map >= 0 && bpf_obj_get_info_by_fd(map, &info, &length) == 0 && info.value_size == size &&
                         bpf_map_lookup_elem(map, &first, value) == 0;
    if (map >= 0)
        close(map);
    return is_read;
}

/// Returns the time when the lease ends (CLOCK_MONOTONIC ns), or 0 if there is no lease or it cannot be read.
uint64_t end_of_lease(const std::string& directory, uint64_t lease_at)
{
    for (std::size_t number = 0;; ++number) {
        const std::string path = directory + "/map_" + std::to_string(number);
        const int map = bpf_obj_get(path.c_str());
        if (map < 0)
            return 0;
        bpf_map_info info{};
        uint32_t length = sizeof info;
        const bool is_known = bpf_obj_get_info_by_fd(map, &info, &length) == 0;
        close(map);
        if (!is_known || !std::string_view(info.name).ends_with(DT_SECTION_STATE))
            continue;
        std::vector<uint8_t> bytes(info.value_size);
        uint64_t end = 0;
        if (bytes.size() < sizeof end || lease_at > bytes.size() - sizeof end ||
            !read_pinned(path, bytes.data(), bytes.size()))
            return 0;
        std::memcpy(&end, bytes.data() + lease_at, sizeof end);
        return end;
    }
}

PinState state_of_pin(const std::string& name, bool is_held)
{
    const std::string directory = std::string(kDirectory) + "/" + name;
    PinState state;
    state.name = name;
    state.is_held = is_held;
    PinIdentity identity;
    state.is_complete = read_pinned(directory + "/identity", &identity, sizeof identity) && identity.complete != 0;
    if (state.is_complete)
        state.began = (static_cast<uint64_t>(now_ns(CLOCK_REALTIME)) - (boot_time() - identity.began)) /
                      static_cast<uint64_t>(kSecond);
    PinOwner owner;
    if (!read_pinned(directory + "/owner", &owner, sizeof owner))
        return state;
    state.owner = owner.process;
    state.adopted = owner.adopted;
    state.lease = owner.lease;
    const uint64_t end = owner.lease == 0 ? 0 : end_of_lease(directory, owner.lease_at);
    if (const auto now = now_monotonic(); end != 0 && end < now)
        state.stopped = now - end;
    return state;
}

/// Returns whether the directory contains only files that this program creates.
bool is_made_here(const std::string& directory)
{
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failed))
        if (const std::string name = entry.path().filename();
            name != "identity" && name != "owner" && !name.starts_with("map_") && !name.starts_with("link_"))
            return false;
    return !failed;
}

bool is_left_for_good(const PinState& state)
{
    constexpr uint64_t kTimesItsLease = 100;
    return !state.is_held &&
           (!state.is_complete || (state.lease != 0 && state.stopped.value_or(0) / kTimesItsLease >= state.lease)) &&
           is_made_here(std::string(kDirectory) + "/" + state.name);
}

} // namespace

std::vector<PinState> Pins::all()
{
    std::vector<PinState> states;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(kDirectory, failed)) {
        const int directory = ::open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0)
            continue;
        const bool is_held = is_pin_held(directory);
        close(directory);
        states.push_back(state_of_pin(entry.path().filename(), is_held));
    }
    std::sort(states.begin(), states.end(), [](const PinState& a, const PinState& b) { return a.name < b.name; });
    return states;
}

/// Removes pins without an owner. Checks each pin again under its lock, because a tracer may have taken over the pin
/// after the first check.
std::vector<PinState> Pins::sweep(const std::function<bool(const std::string&)>& is_claimed)
{
    std::vector<PinState> gone;
    for (const PinState& found : all()) {
        if (!is_left_for_good(found) || is_claimed(found.name))
            continue;
        const std::string directory = std::string(kDirectory) + "/" + found.name;
        const int lock = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (lock < 0)
            continue;
        if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
            close(lock);
            continue;
        }
        Pins pins(directory, lock);
        const PinState locked = state_of_pin(found.name, false);
        if (!is_left_for_good(locked))
            continue;
        pins.remove();
        gone.push_back(locked);
    }
    return gone;
}

Result<Pins> Pins::open(const std::string& name, const std::vector<uint8_t>& object)
{
    if (!is_bpf_file_system())
        return Error{std::string("option pin needs the BPF file system: mount -t bpf bpf ") + kFileSystem, ENOTSUP};
    const std::string directory = std::string(kDirectory) + "/" + name;
    const Result<int> lock = lock_directory(directory);
    if (!lock)
        return lock.error().code == EWOULDBLOCK ? Error{"pin " + name + " is in use by another running dtrace", EBUSY}
                                                : lock.error();
    Pins pins(directory, lock.value());
    pins.hash_ = std::hash<std::string_view>()({reinterpret_cast<const char*>(object.data()), object.size()});
    pins.refresh();
    return pins;
}

Pins::Pins(Pins&& other) noexcept
    : directory_(std::move(other.directory_)), lock_(std::exchange(other.lock_, -1)),
      identity_(std::exchange(other.identity_, -1)), hash_(other.hash_), began_(other.began_), found_(other.found_)
{
}

Pins::~Pins()
{
    if (lock_ >= 0)
        free_if_empty();
    for (const int descriptor : {identity_, lock_})
        if (descriptor >= 0)
            close(descriptor);
}

void Pins::refresh()
{
    std::error_code failed;
    if (std::filesystem::is_empty(directory_, failed) || failed)
        return;
    found_ = Found::Broken;
    identity_ = bpf_obj_get((directory_ + "/identity").c_str());
    PinIdentity identity;
    const uint32_t first = 0;
    if (identity_ < 0 || bpf_map_lookup_elem(identity_, &first, &identity) != 0 || identity.complete == 0)
        return;
    began_ = identity.began;
    found_ = identity.hash == hash_ ? Found::Same : Found::Other;
}

uint64_t Pins::age() const
{
    return (boot_time() - began_) / static_cast<uint64_t>(kSecond);
}

void Pins::clear()
{
    // Errors are ignored, because the next removal of pins without an owner will also remove these files.
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory_, failed))
        std::filesystem::remove(entry.path(), failed);
    if (identity_ >= 0)
        close(std::exchange(identity_, -1));
    found_ = Found::Nothing;
}

void Pins::remove()
{
    clear();
    free_if_empty();
}

void Pins::free_if_empty() const
{
    rmdir(directory_.c_str());
    rmdir(kDirectory); // the shared directory is removed only if it is empty; it remains if other pins exist
}

Result<void> Pins::use_maps(bpf_object* object) const
{
    std::size_t number = 0;
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object)
    {
        const std::string path = directory_ + "/map_" + std::to_string(number++);
        const int descriptor = bpf_obj_get(path.c_str());
        if (descriptor < 0)
            return cannot_pin("reuse " + path, errno);
        const int failed = bpf_map__reuse_fd(map, descriptor);
        close(descriptor);
        if (failed != 0)
            return cannot_pin("reuse " + path, -failed);
    }
    return {};
}

Result<std::vector<int>> Pins::links(std::size_t program) const
{
    std::vector<int> found;
    for (;;) {
        const std::string path = directory_ + "/link_" + std::to_string(program) + "_" + std::to_string(found.size());
        const int descriptor = bpf_obj_get(path.c_str());
        if (descriptor >= 0) {
            found.push_back(descriptor);
            continue;
        }
        if (errno == ENOENT)
            return found;
        const int code = errno;
        for (const int each : found)
            close(each);
        return cannot_pin("reuse " + path, code);
    }
}

Result<void> Pins::keep_one(const std::string& name, int descriptor) const
{
    const std::string path = directory_ + "/" + name;
    return bpf_obj_pin(descriptor, path.c_str()) == 0 ? Result<void>() : cannot_pin("pin " + path, errno);
}

Result<void> Pins::keep(const LoadedMaps& maps, const std::vector<std::pair<std::size_t, int>>& links)
{
    identity_ = bpf_map_create(BPF_MAP_TYPE_ARRAY, "identity", sizeof(uint32_t), sizeof(PinIdentity), 1, nullptr);
    Result<void> kept = identity_ < 0 ? cannot_pin("create a map", errno) : keep_one("identity", identity_);
    std::size_t number = 0;
    for (const LoadedMap& map : maps)
        if (kept)
            kept = keep_one("map_" + std::to_string(number++), map.descriptor);
    std::size_t program = SIZE_MAX;
    for (const auto& [of, link] : links) {
        number = of == program ? number + 1 : 0;
        program = of;
        if (kept)
            kept = keep_one("link_" + std::to_string(program) + "_" + std::to_string(number), link);
    }
    return kept;
}

void Pins::own(uint64_t lease) const
{
    const std::string path = directory_ + "/owner";
    PinOwner owner;
    if (found_ == Found::Same) {
        static_cast<void>(read_pinned(path, &owner, sizeof owner));
        ++owner.adopted;
    }
    owner.process = static_cast<uint64_t>(getpid());
    owner.lease = lease;
    owner.lease_at = offsetof(dt_state, lease);
    int map = bpf_obj_get(path.c_str());
    if (map < 0) {
        map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "owner", sizeof(uint32_t), sizeof owner, 1, nullptr);
        static_cast<void>(bpf_obj_pin(map, path.c_str()));
    }
    const uint32_t first = 0;
    static_cast<void>(bpf_map_update_elem(map, &first, &owner, BPF_ANY));
    if (map >= 0)
        close(map);
}

Result<void> Pins::complete()
{
    const PinIdentity identity{hash_, boot_time(), 1};
    const uint32_t first = 0;
    if (bpf_map_update_elem(identity_, &first, &identity, BPF_ANY) != 0)
        return cannot_pin("write " + directory_ + "/identity", errno);
    return {};
}

} // namespace dt
