#include "libdtrace/load/pins.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

#include "base/time.hpp"

namespace dt {
namespace {

constexpr const char* kFileSystem = "/sys/fs/bpf";
constexpr const char* kDirectory = "/sys/fs/bpf/dtrace";

/// What the map "identity" holds.
struct PinIdentity {
    uint64_t hash = 0;     ///< of the object
    uint64_t began = 0;    ///< ns of CLOCK_BOOTTIME
    uint64_t complete = 0; ///< 1: it may be taken up
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
        return cannot_pin("make " + path, errno);
    return {};
}

/// The descriptor. Who had it before may have removed it while it was opened here.
Result<int> lock_directory(const std::string& directory)
{
    for (;;) {
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
            opened.st_ino == named.st_ino)
            return lock;
        close(lock);
        if (code != 0)
            return cannot_pin("lock " + directory, code);
    }
}

} // namespace

Result<Pins> Pins::open(const std::string& name, const std::vector<uint8_t>& object)
{
    if (!is_bpf_file_system())
        return Error{std::string("option pin needs the BPF file system: mount -t bpf bpf ") + kFileSystem, ENOTSUP};
    const std::string directory = std::string(kDirectory) + "/" + name;
    const Result<int> lock = lock_directory(directory);
    if (!lock)
        return lock.error().code == EWOULDBLOCK ? Error{"pin " + name + " belongs to another tracer that runs", EBUSY}
                                                : lock.error();
    Pins pins(directory, lock.value());
    pins.hash_ = std::hash<std::string_view>()({reinterpret_cast<const char*>(object.data()), object.size()});
    pins.look();
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

void Pins::look()
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
    std::error_code failed; // what cannot be removed is met again by the next one
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
    rmdir(kDirectory); // unless others are there
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
            return cannot_pin("take up " + path, errno);
        const int failed = bpf_map__reuse_fd(map, descriptor);
        close(descriptor);
        if (failed != 0)
            return cannot_pin("take up " + path, -failed);
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
        return cannot_pin("take up " + path, code);
    }
}

Result<void> Pins::keep_one(const std::string& name, int descriptor) const
{
    const std::string path = directory_ + "/" + name;
    return bpf_obj_pin(descriptor, path.c_str()) == 0 ? Result<void>() : cannot_pin("keep " + path, errno);
}

Result<void> Pins::keep(const bpf_object* object, const std::vector<std::pair<std::size_t, int>>& links)
{
    identity_ = bpf_map_create(BPF_MAP_TYPE_ARRAY, "identity", sizeof(uint32_t), sizeof(PinIdentity), 1, nullptr);
    Result<void> kept = identity_ < 0 ? cannot_pin("make a map", errno) : keep_one("identity", identity_);
    std::size_t number = 0;
    const bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object) if (kept) kept =
        keep_one("map_" + std::to_string(number++), bpf_map__fd(map));
    std::size_t program = SIZE_MAX;
    for (const auto& [of, link] : links) {
        number = of == program ? number + 1 : 0;
        program = of;
        if (kept)
            kept = keep_one("link_" + std::to_string(program) + "_" + std::to_string(number), link);
    }
    return kept;
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
