// Parses /proc/PID/maps, and opens and checks mapped files. A path does not identify a file: the file at the path of a
// mapping may have been replaced. If neither build id nor file status was available in time, addresses in the file are
// printed without names.
#include "libdtrace/mappings/mapped_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/packed_bytes.hpp"
#include "base/proc_file.hpp"
#include "base/time.hpp"
#include "libdtrace/elf/identification.hpp"

namespace dt {
namespace {

constexpr std::size_t kMaxHeld = 4096; ///< maximum number of files that stay open
/// the number of open files is at most this process's limit of file descriptors, divided by kShareOfDescriptors
constexpr std::size_t kShareOfDescriptors = 4;
/// If the table of files has more entries than this, files are dropped from it sooner: if no process maps a file and
/// its symbols were not read, it is dropped after 1 s instead of kLongUnmapped.
constexpr std::size_t kMaxFiles = 16384;
/// an open file is closed this number of seconds after its last new mapping or query
constexpr uint64_t kLongHeld = 600;
constexpr uint64_t kDeletedPeriod = 30; ///< interval in seconds at which open files are checked for deletion
/// Time in seconds for which symbols stay uncompressed after they were read, because most queries come in that time.
constexpr uint64_t kLongUnpacked = 2;
constexpr uint64_t kLongUnused = 60; ///< symbols are dropped this number of seconds after the last query
/// If a file's symbols are read again within this number of seconds after they were dropped, the file is used often.
/// Its symbols are then dropped only after the same number of seconds without a query.
constexpr uint64_t kLongUnusedAgain = 600;
/// time in seconds after which a file is dropped from the table if no known process maps it anymore
constexpr uint64_t kLongUnmapped = 60;

constexpr std::string_view kDeletedMark = " (deleted)";

uint64_t seconds_now()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec);
}

std::size_t max_open_files()
{
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    return std::min<std::size_t>(kMaxHeld, limit.rlim_cur / kShareOfDescriptors);
}

FileIdentity identity_in(const struct stat& status)
{
    return {status.st_dev, status.st_ino, nanoseconds(status.st_mtim), status.st_size};
}

/// Escapes newlines in a name as /proc/PID/maps does.
std::string in_maps(std::string name)
{
    for (auto at = name.find('\n'); at != std::string::npos; at = name.find('\n', at))
        name.replace(at, 1, "\\012");
    return name;
}

bool has_read(const MappedFile& file)
{
    return file.symbols && file.symbols->found();
}

/// Returns the memory in bytes of the file's symbols and source lines. One stripped file needs little memory, but there
/// may be many of them.
std::size_t read_bytes(const MappedFile& file)
{
    return sizeof file + sizeof(ElfSymbols) + 2 * file.path.size() + file.symbols->bytes() +
           (file.lines ? file.lines->bytes() : 0);
}

/// Returns whether the file's path still names the file that is open.
bool is_at_its_path(const MappedFile& file)
{
    struct stat status {};
    return file.held && stat(file.path.c_str(), &status) == 0 && identity_in(status) == file.held->identity();
}

void forget_what_was_read(MappedFile& file)
{
    file.symbols.reset();
    file.lines.reset();
}

std::string key_of(const FileIdentity& identity)
{
    return std::to_string(identity.device) + ":" + std::to_string(identity.inode) + ":" +
           std::to_string(identity.modified_ns) + ":" + std::to_string(identity.size);
}

/// Returns the build id of a file; empty if the file has none or is not an ELF file.
std::string build_id_of(const OpenFile& file)
{
    return identify_elf(file.descriptor()).build_id;
}

bool is_elf(const OpenFile& file)
{
    return identify_elf(file.descriptor()).found;
}

bool is_the_one(const OpenFile& opened, const MappedFile& file)
{
    return file.build_id.empty() ? file.identity && opened.identity() == file.identity
                                 : build_id_of(opened) == file.build_id;
}

} // namespace

