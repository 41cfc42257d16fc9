// Table that assigns numbers to names, from 0 in order of insertion.
//
// The table may have tens of thousands of names, and most searches find nothing. So the table compares hashes first.
// The caller stores the names in a vector of std::string or std::string_view.
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
    /// Creates a table with room for `expected` names.
    explicit NameNumbers(std::size_t expected = 0) : table_(std::bit_ceil(2 * expected + 2)) {}

    /// Returns the name's number, or nothing if the table lacks the name. `names` are the caller's names, indexed by
    /// number.
    template <typename Names> std::optional<uint32_t> find(std::string_view name, const Names& names) const
    {
        const Slot& slot = table_[slot_of(name, hash(name), names)];
        return slot.number != 0 ? std::optional(slot.number - 1) : std::nullopt;
    }

    /// Returns the name's number and whether it is new. The caller must then append a new name to `names`.
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
        uint32_t hash = 0, number = 0; ///< `number` is the name's number plus 1, or 0 if the slot is free
    };

    static uint32_t hash(std::string_view name) { return static_cast<uint32_t>(std::hash<std::string_view>()(name)); }

    std::size_t after(std::size_t at) const { return (at + 1) & (table_.size() - 1); }

    /// Returns the index of the slot with the name, or of the free slot in which to insert the name.
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
