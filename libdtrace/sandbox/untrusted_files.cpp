// Selects or starts the reader of a file. A failed request is repeated once with a new reader, because an earlier file
// may have damaged the memory of the old one.
#include "libdtrace/sandbox/untrusted_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>
#include <utility>

#include "base/packed_bytes.hpp"
#include "base/time.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"

namespace dt {
namespace {

constexpr std::size_t kMaxReaders = 8;
constexpr std::size_t kMaxBadFiles = 4096;
constexpr std::size_t kMaxListedRefused = 64;
constexpr int64_t kIdleNs = 5 * kSecond, kRemembered = 600 * kSecond;

/// Returns the status of a regular file, or nothing if the file does not exist or is not a regular file.
std::optional<struct statx> status_of_untrusted(const std::string& path)
{
    struct statx status {};
    constexpr unsigned kWanted = STATX_BASIC_STATS | STATX_MNT_ID;
    if (statx(AT_FDCWD, path.c_str(), 0, kWanted, &status) != 0 || !S_ISREG(status.stx_mode))
        return {};
    return status;
}

} // namespace

std::string name_of_untrusted(const std::string& path)
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

Result<std::string> UntrustedFiles::read(const std::string& path, ReadFunction function, std::string_view request,
                                         const std::atomic<bool>* stop)
{
    if (by_ == ReadBy::Tracer) {
        // stays empty: when the tracer itself reads the file, callers keep the data that a reader would store between
        // requests
        ReaderState nothing;
        return function(nothing, request);
    }
    const auto status = status_of_untrusted(path);
    if (!status)
        return Error{std::strerror(ENOENT), ENOENT};
    const auto modified = static_cast<uint64_t>(status->stx_mtime.tv_sec) * kSecond + status->stx_mtime.tv_nsec;
    const File file{status->stx_dev_major, status->stx_dev_minor, status->stx_ino, modified, status->stx_size};
    if (bad_.contains(file))
        return Error{"an earlier attempt to read it failed", EIO};
    const Owner owner{status->stx_mnt_id, status->stx_uid};
    if (is_left_alone(owner))
        return Error{"other files of its owner took too long to read", EIO};
    const bool is_anyones = (status->stx_mode & (S_IWGRP | S_IWOTH)) != 0;
    const Writers writers{status->stx_mnt_id, status->stx_uid, is_anyones ? status->stx_ino : 0};
    const int64_t before = now_ns(CLOCK_MONOTONIC);
    Result<std::string> answer = query(writers, function, request, stop);
    if (answer || answer.error().code == ECANCELED)
        return answer;
    if (answer.error().code != EAGAIN && bad_.size() < kMaxBadFiles)
        bad_.insert(file);
    const std::string reason = "the process that reads it " + answer.error().message;
    refuse(path, reason);
    WastedTime& vain = wasted_.try_emplace(owner, WastedTime{before, 0}).first->second;
    vain.waited_ns += now_ns(CLOCK_MONOTONIC) - before;
    if (is_left_alone(owner))
        refuse(path, "other files of its owner are not read for ten minutes either, because they took " +
                         std::to_string(vain.waited_ns / static_cast<int64_t>(kSecond)) + " s");
    return Error{reason, answer.error().code};
}

/// Returns whether requests have already lost too much time with unreadable files of this owner. Files of such an owner
/// are not read for a while.
bool UntrustedFiles::is_left_alone(const Owner& owner)
{
    std::erase_if(wasted_, [now = now_ns(CLOCK_MONOTONIC)](const auto& each) {
        return now - each.second.begin_ns > kRemembered;
    });
    const auto known = wasted_.find(owner);
    return known != wasted_.end() && known->second.waited_ns > static_cast<int64_t>(bounds_.owner * kSecond);
}

void UntrustedFiles::refuse(const std::string& path, const std::string& reason)
{
    UnreadableFile unreadable{name_of_untrusted(path), reason};
    if (const std::size_t root = unreadable.path.find("/root/");
        unreadable.path.starts_with("/proc/") && root != std::string::npos)
        unreadable.path.erase(0, root + 5);
    if (refused_.size() < kMaxListedRefused)
        refused_.push_back(unreadable);
}

Result<std::string> UntrustedFiles::query(const Writers& writers, ReadFunction function, std::string_view request,
                                          const std::atomic<bool>* stop)
{
    while (true) {
        const Result<SandboxedReader*> reader = reader_for(writers);
        if (!reader)
            return Error{"could not be started: " + reader.error().message, EAGAIN};
        const bool is_fresh = reader.value()->asked() == 0;
        Result<std::string> answer = reader.value()->query(function, request, stop);
        if (!answer)
            drop(writers);
        if (answer || is_fresh || answer.error().code == ECANCELED || answer.error().code == ETIME)
            return answer;
    }
}

Result<SandboxedReader*> UntrustedFiles::reader_for(const Writers& writers)
{
    const int64_t now = now_ns(CLOCK_MONOTONIC);
    for (Reader& each : readers_)
        if (each.writers == writers) {
            each.used_ns = now;
            return each.process.get();
        }
    if (readers_.size() >= kMaxReaders)
        readers_.erase(std::min_element(readers_.begin(), readers_.end(),
                                        [](const Reader& a, const Reader& b) { return a.used_ns < b.used_ns; }));
    auto started = SandboxedReader::start(bounds_, confine);
    if (!started)
        return started.error();
    readers_.push_back({writers, std::move(started.value()), now});
    return readers_.back().process.get();
}

void UntrustedFiles::drop(const Writers& writers)
{
    std::erase_if(readers_, [&](const Reader& each) { return each.writers == writers; });
}

void UntrustedFiles::rest()
{
    const int64_t now = now_ns(CLOCK_MONOTONIC);
    std::erase_if(readers_, [&](const Reader& each) { return now - each.used_ns > kIdleNs; });
}

std::vector<UntrustedFiles::UnreadableFile> UntrustedFiles::take_refused()
{
    return std::exchange(refused_, {});
}

// Encodes and decodes symbols between a sandboxed reader and the tracer. The decoder checks that symbols are sorted by
// unique addresses and that aliases are sorted, because lookups rely on this order.

namespace {

constexpr uint64_t kIsFunction = 1, kIsIndirect = 2, kBindingShift = 2;
constexpr std::size_t kMinBytesOfSymbol = 4;
// Maximum number of symbols per table. That many symbols take 120 MB without their names.
constexpr std::size_t kMaxSerializedSymbols = 2 << 20;

void serialize_symbols(PackedWriter& answer, const std::vector<ElfSymbols::Symbol>& symbols)
{
    answer.number(symbols.size());
    uint64_t last = 0;
    for (const ElfSymbols::Symbol& symbol : symbols) {
        answer.number(symbol.start - std::exchange(last, symbol.start));
        answer.number(symbol.size);
        answer.number((symbol.is_function ? kIsFunction : 0) | (symbol.is_ifunc ? kIsIndirect : 0) |
                      static_cast<uint64_t>(symbol.binding) << kBindingShift);
        answer.text(symbol.name);
    }
}

std::string request_of(const std::string& path, const std::string& named)
{
    PackedWriter request;
    request.text(path);
    request.text(name_of_untrusted(named));
    return request.take();
}

} // namespace

void ElfSymbols::serialize_file(PackedWriter& answer) const
{
    answer.number((found_ ? 1U : 0U) | (is_go_ ? 2U : 0U) | (is_32bit_ ? 4U : 0U));
    answer.array(std::span<const Segment>(segments_));
}

void ElfSymbols::take_file(PackedReader& answer)
{
    const uint64_t kind = answer.number();
    found_ = (kind & 1) != 0;
    is_go_ = (kind & 2) != 0;
    is_32bit_ = (kind & 4) != 0;
    segments_ = answer.array<Segment>();
}

std::string ElfSymbols::serialized() const
{
    PackedWriter answer;
    serialize_file(answer);
    serialize_symbols(answer, symbols_);
    serialize_symbols(answer, aliases_);
    return answer.take();
}

std::string ElfSymbols::serialized_packed() const
{
    PackedWriter answer;
    serialize_file(answer);
    packed_.serialize(answer);
    return answer.take();
}

std::vector<ElfSymbols::Symbol> ElfSymbols::deserialize_symbols(PackedReader& answer)
{
    std::vector<Symbol> symbols(answer.count(kMinBytesOfSymbol, kMaxSerializedSymbols));
    uint64_t last = 0;
    for (Symbol& symbol : symbols) {
        symbol.start = last += answer.number();
        symbol.size = answer.number();
        const uint64_t kind = answer.number();
        symbol.is_function = (kind & kIsFunction) != 0;
        symbol.is_ifunc = (kind & kIsIndirect) != 0;
        symbol.binding = static_cast<int>(std::min<uint64_t>(kind >> kBindingShift, 2));
        symbol.name = answer.text().substr(0, kLongestName);
        symbol.name.resize(symbol.name.find('\0') == std::string::npos ? symbol.name.size() : symbol.name.find('\0'));
    }
    return symbols;
}

bool ElfSymbols::read_serialized(std::string_view bytes)
{
    PackedReader answer(bytes);
    take_file(answer);
    symbols_ = deserialize_symbols(answer);
    aliases_ = deserialize_symbols(answer);
    bytes_ = (symbols_.capacity() + aliases_.capacity()) * sizeof(Symbol) + bytes.size();
    const auto is_not_before = [](const Symbol& a, const Symbol& b) { return a.start >= b.start; };
    const auto is_behind = [](const Symbol& a, const Symbol& b) { return a.start > b.start; };
    return answer.good() && std::adjacent_find(symbols_.begin(), symbols_.end(), is_not_before) == symbols_.end() &&
           std::adjacent_find(aliases_.begin(), aliases_.end(), is_behind) == aliases_.end();
}

bool ElfSymbols::read_packed_symbols(std::string_view bytes)
{
    PackedReader answer(bytes);
    take_file(answer);
    packed_ = PackedSymbols::deserialize(answer);
    bytes_ = packed_.memory();
    return answer.good();
}

/// Runs in the reader: decodes the request and reads the file's symbols.
ElfSymbols ElfSymbols::asked(std::string_view request)
{
    PackedReader asked(request);
    const std::string file(asked.text()), name(asked.text());
    return {file, name};
}

ElfSymbols ElfSymbols::of_untrusted(UntrustedFiles& files, const std::string& path, const std::string& named)
{
    if (files.by() == ReadBy::Tracer)
        return ElfSymbols(path, named);
    const ReadFunction read = [](ReaderState&, std::string_view request) { return asked(request).serialized(); };
    ElfSymbols symbols;
    const Result<std::string> answer = files.read(path, read, request_of(path, named));
    if (answer && symbols.read_serialized(answer.value()))
        return symbols;
    return {};
}

ElfSymbols ElfSymbols::packed_of_untrusted(UntrustedFiles& files, const std::string& path, const std::string& named)
{
    if (files.by() == ReadBy::Tracer)
        return ElfSymbols(path, named);
    const ReadFunction read = [](ReaderState&, std::string_view request) {
        ElfSymbols symbols = asked(request);
        symbols.pack();
        return symbols.serialized_packed();
    };
    ElfSymbols symbols;
    const Result<std::string> answer = files.read(path, read, request_of(path, named));
    if (answer && symbols.read_packed_symbols(answer.value()))
        return symbols;
    return {};
}

} // namespace dt
