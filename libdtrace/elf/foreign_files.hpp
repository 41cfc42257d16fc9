// Files of traced programs, read by processes that may do nothing else (confined_reader.hpp), or by the tracer itself,
// whose runs of a second would take some milliseconds longer with readers.
//
// A reader serves the files that the same people can write, one after the other: all that are root's on one mount are
// one reader's, those of each user another's. So who takes a reader over with a file of his can lie about his own files
// alone, where he need not have taken the trouble. A file that has cost a reader is not read again. Who asks waits, so
// when files of one owner have made it wait for nothing often, the others of that owner are left alone for a while.
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

#include "libdtrace/elf/confined_reader.hpp"

namespace dt {

enum class ReadBy : uint8_t { Tracer, Readers };

/// Not thread-safe.
class ForeignFiles {
public:
    /// What has become of a file.
    struct Refused {
        std::string path;   ///< as people know it
        std::string reason; ///< "its reader crashed (Aborted)"
    };

    explicit ForeignFiles(ReadBy by, ReaderBounds bounds = {}) : by_(by), bounds_(bounds) {}
    static std::shared_ptr<ForeignFiles> make() { return std::make_shared<ForeignFiles>(ReadBy::Tracer); }

    /// From now on.
    void read_by(ReadBy by) { by_ = by; }
    ReadBy by() const { return by_; }

    /// Has a reader call `function`, or calls it; the request tells it the path. Error: there is no such file, or it
    /// costs its reader, which `refused` keeps when it is new. `stop`: see ConfinedReader::ask.
    Result<std::string> read(const std::string& path, ReadFunction function, std::string_view request,
                             const std::atomic<bool>* stop = nullptr);
    /// Ends readers that nobody has asked for some seconds.
    void rest();
    /// Ends them all: nobody asks for long.
    void end() { readers_.clear(); }
    /// Those since the last call.
    std::vector<Refused> take_refused();
    /// What others have found, in another thread.
    void add_refused(const std::vector<Refused>& found) { refused_.insert(refused_.end(), found.begin(), found.end()); }
    std::size_t readers() const { return readers_.size(); }

private:
    /// Who can write it: the mount and the owner; the file itself too, when others can as well.
    using Writers = std::array<uint64_t, 3>;
    using File = std::array<uint64_t, 5>;  ///< device (two numbers), inode, time of its last change, size
    using Owner = std::array<uint64_t, 2>; ///< the mount and the user
    struct Vain {
        int64_t begin_ns = 0, waited_ns = 0;
    };
    struct Reader {
        Writers writers;
        std::unique_ptr<ConfinedReader> process;
        int64_t used_ns = 0;
    };

    Result<std::string> ask(const Writers& writers, ReadFunction function, std::string_view request,
                            const std::atomic<bool>* stop);
    Result<ConfinedReader*> reader_for(const Writers& writers);
    void drop(const Writers& writers);
    bool is_left_alone(const Owner& owner);
    void refuse(const std::string& path, const std::string& reason);

    ReadBy by_;
    const ReaderBounds bounds_;
    std::vector<Reader> readers_;
    std::set<File> bad_;
    std::map<Owner, Vain> vain_;
    std::vector<Refused> refused_;
};

/// The name by which people know what is opened as `path`, which may be a name of proc(5); below the root of a process
/// in a container it remains so: "/proc/12/root/usr/bin/shop" for "/proc/12/map_files/…".
std::string name_of_foreign(const std::string& path);

} // namespace dt
