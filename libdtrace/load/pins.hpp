// What outlives the tracer (-x pin=NAME): the maps and links of a trace have names below the BPF file system, so its
// programs go on when the tracer is killed, and the next tracer of the same program takes them up.
//
// Below /sys/fs/bpf/dtrace/NAME: "identity", an array with one struct PinIdentity; the maps in the order of the object,
// map_0 and so on; the links of its programs, link_PROGRAM_0 and so on; "owner", an array with one struct PinOwner.
// Whoever has the directory locked (flock(2)) owns the trace: a lock goes with its process, however that ends. Who only
// looks must not lock it, as a tracer that comes then would find the name taken: so owners have a second lock, which
// can be asked for (F_OFD_GETLK).
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

/// What a person may know of a name.
struct PinState {
    std::string name;
    bool is_held = false;            ///< its tracer lives
    bool is_complete = false;        ///< it may be taken up
    uint64_t began = 0;              ///< s by the clock of the wall; 0: not complete
    uint64_t owner = 0;              ///< the process that has it, or had it last; 0: not known
    uint64_t taken_up = 0;           ///< how often
    uint64_t lease = 0;              ///< ns; 0: it does not end by itself, or that is not known
    std::optional<uint64_t> stopped; ///< ns since the lease ended
};

class Pins {
public:
    enum class Found {
        Nothing,
        Same,   ///< of this very object
        Other,  ///< of another one
        Broken, ///< who made them did not come to the end of it
    };

    /// Locks what has that name, and looks whether it is of an object of these bytes. The error is complete.
    static Result<Pins> open(const std::string& name, const std::vector<uint8_t>& object);

    /// All that have a name, in its order.
    static std::vector<PinState> all();
    /// Removes what has no owner and never will have one: what is half made, and what nobody came for in a hundred
    /// times its lease after that had ended, unless a program that may still come claims the name.
    static std::vector<PinState> sweep(const std::function<bool(const std::string& name)>& is_claimed);

    Pins(Pins&& other) noexcept;
    Pins& operator=(Pins&&) = delete;
    ~Pins();

    Found found() const { return found_; }
    /// Seconds since the trace began that was found.
    uint64_t age() const;

    /// All of it is gone: what nobody else holds ends. The name stays taken.
    void clear();
    /// The same, and the name is free.
    void remove();

    /// Before the object is loaded: it uses the maps that are there. With Found::Same.
    Result<void> use_maps(bpf_object* object) const;
    /// The links of its `program`, in the order they were kept; the caller's to close.
    Result<std::vector<int>> links(std::size_t program) const;

    /// Of a loaded object, and of links by number of the program, where nothing is. Fails with what the kernel says.
    Result<void> keep(const LoadedMaps& maps, const std::vector<std::pair<std::size_t, int>>& links);
    /// Notes for who looks that this process has it, for that lease (ns). Who could not be noted is not shown.
    void own(uint64_t lease) const;
    /// BEGIN has run: from now on it may be taken up.
    Result<void> complete();

private:
    Pins(std::string directory, int lock) : directory_(std::move(directory)), lock_(lock) {}
    Result<void> keep_one(const std::string& name, int descriptor) const;
    void look();
    void free_if_empty() const;

    std::string directory_;
    int lock_ = -1;     ///< the directory, locked
    int identity_ = -1; ///< the map
    uint64_t hash_ = 0; ///< of the object
    uint64_t began_ = 0;
    Found found_ = Found::Nothing;
};

} // namespace dt
