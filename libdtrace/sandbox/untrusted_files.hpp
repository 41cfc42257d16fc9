// Reads files of traced programs. Sandboxed processes read them (sandboxed_reader.hpp), or in a short run the tracer
// itself, which saves the milliseconds for starting a reader.
//
// A reader serves only files that the same users can write. All files of root on one mount share a reader; the files of
// every other user have a reader of their own. A malicious file may take over its reader, but then it can falsify only
// results about files of the same user. A file that has crashed a reader is not read again. Callers wait for answers,
// so unreadable files cost time. If the files of one owner have cost too much time, the owner's other files are not
// read for a while.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libdtrace/sandbox/sandboxed_reader.hpp"

namespace dt {

enum class ReadBy : uint8_t { Tracer, Readers };

/// Reads files of traced programs, in sandboxed readers or in the tracer. Not thread-safe.
class UntrustedFiles {
public:
    /// A file that could not be read.
    struct UnreadableFile {
        std::string path;   ///< path of the file, in the form that is printed for users
        std::string reason; ///< reason of the failure, such as "its reader crashed (Aborted)"
    };

    explicit UntrustedFiles(ReadBy by, ReaderBounds bounds = {}) : by_(by), bounds_(bounds) {}
    static std::shared_ptr<UntrustedFiles> make() { return std::make_shared<UntrustedFiles>(ReadBy::Tracer); }

    /// Selects which process reads files from now on: the tracer itself or a sandboxed reader.
    void read_by(ReadBy by) { by_ = by; }
    ReadBy by() const { return by_; }

    /// Reads a file: calls `function` in the process that read_by() selected. `request` contains the path of the file.
    /// A call in a sandboxed reader also fails if the file does not exist, or if the reader process crashes or takes
    /// too long. `stop` is as in SandboxedReader::query().
    Result<std::string> read(const std::string& path, ReadFunction function, std::string_view request,
                             const std::atomic<bool>* stop = nullptr);
    /// Ends readers that have been idle for some seconds.
    void rest();
    /// Ends all readers, because the tracer will not need them for a long time.
    void end() { readers_.clear(); }
    /// Returns the files that could not be read since the last call.
    std::vector<UnreadableFile> take_refused();
    /// Adds files that could not be read by another instance, in another thread.
    void add_refused(const std::vector<UnreadableFile>& found)
    {
        refused_.insert(refused_.end(), found.begin(), found.end());
    }
    std::size_t readers() const { return readers_.size(); }

private:
    /// Identifies the group of files that the same users can write: mount, owner, and 0. If users other than the owner
    /// can write a file, the third element is the file's inode number, so that the file forms a group of its own.
    using Writers = std::array<uint64_t, 3>;
    using File = std::array<uint64_t, 5>;  ///< identity of a file: device (2 numbers), inode, modification time, size
    using Owner = std::array<uint64_t, 2>; ///< owner of files: id of the mount, and user id
    struct WastedTime {
        int64_t begin_ns = 0, waited_ns = 0;
    };
    struct Reader {
        Writers writers;
        std::unique_ptr<SandboxedReader> process;
        int64_t used_ns = 0;
    };

    Result<std::string> query(const Writers& writers, ReadFunction function, std::string_view request,
                              const std::atomic<bool>* stop);
    Result<SandboxedReader*> reader_for(const Writers& writers);
    void drop(const Writers& writers);
    bool is_left_alone(const Owner& owner);
    void refuse(const std::string& path, const std::string& reason);

    ReadBy by_;
    const ReaderBounds bounds_;
    std::vector<Reader> readers_;
    std::set<File> bad_;
    std::map<Owner, WastedTime> wasted_;
    std::vector<UnreadableFile> refused_;
};

/// Returns the path of a file as messages print it. If `path` is in proc(5), returns the path of the file below the
/// process's root, for example "/proc/12/root/usr/bin/shop" for "/proc/12/map_files/…".
std::string name_of_untrusted(const std::string& path);

} // namespace dt
