// Numbers of names, from 0 on in the order they come.
//
// There may be tens of thousands of them, and most of what is looked for may be none: so this is a table of what is
// cheap to compare. Whoever uses it keeps the names themselves, in a vector of std::string or std::string_view.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace dt {

class NameNumbers {
public:
    /// `expected`: as many take no growing.
    explicit NameNumbers(std::size_t expected = 0) : table_(std::bit_ceil(2 * expected + 2)) {}

    /// `names`: those that have numbers, by these.
    template <typename Names> std::optional<uint32_t> find(std::string_view name, const Names& names) const
    {
        const Slot& slot = table_[slot_of(name, hash(name), names)];
        return slot.number != 0 ? std::optional(slot.number - 1) : std::nullopt;
    }

    /// Its number, and whether it is a new one: then the name is to be put behind `names`.
    template <typename Names> std::pair<uint32_t, bool> add(std::string_view name, const Names& names)
    {
        if (table_.size() < 2 * (names.size() + 1))
            grow();
        const uint32_t its = hash(name);
        Slot& slot = table_[slot_of(name, its, names)];
        if (slot.number != 0)
            return {slot.number - 1, false};
        slot = {its, static_cast<uint32_t>(names.size() + 1)};
        return {slot.number - 1, true};
    }

private:
    struct Slot {
        uint32_t hash = 0, number = 0; ///< from 1 on; 0: nobody's
    };

    static uint32_t hash(std::string_view name) { return static_cast<uint32_t>(std::hash<std::string_view>()(name)); }

    std::size_t after(std::size_t at) const { return (at + 1) & (table_.size() - 1); }

    /// Its own, or where it would be.
    template <typename Names> std::size_t slot_of(std::string_view name, uint32_t its, const Names& names) const
    {
        std::size_t at = its & (table_.size() - 1);
        while (table_[at].number != 0 && (table_[at].hash != its || names[table_[at].number - 1] != name))
            at = after(at);
        return at;
    }

    void grow()
    {
        const std::vector<Slot> before = std::exchange(table_, std::vector<Slot>(2 * table_.size()));
        for (const Slot& slot : before) {
            if (slot.number == 0)
                continue;
            std::size_t at = slot.hash & (table_.size() - 1);
            while (table_[at].number != 0)
                at = after(at);
            table_[at] = slot;
        }
    }

    std::vector<Slot> table_;
};

} // namespace dt
