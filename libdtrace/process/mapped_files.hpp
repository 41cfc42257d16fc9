// The files that processes map, each known once however many processes map it, and read only when it is the very file
// that was mapped.
//
// An address is named when it is printed. By then a package may have been upgraded, a program compiled anew or removed,
// and whoever mapped the file be gone. So a file is opened as soon as somebody is seen to map it as code, and known
// again by what does not lie: its build id, else device, inode, size and time of modification. What is open costs
// descriptors, and of a deleted file its room on disk; both end when the file has told its symbols.
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
#include "libdtrace/elf/foreign_files.hpp"

namespace dt {

class ForeignLines;

/// What is overwritten in place is another file; what is only renamed or removed is not.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    int64_t modified_ns = 0;
    int64_t size = 0;

    bool operator==(const FileIdentity&) const = default;
};

/// An open file.
class OpenFile {
public:
    /// Whatever is no regular file is not opened.
    explicit OpenFile(const std::string& path);
    /// Whatever it is, for its status and name alone.
    static OpenFile to_look_at(const std::string& path);
    OpenFile(OpenFile&& other) noexcept;
    OpenFile& operator=(OpenFile&& other) noexcept;
    ~OpenFile();

    explicit operator bool() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }
    /// By which it can be opened once more, whatever its name is by now.
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
    std::optional<FileIdentity> identity() const;
    /// The name that the kernel knows it by now, without what it puts behind that of a deleted one.
    std::string name() const;
    /// It has no name any more, and its room on disk is free when nobody has it open.
    bool is_deleted() const;

private:
    OpenFile() = default;

    int descriptor_ = -1;
};

struct MappedFile {
    std::string path;     ///< as the process knows it; or a name as [heap]
    std::string build_id; ///< bytes; empty: not known
    std::optional<FileIdentity>
        identity;         ///< of a file without a known build id; nothing: it was gone before it could be looked at
    bool deleted = false; ///< the file has no such name any more, or another one has it

    // Of MappedFiles:
    std::optional<OpenFile> held;
    std::shared_ptr<ElfSymbols> symbols; ///< null: not read
    std::string read_build_id;           ///< of what symbols were read of; bytes
    std::shared_ptr<ForeignLines> lines; ///< null: not read, or nobody wants lines
    uint64_t touched = 0;                ///< seconds
    uint64_t read = 0, asked = 0;        ///< likewise
    uint64_t forgotten = 0;              ///< likewise: when what was read was; 0: never
    bool is_wanted_often = false;        ///< soon after it was forgotten it was read again
    bool unread = false;                 ///< it is counted so

    std::string_view base_name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
};

class MappedFiles {
public:
    static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

    /// `foreign`: has them read.
    explicit MappedFiles(std::string proc, std::shared_ptr<ForeignFiles> foreign = ForeignFiles::make());

    /// Where a process maps a file, and when that was so.
    struct Place {
        int64_t pid = 0;
        uint64_t start = 0, end = 0;
        uint64_t inode = 0;       ///< as the kernel told it; 0: not known
        int64_t seen_wall_ns = 0; ///< CLOCK_REALTIME
    };

    /// From now on symbols_of() reads lines too.
    void want_lines(bool wanted) { wants_lines_ = wanted; }
    /// Of what was read of files.
    void set_most_bytes(std::size_t bytes) { most_bytes_ = bytes; }
    /// The file that is mapped there; of what is no file on disk only the path counts. `build_id`: as the kernel told
    /// it, empty if it did not.
    std::shared_ptr<MappedFile> of(const Place& place, const std::string& path, const std::string& build_id);
    /// Opens it, if it is still to be found.
    void hold(const Place& place, MappedFile& file);
    /// An empty table when it cannot be had any more, and then file.deleted is set.
    const ElfSymbols& symbols_of(const Place& place, MappedFile& file);
    /// At most once a second: closes what has told all, lets files tell and go that were deleted some seconds ago, and
    /// forgets what nobody maps.
    void settle();
    void settle(uint64_t now); ///< seconds of CLOCK_MONOTONIC
    /// The run is over: only what has a build id remains known, and nothing is open.
    void forget();
    /// Files that could not be read because too many were open.
    uint64_t unread() const { return unread_; }

private:
    using Files = std::unordered_map<std::string, std::shared_ptr<MappedFile>>;

    std::vector<std::string> names_of(const Place& place, const std::string& path) const;
    std::optional<FileIdentity> identity_of(const Place& place, const std::string& path) const;
    std::optional<FileIdentity> mapped_identity(const Place& place, const std::string& range,
                                                const std::string& path) const;
    std::optional<OpenFile> open(const std::string& name);
    void read(MappedFile& file, const OpenFile& opened, const std::string& name);
    void close(MappedFile& file);
    void let_go(MappedFile& file);
    void let_oldest_go();
    void forget_unused(MappedFile& file, uint64_t now);
    void bound_symbols();

    std::string proc_;
    std::shared_ptr<ForeignFiles> foreign_;
    bool wants_lines_ = false;
    bool is_short_ = false; // of descriptors, at the last try to open
    std::size_t most_held_, held_ = 0, most_bytes_ = kMostBytes;
    uint64_t unread_ = 0, settled_ = 0, looked_ = 0;
    Files files_; // by build id or identity, and path; a file may have both
};

} // namespace dt
