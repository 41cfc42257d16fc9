// The files that processes map. The table has one entry for each file, however many processes map it. A file is read
// only if it is exactly the file that was mapped. The parser of /proc/PID/maps and the reader of source lines are here
// too.
//
// The name of an address is looked up only when the address is printed. By then a package may have been upgraded, a
// program rebuilt or removed, and the process may have ended. So a file is opened as soon as the tracer sees that it is
// mapped as code. A file is identified by its build id, else by device, inode, size and modification time. An open file
// occupies a descriptor, and a deleted file also occupies disk space until it is closed. So a file is closed once its
// symbols have been read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/source_lines.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"

namespace dt {

class SandboxedLines;

/// Identity of a file's contents. It changes if the file is overwritten in place, but not if the file is renamed or
/// removed.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    int64_t modified_ns = 0;
    int64_t size = 0;

    bool operator==(const FileIdentity&) const = default;
};

/// Owns the descriptor of an open file.
class OpenFile {
public:
    /// Opens the file if it is a regular file.
    explicit OpenFile(const std::string& path);
    /// Opens a file of any type, only to read its status and name.
    static OpenFile to_look_at(const std::string& path);
    OpenFile(OpenFile&& other) noexcept;
    OpenFile& operator=(OpenFile&& other) noexcept;
    ~OpenFile();

    explicit operator bool() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }
    /// Returns a /proc/self/fd path that reopens the file even after a rename.
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
    std::optional<FileIdentity> identity() const;
    /// Returns the current name of the file according to the kernel, without the suffix " (deleted)".
    std::string name() const;
    /// Returns whether the file has been deleted. Its disk space is freed only when no process has it open.
    bool is_deleted() const;

private:
    OpenFile() = default;

    int descriptor_ = -1;
};

/// Returns the identity of an open file as one word, for requests to a sandboxed reader.
std::string identity_text(const OpenFile& file);

struct MappedFile {
    std::string path;     ///< path as the process knows it, or a name such as [heap]
    std::string build_id; ///< bytes of the build id; empty if unknown
    /// Identity of a file without a known build id; nothing if the file disappeared before the tracer checked it.
    std::optional<FileIdentity> identity;
    bool deleted = false; ///< whether the file at `path` no longer exists or is now a different file

    // The following members are used by MappedFiles only.
    std::optional<OpenFile> held;
    std::shared_ptr<ElfSymbols> symbols;   ///< symbols of the file; null if they were not read
    std::string read_build_id;             ///< build id (bytes) of the file from which the symbols were read
    std::shared_ptr<SandboxedLines> lines; ///< source lines; null if not read or disabled
    uint64_t touched = 0;                  ///< time when the file was last used; seconds of CLOCK_MONOTONIC
    /// Time when the symbols were read, and time of the last query, both in seconds of CLOCK_MONOTONIC. A check whether
    /// symbols can be dropped also sets the time of the last query.
    uint64_t read = 0, asked = 0;
    uint64_t forgotten = 0;       ///< time when the file's symbols were dropped; 0 if they never were
    bool is_wanted_often = false; ///< whether the file's symbols were read again soon after they had been dropped
    bool unread = false; ///< whether the file is already included in unread(), the number of files that were not read

    std::string_view base_name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
};

class MappedFiles {
public:
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

    /// `proc` is the mount point of proc(5). `untrusted` is the sandboxed reader that parses the files.
    explicit MappedFiles(std::string proc, std::shared_ptr<UntrustedFiles> untrusted = UntrustedFiles::make());

    /// Address range of a file's mapping in a process, and the time at which the tracer saw the mapping.
    struct MappedRange {
        int64_t pid = 0;
        uint64_t start = 0, end = 0;
        uint64_t inode = 0;       ///< inode number reported by the kernel; 0 if unknown
        int64_t seen_wall_ns = 0; ///< time when the mapping was seen (CLOCK_REALTIME ns)
    };

