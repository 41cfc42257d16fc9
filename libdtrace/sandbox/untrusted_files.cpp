// Chooses or starts the reader of a file. A failure may be caused by an earlier file of the same reader, so the request
// is repeated once by a new one.
#include "libdtrace/elf/foreign_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/elf/confinement.hpp"

namespace dt {
namespace {

constexpr std::size_t kMostReaders = 8;
constexpr std::size_t kMostBadFiles = 4096;
constexpr std::size_t kMostToldRefused = 64;
constexpr int64_t kIdleNs = 5 * kSecond, kRemembered = 600 * kSecond;

/// Returns the status of a regular file; nothing if it does not exist or has another type.
std::optional<struct statx> status_of_foreign(const std::string& path)
{
    struct statx status {};
    constexpr unsigned kWanted = STATX_BASIC_STATS | STATX_MNT_ID;
    if (statx(AT_FDCWD, path.c_str(), 0, kWanted, &status) != 0 || !S_ISREG(status.stx_mode))
        return {};
    return status;
}

} // namespace

std::string name_of_foreign(const std::string& path)
{
    constexpr std::string_view kProc = "/proc/", kDeletedMark = " (deleted)";
    const std::size_t end = path.starts_with(kProc) ? path.find('/', kProc.size()) : std::string::npos;
    char target[PATH_MAX];
    const ssize_t size = end == std::string::npos ? 0 : readlink(path.c_str(), target, sizeof target);
    if (size <= 0)
        return path;
    std::string_view name(target, static_cast<std::size_t>(size));
    if (name.ends_with(kDeletedMark))
        name.remove_suffix(kDeletedMark.size());
    const std::string root = path.substr(0, end) + "/root";
    return name.starts_with(root + "/") ? std::string(name) : root + std::string(name);
}

Result<std::string> ForeignFiles::read(const std::string& path, ReadFunction function, std::string_view request,
                                       const std::atomic<bool>* stop)
{
    if (by_ == ReadBy::Tracer) {
        ReaderState nothing; // the caller keeps its own state if there is no reader
        return function(nothing, request);
    }
    const auto status = status_of_foreign(path);
    if (!status)
        return Error{std::strerror(ENOENT), ENOENT};
    const auto modified = static_cast<uint64_t>(status->stx_mtime.tv_sec) * kSecond + status->stx_mtime.tv_nsec;
    const File file{status->stx_dev_major, status->stx_dev_minor, status->stx_ino, modified, status->stx_size};
    if (bad_.contains(file))
        return Error{"it has cost a reader before", EIO};
    const Owner owner{status->stx_mnt_id, status->stx_uid};
    if (is_left_alone(owner))
        return Error{"other files of its owner have cost much", EIO};
    const bool is_anyones = (status->stx_mode & (S_IWGRP | S_IWOTH)) != 0;
    const Writers writers{status->stx_mnt_id, status->stx_uid, is_anyones ? status->stx_ino : 0};
    const int64_t before = now_ns(CLOCK_MONOTONIC);
    Result<std::string> answer = ask(writers, function, request, stop);
    if (answer || answer.error().code == ECANCELED)
        return answer;
    if (answer.error().code != EAGAIN && bad_.size() < kMostBadFiles)
        bad_.insert(file);
    const std::string reason = "its reader " + answer.error().message;
    refuse(path, reason);
    Vain& vain = vain_.try_emplace(owner, Vain{before, 0}).first->second;
    vain.waited_ns += now_ns(CLOCK_MONOTONIC) - before;
    if (is_left_alone(owner))
        refuse(path, "nor are others of its owner for ten minutes: their readers took " +
                         std::to_string(vain.waited_ns / static_cast<int64_t>(kSecond)) + " s");
    return Error{reason, answer.error().code};
}

/// Returns whether files of the owner have cost too much waiting time, so that its other files are not read for a
/// while.
bool ForeignFiles::is_left_alone(const Owner& owner)
{
    std::erase_if(
        vain_, [now = now_ns(CLOCK_MONOTONIC)](const auto& each) { return now - each.second.begin_ns > kRemembered; });
    const auto known = vain_.find(owner);
    return known != vain_.end() && known->second.waited_ns > static_cast<int64_t>(bounds_.owner * kSecond);
}

void ForeignFiles::refuse(const std::string& path, const std::string& reason)
{
    Refused told{name_of_foreign(path), reason};
    if (const std::size_t root = told.path.find("/root/"); told.path.starts_with("/proc/") && root != std::string::npos)
        told.path.erase(0, root + 5);
    if (refused_.size() < kMostToldRefused)
        refused_.push_back(told);
}

Result<std::string> ForeignFiles::ask(const Writers& writers, ReadFunction function, std::string_view request,
                                      const std::atomic<bool>* stop)
{
    while (true) {
        const Result<ConfinedReader*> reader = reader_for(writers);
        if (!reader)
            return Error{"could not be started: " + reader.error().message, EAGAIN};
        const bool is_fresh = reader.value()->asked() == 0;
        Result<std::string> answer = reader.value()->ask(function, request, stop);
        if (!answer)
            drop(writers);
        if (answer || is_fresh || answer.error().code == ECANCELED || answer.error().code == ETIME)
            return answer;
    }
}

Result<ConfinedReader*> ForeignFiles::reader_for(const Writers& writers)
{
    const int64_t now = now_ns(CLOCK_MONOTONIC);
    for (Reader& each : readers_)
        if (each.writers == writers) {
            each.used_ns = now;
            return each.process.get();
        }
    if (readers_.size() >= kMostReaders)
        readers_.erase(std::min_element(readers_.begin(), readers_.end(),
                                        [](const Reader& a, const Reader& b) { return a.used_ns < b.used_ns; }));
    auto started = ConfinedReader::start(bounds_, confine);
    if (!started)
        return started.error();
    readers_.push_back({writers, std::move(started.value()), now});
    return readers_.back().process.get();
}

void ForeignFiles::drop(const Writers& writers)
{
    std::erase_if(readers_, [&](const Reader& each) { return each.writers == writers; });
}

void ForeignFiles::rest()
{
    const int64_t now = now_ns(CLOCK_MONOTONIC);
    std::erase_if(readers_, [&](const Reader& each) { return now - each.used_ns > kIdleNs; });
}

std::vector<ForeignFiles::Refused> ForeignFiles::take_refused()
{
    return std::exchange(refused_, {});
}

} // namespace dt
