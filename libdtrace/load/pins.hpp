// Pins that outlive the tracer (-x pin=NAME). Maps and links of a trace have names in the BPF file system, so its
// programs continue when the tracer is killed. The next tracer that runs this program adopts them.
//
// Files in /sys/fs/bpf/dtrace/NAME:
//   "identity"             an array with one struct PinIdentity
//   "map_0", "map_1" …     the maps, in the order of the object
//   "link_PROGRAM_0" …     the links of each program
//   "owner"                an array with one struct PinOwner
//
// The process that has locked the directory (flock(2)) owns the trace; the lock ends with the process. Other processes
// must not take that lock just to check for an owner, because a new tracer would find the name in use. So owners hold a
// second lock, which can be queried (F_OFD_GETLK).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/load/loaded_maps.hpp"

struct bpf_object;

namespace dt {

/// State of the pins of one trace, for example to print it.
struct PinState {
    std::string name;
    bool is_held = false;            ///< whether the owner, a tracer, is still running
    bool is_complete = false;        ///< whether a tracer can adopt the trace
    uint64_t began = 0;              ///< start of the trace in s since 1970; 0 if the pins are not complete
    uint64_t owner = 0;              ///< pid of the current or last owner; 0 if not known
    uint64_t adopted = 0;            ///< how many times a tracer has adopted the trace
    uint64_t lease = 0;              ///< lease in ns; 0 if there is no lease or it is not known
    std::optional<uint64_t> stopped; ///< time in ns since the lease expired; empty if it has not expired
};

class Pins {
public:
    enum class Found {
        Nothing,
        Same,   ///< open() found pins of a trace with the same object
        Other,  ///< open() found pins of a trace with another object
        Broken, ///< open() found incomplete pins: their creator ended before it had created all of them
    };

    /// Locks the pins under the name `name` and compares them with the object's bytes. The error message is complete;
    /// the caller adds no prefix.
    static Result<Pins> open(const std::string& name, const std::vector<uint8_t>& object);

    /// Returns all pins, ordered by name.
    static std::vector<PinState> all();
    /// Removes pins that no tracer will adopt anymore: incomplete pins, and pins whose lease expired more than a
    /// hundred lease durations ago. Keeps a pin if `is_claimed` returns true for its name.
    static std::vector<PinState> sweep(const std::function<bool(const std::string& name)>& is_claimed);

    Pins(Pins&& other) noexcept;
    Pins& operator=(Pins&&) = delete;
    ~Pins();

    Found found() const { return found_; }
    /// Returns the age in seconds of the pinned trace that open() found.
    uint64_t age() const;

    /// Removes all pins, so that programs and maps without other users are freed. The name stays locked.
    void clear();
    /// Removes all pins and releases the name.
    void remove();

    /// Lets an object use the pinned maps. Must be called before loading, if open() has found pins of this object
    /// (state Same).
    Result<void> use_maps(bpf_object* object) const;
    /// Returns descriptors of the pinned links of `program`, in the order in which they were pinned. The caller closes
    /// these.
    Result<std::vector<int>> links(std::size_t program) const;

    /// Pins the maps of a loaded object and its links; each link is given together with the index of its program. Must
    /// be called only if open() found no pins. Fails with the kernel's error.
    Result<void> keep(const LoadedMaps& maps, const std::vector<std::pair<std::size_t, int>>& links);
    /// Stores the process id and the lease (ns) of this process, so that other processes can display them. Errors are
    /// ignored.
    void own(uint64_t lease) const;
    /// Marks the pins as complete after BEGIN, so that they can be adopted.
    Result<void> complete();

private:
    Pins(std::string directory, int lock) : directory_(std::move(directory)), lock_(lock) {}
    Result<void> keep_one(const std::string& name, int descriptor) const;
    void refresh();
    void free_if_empty() const;

    std::string directory_;
    int lock_ = -1;     ///< descriptor of the locked directory
    int identity_ = -1; ///< descriptor of the map "identity"
    uint64_t hash_ = 0; ///< hash of the bytes of the trace's object
    uint64_t began_ = 0;
    Found found_ = Found::Nothing;
};

} // namespace dt