    /// From now on, symbols_of() also provides source lines.
    void want_lines(bool wanted) { wants_lines_ = wanted; }
    /// Sets the memory limit in bytes of the data read from files.
    void set_max_bytes(std::size_t bytes) { max_bytes_ = bytes; }
    /// Returns the file that is mapped at the address range; other mappings, such as [heap], are identified by their
    /// path only. `build_id` comes from the kernel's event; empty if the event had none.
    std::shared_ptr<MappedFile> of(const MappedRange& place, const std::string& path, const std::string& build_id);
    /// Opens the file if it can still be found, and leaves it open.
    void hold(const MappedRange& place, MappedFile& file);
    /// Returns the file's symbols. If the file cannot be found, returns an empty table. Sets file.deleted if another
    /// file is now at its path.
    const ElfSymbols& symbols_of(const MappedRange& place, MappedFile& file);
    /// Does periodic work, at most once a second: packs symbols, and drops symbols that were not used for a while.
    /// Closes files that were read or deleted; a deleted file is read first. Drops files that no process maps.
    void settle();
    /// Does the work of settle(), with the current time as an argument, in seconds of CLOCK_MONOTONIC.
    void settle(uint64_t now);
    /// Ends a run: closes all files, and drops files without a build id and files that were not read.
    void forget();
    /// Returns the number of files whose symbols were not read because too many files were open.
    uint64_t unread() const { return unread_; }

private:
    using Files = std::unordered_map<std::string, std::shared_ptr<MappedFile>>;

    std::vector<std::string> names_of(const MappedRange& place, const std::string& path) const;
    std::optional<FileIdentity> identity_of(const MappedRange& place, const std::string& path) const;
    std::optional<FileIdentity> mapped_identity(const MappedRange& place, const std::string& range,
                                                const std::string& path) const;
    std::optional<OpenFile> open(const std::string& name);
    void read(MappedFile& file, const OpenFile& opened, const std::string& name);
    void close(MappedFile& file);
    void close_held_file(MappedFile& file);
    void close_oldest_held_file();
    void forget_unused(MappedFile& file, uint64_t now);
    void bound_symbols();

    std::string proc_;
    std::shared_ptr<UntrustedFiles> untrusted_;
    bool wants_lines_ = false;
    bool is_short_ = false; // whether the last open() failed because no descriptor was free
    std::size_t max_open_files_, held_ = 0, max_bytes_ = kMaxBytes;
    uint64_t unread_ = 0, settled_ = 0, looked_ = 0;
    // The known files. The key consists of the path and either the build id or the identity, so a file may have two
    // entries.
    Files files_;
};

// Reads the text of /proc/PID/maps and locates the mapped files.

struct Mapping;

/// Returns the text of /proc/PID/maps; `process` is the folder of the process in procfs. If the first thread has ended,
/// reads the maps of another thread. Returns an empty text if the process has ended.
std::string read_maps(const std::string& process);

/// Returns paths to open the mapped file: first the entry in map_files, then the path below the process's root. `proc`
/// is the mount point of proc(5).
std::vector<std::string> names_of_mapped(const std::string& proc, int64_t pid, const Mapping& mapping);

// Looks up source lines in a file of a traced program. A sandboxed reader (untrusted_files.hpp) parses the file and
// keeps it parsed between lookups.

class SandboxedLines {
public:
    /// The file stays open, so that a restarted sandboxed reader can parse it again. `named` is the file's path in its
    /// own file system; the debug file is searched relative to it.
    SandboxedLines(std::shared_ptr<UntrustedFiles> untrusted, OpenFile file, const std::string& named);

    /// Returns the frames at an address, as class SourceLines does. If source lines are not available, returns one
    /// frame with empty function and source location.
    std::vector<SourceLines::Frame> frames(uint64_t address);
    std::string place(uint64_t address) { return frames(address).front().place; }
    /// Returns the approximate memory in bytes that the lookups use in the tracer and in the sandboxed reader.
    std::size_t bytes() const { return sizeof *this + (here_ ? here_->bytes() : bytes_); }

private:
    std::shared_ptr<UntrustedFiles> untrusted_;
    std::optional<SourceLines> here_; ///< used instead of a sandboxed reader if the tracer itself reads files
    OpenFile file_;
    std::string named_;
    std::size_t bytes_ = 0;
};

} // namespace dt
