// A set of limited size that forgets old elements. With it, each item of an endless sequence is usually handled only
// once.
#pragma once

#include <cstddef>
#include <set>
#include <utility>

namespace dt {

/// Remembers at least the last `most` / 2 distinct items, and never more than `most`: a full set forgets its older
/// half.
template <typename Thing> class RecentSet {
public:
    explicit RecentSet(std::size_t most) : half_(most / 2) {}

    /// Inserts an item. Returns whether the item is new.
    bool insert(Thing thing)
    {
        const bool is_old = older_.erase(thing) != 0;
        const bool is_new = newer_.insert(std::move(thing)).second && !is_old;
        if (newer_.size() >= half_) {
            older_ = std::move(newer_);
            newer_.clear();
        }
        return is_new;
    }
    bool contains(const Thing& thing) const { return newer_.contains(thing) || older_.contains(thing); }
    std::size_t size() const { return newer_.size() + older_.size(); }
    void clear()
    {
        newer_.clear();
        older_.clear();
    }

private:
    const std::size_t half_;
    std::set<Thing> newer_, older_;
};

} // namespace dt
