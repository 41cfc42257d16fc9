// The control groups of the machine: from the number that the kernel side records to names, also of groups that are
// gone.
//
// A group is a folder of a cgroup2 file system, and its number that folder's inode. A service that ends, or a
// container, takes its folder along before anybody prints what it did; so all are known from open() on. What a name
// once was it stays: the first answer for a group is that of all later ones.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/world/cgroup_events.hpp"
#include "libdtrace/world/container_state.hpp"

namespace dt {

/// Where cgroup2 is mounted; empty: nowhere.
std::string cgroup_mount();

/// The path of a group of that name below the group at `mount`, the outermost first; empty: there is none.
std::string find_cgroup(const std::string& mount, const std::string& name);

class ControlGroups {
public:
    using Part = Datum::Part;

    /// How many are known, after update(): of those that are gone the oldest are forgotten. Of more than twice as many,
    /// none of which is gone, the rest is not known.
    static constexpr std::size_t kMost = 65'536;
    static constexpr uint64_t kBytesOfOne = 512; ///< mostly less

    /// `mount`: the root of the groups; `state`: where names of containers are.
    explicit ControlGroups(std::string mount = cgroup_mount(), ContainerState state = ContainerState(),
                           std::size_t most = kMost);

    /// Looks for all there are, and has the kernel tell of others. With `named`, names of containers and pods are
    /// looked up while they are there; else none are known. Costs a read of each folder. Again: adds `named`.
    void open(bool named);

    /// Notes what has come and gone: in each pass.
    void update();
    /// Readable when update() should be called at once; -1: it need not. Runtimes remove the files that have the names
    /// of a container as soon as that has ended.
    int descriptor() const { return events_.tells_all() && !is_named_ ? -1 : events_.descriptor(); }

    /// "" where the group has no such part; "<unknown>" for a group that nobody has seen. Valid until update().
    std::string_view text(uint64_t id, Part part);

    bool is_anywhere() const { return !mount_.empty(); } ///< are there groups of cgroup2 at all?
    uint64_t unknown() const { return unknown_.size(); } ///< groups that text() was asked for and did not know

private:
    struct Names {
        std::string unit, container_id, container, pod, pod_namespace;
    };
    struct Node {
        uint64_t parent = 0;
        std::string name;
        uint64_t seen = 0; ///< the scan that has seen it
        bool is_gone = false;
        std::unique_ptr<Names> names; ///< when they have been asked for, or would be gone when they are
    };

    void scan(const std::string& path, uint64_t id);
    void scan_all();
    void add(uint64_t id, uint64_t parent, std::string name);
    void note_gone(uint64_t id);
    void forget_oldest();
    void take(const CgroupEvent& event);
    void take_events();
    std::string path_of(uint64_t id) const;
    Names& names_of(uint64_t id, Node& node);
    void keep_names(uint64_t id, Node& node);

    const std::string mount_;
    ContainerState state_;
    const std::size_t most_;
    CgroupEvents events_;
    bool is_open_ = false, is_named_ = false;
    uint64_t root_ = 0, scans_ = 0;
    std::unordered_map<uint64_t, Node> nodes_;
    std::deque<uint64_t> gone_; ///< in the order they went
    std::unordered_set<uint64_t> unknown_;
};

} // namespace dt
