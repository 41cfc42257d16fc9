// The files that processes map. Each file is known once, however many processes map it, and is read only if it is
// exactly the file that was mapped. The parser of /proc/PID/maps and the reader of source lines are here too.
//
// An address is named when it is printed. By then a package may have been upgraded, a program rebuilt or removed, and
// the process may have ended. So a file is opened as soon as its mapping as code is seen. A file is identified by its
// build id, else by device, inode, size and modification time. An open file costs a descriptor, and a deleted file its
// disk space; so it is closed once its symbols have been read.
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

/// Owner of a descriptor of an open file.
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
    /// Returns the kernel's current name of the file, without the mark that it appends for deleted files.
    std::string name() const;
    /// Returns whether the file has no name any more. Its disk space is freed when no process has it open.
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
    bool deleted = false; ///< whether the path no longer exists or names another file

    // Members that only MappedFiles uses:
    std::optional<OpenFile> held;
    std::shared_ptr<ElfSymbols> symbols;   ///< symbols of the file; null if they are not read
    std::string read_build_id;             ///< build id (bytes) of the file that the symbols were read from
    std::shared_ptr<SandboxedLines> lines; ///< source lines; null if not read or disabled
    uint64_t touched = 0;                  ///< time when the file was last used; seconds of CLOCK_MONOTONIC
    /// Time when the file was read; time of the last query or check; both in seconds of CLOCK_MONOTONIC.
    uint64_t read = 0, asked = 0;
    uint64_t forgotten = 0;       ///< time when its symbols were dropped; 0: never
    bool is_wanted_often = false; ///< whether the file was read again soon after its symbols were dropped
    bool unread = false;          ///< whether the file is already counted in unread()

    std::string_view base_name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
};

class MappedFiles {
public:
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

    /// `proc` is the mount point of proc(5). `untrusted` reads the files.
    explicit MappedFiles(std::string proc, std::shared_ptr<UntrustedFiles> untrusted = UntrustedFiles::make());

    /// The address range of a file's mapping in a process, and the time at which the mapping was seen.
    struct MappedRange {
        int64_t pid = 0;
        uint64_t start = 0, end = 0;
        uint64_t inode = 0;       ///< inode reported by the kernel; 0: unknown
        int64_t seen_wall_ns = 0; ///< time when the mapping was seen (CLOCK_REALTIME ns)
    };

    /// Enables source lines in symbols_of().
    void want_lines(bool wanted) { wants_lines_ = wanted; }
    /// Sets the memory limit in bytes of the data read from files.
    void set_max_bytes(std::size_t bytes) { max_bytes_ = bytes; }
    /// Returns the file that is mapped at the address range; other mappings, such as [heap], are identified by their
    /// path only. `build_id` comes from the kernel's event; empty if the event had none.
    std::shared_ptr<MappedFile> of(const MappedRange& place, const std::string& path, const std::string& build_id);
    /// Opens the file if it can still be found, and keeps it open.
    void hold(const MappedRange& place, MappedFile& file);
    /// Returns the file's symbols. If it is no longer available, returns an empty table and sets file.deleted.
    const ElfSymbols& symbols_of(const MappedRange& place, MappedFile& file);
    /// Does regular work, at most once a second. Closes files that have been read. Reads and closes files that were
    /// deleted since the last check, and drops files that no process maps.
    void settle();
    void settle(uint64_t now); ///< `now` in seconds of CLOCK_MONOTONIC
    /// Ends a run: closes all files, and drops the files without a build id from the table.
    void forget();
    /// Returns the number of files that were not read because too many files were open.
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
    bool is_short_ = false; // whether the last open failed for lack of descriptors
    std::size_t max_open_files_, held_ = 0, max_bytes_ = kMaxBytes;
    uint64_t unread_ = 0, settled_ = 0, looked_ = 0;
    // The known files. A key is the path with the build id or the identity; a file may have an entry for each of the
    // two.
    Files files_;
};

// Reads the text of /proc/PID/maps and locates the mapped files.

struct Mapping;

/// Returns the maps of a process; `process` is its folder in procfs. If its first thread has ended, another thread's
/// maps are read. Empty if the process has ended.
std::string read_maps(const std::string& process);

/// Returns paths to open the mapped file: the mapping itself, then the file that has its name now. `proc` is the mount
/// point of proc(5).
std::vector<std::string> names_of_mapped(const std::string& proc, int64_t pid, const Mapping& mapping);

// Looks up source lines of a traced program's file by a sandboxed reader (untrusted_files.hpp). The reader keeps the
// parsed file between lookups.

class SandboxedLines {
public:
    /// Keeps the file open, so that a restarted reader can parse it again. `named` is its path as in ElfSymbols.
    SandboxedLines(std::shared_ptr<UntrustedFiles> untrusted, OpenFile file, const std::string& named);

    /// Returns the frames as SourceLines does. If source lines are not available, returns one frame without function
    /// and source location.
    std::vector<SourceLines::Frame> frames(uint64_t address);
    std::string place(uint64_t address) { return frames(address).front().place; }
    /// Returns the approximate memory in bytes that the lookups use in the tracer and in the reader.
    std::size_t bytes() const { return sizeof *this + (here_ ? here_->bytes() : bytes_); }

private:
    std::shared_ptr<UntrustedFiles> untrusted_;
    std::optional<SourceLines> here_; ///< used instead of a reader if the tracer itself reads files
    OpenFile file_;
    std::string named_;
    std::size_t bytes_ = 0;
};

} // namespace dt