OpenFile::OpenFile(const std::string& path)
{
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
        descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

OpenFile OpenFile::to_look_at(const std::string& path)
{
    OpenFile file;
    file.descriptor_ = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    return file;
}

OpenFile::OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept
{
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

OpenFile::~OpenFile()
{
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

std::optional<FileIdentity> OpenFile::identity() const
{
    struct stat status {};
    return fstat(descriptor_, &status) == 0 ? std::optional(identity_in(status)) : std::nullopt;
}

std::string OpenFile::name() const
{
    char target[PATH_MAX];
    const ssize_t size = readlink(path().c_str(), target, sizeof target);
    std::string_view name(target, size > 0 ? static_cast<std::size_t>(size) : 0);
    if (name.ends_with(kDeletedMark))
        name.remove_suffix(kDeletedMark.size());
    return std::string(name);
}

bool OpenFile::is_deleted() const
{
    struct stat status {};
    return fstat(descriptor_, &status) == 0 && status.st_nlink == 0;
}

MappedFiles::MappedFiles(std::string proc, std::shared_ptr<UntrustedFiles> untrusted)
    : proc_(std::move(proc)), untrusted_(std::move(untrusted)), max_open_files_(max_open_files())
{
}

/// Returns three paths of a mapped file. The first path is the mapping's entry in map_files, which works even for a
/// deleted file while the process lives. The second path is below the process's root, which may be a container's. The
/// third path is below the tracer's root.
std::vector<std::string> MappedFiles::names_of(const MappedRange& place, const std::string& path) const
{
    char range[48];
    std::snprintf(range, sizeof range, "/map_files/%llx-%llx", static_cast<unsigned long long>(place.start),
                  static_cast<unsigned long long>(place.end));
    const std::string process = process_folder(proc_, place.pid);
    return {process + range, process + "/root" + path, path};
}

/// Returns the identity of the file that an event reports as mapped. The process may have executed another program
/// since the event. So the name of the opened file must be the name in the event. On overlayfs the inode number of the
/// mapping may differ from the one that fstat(2) returns. If so, /proc/PID/maps must still contain the mapping.
std::optional<FileIdentity> MappedFiles::mapped_identity(const MappedRange& place, const std::string& range,
                                                         const std::string& path) const
{
    const OpenFile mapped = OpenFile::to_look_at(range);
    struct stat status {};
    if (!mapped || fstat(mapped.descriptor(), &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    const std::string name = mapped.name();
    if (name != path && in_maps(name) != path && name + std::string(kDeletedMark) != path)
        return {};
    if (place.inode == 0 || status.st_ino == place.inode)
        return identity_in(status);
    const std::vector<Mapping> mappings = parse_maps(read_maps(proc_ + "/" + std::to_string(place.pid)));
    const bool is_there = std::any_of(mappings.begin(), mappings.end(), [&](const Mapping& mapping) {
        return mapping.start == place.start && mapping.inode == place.inode && mapping.path == in_maps(name);
    });
    return is_there ? std::optional(identity_in(status)) : std::nullopt;
}

/// Returns the identity of the file. If the file is found only by its name, its inode number must be the one in the
/// event, and the file must not have changed since the event.
std::optional<FileIdentity> MappedFiles::identity_of(const MappedRange& place, const std::string& path) const
{
    const std::vector<std::string> names = names_of(place, path);
    if (const auto identity = mapped_identity(place, names.front(), path))
        return identity;
    for (auto name = names.begin() + 1; name != names.end(); ++name) {
        struct stat status {};
        const bool is_there = stat(name->c_str(), &status) == 0 && S_ISREG(status.st_mode);
        if (is_there && status.st_ino == place.inode && nanoseconds(status.st_ctim) <= place.seen_wall_ns)
            return identity_in(status);
    }
    return {};
}

std::optional<OpenFile> MappedFiles::open(const std::string& name)
{
    for (int tries = 0; tries < 2; ++tries) {
        errno = 0;
        if (OpenFile file(name); file)
            return file;
        if (errno != EMFILE && errno != ENFILE)
            return {};
        close_oldest_held_file();
    }
    is_short_ = true;
    return {};
}

std::shared_ptr<MappedFile> MappedFiles::of(const MappedRange& place, const std::string& path,
                                            const std::string& build_id)
{
    std::optional<FileIdentity> identity;
    if (build_id.empty() && path.starts_with('/'))
        identity = identity_of(place, path);
    const std::string key = (build_id.empty() ? identity ? key_of(*identity) : "" : build_id) + path;
    std::shared_ptr<MappedFile>& known = files_[key];
    if (known)
        return known;
    auto file = std::make_shared<MappedFile>();
    file->path = path;
    file->build_id = build_id;
    file->identity = identity;
    file->touched = seconds_now();
    return known = std::move(file);
}

void MappedFiles::hold(const MappedRange& place, MappedFile& file)
{
    file.touched = seconds_now();
    if (file.held || file.symbols || (file.build_id.empty() && !file.identity))
        return;
    if (held_ >= max_open_files_)
        close_oldest_held_file();
    for (const std::string& name : names_of(place, file.path)) {
        std::optional<OpenFile> opened = open(name);
        if (!opened || !is_elf(*opened) || !is_the_one(*opened, file))
            continue;
        file.held = std::move(opened);
        ++held_;
        return;
    }
}

/// Reads the symbols through the descriptor that was checked, not by path. The path may now lead to another file,
/// because the process may have executed another program.
void MappedFiles::read(MappedFile& file, const OpenFile& opened, const std::string& name)
{
    file.symbols = std::make_shared<ElfSymbols>(ElfSymbols::packed_of_untrusted(*untrusted_, opened.path(), name));
    file.read_build_id = file.build_id.empty() ? build_id_of(opened) : file.build_id;
    file.read = seconds_now();
    file.is_wanted_often = file.forgotten != 0 && file.read <= file.forgotten + kLongUnusedAgain;
    if (wants_lines_)
        file.lines = std::make_shared<SandboxedLines>(untrusted_, OpenFile(opened.path()), name);
}

const ElfSymbols& MappedFiles::symbols_of(const MappedRange& place, MappedFile& file)
{
    file.touched = file.asked = seconds_now();
    if (file.symbols && (file.lines || !wants_lines_))
        return *file.symbols;
    is_short_ = false;
    bool another = false;
    std::vector<std::string> names = names_of(place, file.path);
    // Debug files are searched by the path of the file. The path below /proc/PID comes first, because it also leads to
    // debug files in a container. The path of the open descriptor leads to no debug files, so it is tried second.
    if (file.held)
        names.insert(names.begin() + 1, file.held->path());
    for (auto name = names.begin(); name != names.end() && !has_read(file); ++name) {
        const std::optional<OpenFile> opened = open(*name);
        if (opened && is_the_one(*opened, file))
            read(file, *opened, *name);
        else
            another |= opened.has_value();
    }
    if (has_read(file))
        return *file.symbols;
    file.deleted |= another;
    static const auto kNone = std::make_shared<ElfSymbols>(std::string());
    if (!is_short_)
        file.symbols = kNone;
    unread_ += is_short_ && !std::exchange(file.unread, true) ? 1 : 0;
    return *kNone;
}

void MappedFiles::close(MappedFile& file)
{
    held_ -= file.held ? 1 : 0;
    file.held.reset();
}

/// Closes the file. If the file's path no longer names this file, reads its symbols first.
void MappedFiles::close_held_file(MappedFile& file)
{
    if (!has_read(file) && !is_at_its_path(file) && is_the_one(*file.held, file))
        read(file, *file.held, file.held->path());
    close(file);
}

/// Closes the least recently used quarter of the open files.
void MappedFiles::close_oldest_held_file()
{
    std::vector<MappedFile*> held;
    for (const auto& [key, file] : files_)
        if (file->held)
            held.push_back(file.get());
    const std::size_t count = std::min(held.size(), held.size() / 4 + 1);
    std::partial_sort(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(count), held.end(),
                      [](const MappedFile* a, const MappedFile* b) { return a->touched < b->touched; });
    held.resize(count);
    for (MappedFile* const file : held)
        close_held_file(*file);
}

void MappedFiles::settle()
{
    settle(seconds_now());
}

void MappedFiles::settle(uint64_t now)
{
    if (now == std::exchange(settled_, now))
        return;
    // open files are checked for deletion only once per kDeletedPeriod, because each check needs a system call
    const bool is_due = now - looked_ >= kDeletedPeriod;
    if (is_due)
        looked_ = now;
    std::erase_if(files_, [&](const auto& known) {
        MappedFile& file = *known.second;
        if (has_read(file) && !file.symbols->is_packed() && now - file.read >= kLongUnpacked)
            file.symbols->pack();
        else if (has_read(file) && now - file.touched >= kLongUnpacked)
            file.symbols->rest();
        if (is_due && has_read(file) && now - file.asked > (file.is_wanted_often ? kLongUnusedAgain : kLongUnused))
            forget_unused(file, now);
        if (file.held && has_read(file))
            close(file);
        else if (file.held && ((is_due && file.held->is_deleted()) || now - file.touched > kLongHeld))
            close_held_file(file);
        const bool is_recent = now - file.touched <= (files_.size() > kMaxFiles ? 1 : kLongUnmapped);
        const bool is_wanted = known.second.use_count() > 1 || has_read(file) || is_recent;
        if (!is_wanted)
            close(file);
        return !is_wanted;
    });
    bound_symbols();
    untrusted_->rest();
}

/// Drops the symbols of a file, but only if its path still names the file, so that the symbols can be read again. So
/// the symbols of a deleted file are never dropped.
void MappedFiles::forget_unused(MappedFile& file, uint64_t now)
{
    file.asked = now; // restarts the period after which the symbols are dropped
    if (const std::optional<OpenFile> opened = open(file.path); opened && is_the_one(*opened, file)) {
        forget_what_was_read(file);
        file.forgotten = now;
    }
}

/// Drops the least recently used symbols until the memory limit is met. Dropped symbols are read again at the next
/// query.
void MappedFiles::bound_symbols()
{
    std::size_t bytes = 0;
    std::vector<std::shared_ptr<MappedFile>*> read;
    for (auto& [key, file] : files_)
        if (has_read(*file)) {
            bytes += read_bytes(*file);
            read.push_back(&file);
        }
    if (bytes <= max_bytes_)
        return;
    std::sort(read.begin(), read.end(), [](const auto* a, const auto* b) { return (*a)->touched < (*b)->touched; });
    for (auto file = read.begin(); file != read.end() && bytes > max_bytes_; ++file) {
        bytes -= read_bytes(***file);
        forget_what_was_read(***file);
    }
}

void MappedFiles::forget()
{
    for (auto& [key, file] : files_)
        close(*file);
    std::erase_if(files_, [](const auto& known) { return known.second->build_id.empty() || !has_read(*known.second); });
}

std::string read_maps(const std::string& process)
{
    std::string text = read_proc_file(process + "/maps");
    DIR* threads = text.empty() ? opendir((process + "/task").c_str()) : nullptr;
    if (!threads)
        return text;
    for (const dirent* entry = readdir(threads); entry && text.empty(); entry = readdir(threads))
        if (entry->d_name[0] != '.')
            text = read_proc_file(process + "/task/" + entry->d_name + "/maps");
    closedir(threads);
    return text;
}

std::vector<std::string> names_of_mapped(const std::string& proc, int64_t pid, const Mapping& mapping)
{
    char range[48];
    std::snprintf(range, sizeof range, "/map_files/%llx-%llx", static_cast<unsigned long long>(mapping.start),
                  static_cast<unsigned long long>(mapping.end));
    const std::string process = process_folder(proc, pid);
    return {process + range, process + "/root" + mapping.path};
}

namespace {

constexpr std::size_t kMaxSerializedFrames = 256;
/// maximum plausible value for the memory size that a sandboxed reader reports
constexpr std::size_t kMaxSerializedBytes = std::size_t{1} << 30;
/// maximum number of parsed files that a sandboxed reader stores
constexpr std::size_t kMaxKept = 64;

/// Runs in a sandboxed reader and looks up the source lines of an address. The request contains the file's identity,
/// path and name, and an address.
std::string serialize_frames(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    const std::string key = "lines " + std::string(asked.text()), path(asked.text()), named(asked.text());
    if (!state.contains(key) && state.size() >= kMaxKept)
        state.clear();
    std::shared_ptr<void>& kept = state[key];
    if (!kept)
        kept = std::make_shared<SourceLines>(path, named);
    auto& lines = *static_cast<SourceLines*>(kept.get());
    const std::vector<SourceLines::Frame> frames = lines.frames(asked.number());
    PackedWriter answer;
    answer.number(lines.bytes());
    answer.number(frames.size());
    for (const SourceLines::Frame& frame : frames) {
        answer.text(frame.function);
        answer.text(frame.place);
    }
    return answer.take();
}

} // namespace

std::string identity_text(const OpenFile& file)
{
    const FileIdentity identity = file.identity().value_or(FileIdentity{});
    return std::to_string(identity.device) + ":" + std::to_string(identity.inode) + ":" +
           std::to_string(identity.modified_ns) + ":" + std::to_string(identity.size);
}

SandboxedLines::SandboxedLines(std::shared_ptr<UntrustedFiles> untrusted, OpenFile file, const std::string& named)
    : untrusted_(std::move(untrusted)), file_(std::move(file)), named_(name_of_untrusted(named))
{
    if (untrusted_->by() == ReadBy::Tracer) {
        here_.emplace(file_.path(), named);
        const OpenFile closed = std::move(
            file_); // closes the descriptor, because here_, the parser in this process, has already mapped the file
    }
}

std::vector<SourceLines::Frame> SandboxedLines::frames(uint64_t address)
{
    if (here_)
        return here_->frames(address);
    PackedWriter request;
    request.text(identity_text(file_));
    request.text(file_.path());
    request.text(named_);
    request.number(address);
    const Result<std::string> reply = untrusted_->read(file_.path(), serialize_frames, request.take());
    if (!reply)
        return {{}};
    PackedReader answer(reply.value());
    bytes_ = std::min<std::size_t>(answer.number(), kMaxSerializedBytes);
    std::vector<SourceLines::Frame> frames(answer.count(2, kMaxSerializedFrames));
    for (SourceLines::Frame& frame : frames) {
        frame.function = printable_name(answer.text());
        frame.place = printable_name(answer.text());
    }
    if (!answer.good() || frames.empty())
        frames.assign(1, {});
    return frames;
}

} // namespace dt
