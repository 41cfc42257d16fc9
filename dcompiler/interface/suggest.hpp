// Finds names similar to an unknown name. The user may have misspelled it, or used another tracer's word for it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace dt {

/// Returns the number of single-character insertions, deletions, replacements and swaps of neighbors, or `limit` + 1
/// as soon as the number exceeds `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// Collects, out of many names, those that are most similar to a given name.
class Nearest {
public:
    /// The object refers to `wanted`, which must outlive it.
    explicit Nearest(std::string_view wanted);

    void add(std::string_view name);
    /// Returns up to three of the names that are most similar to the wanted one, sorted; empty if none is close enough.
    const std::set<std::string>& names() const { return names_; }
    /// Returns "did you mean execname?" with `before` and `after` around each name, or an empty string if no name is
    /// close enough.
    std::string question(std::string_view before = {}, std::string_view after = {}) const;

private:
    static constexpr std::size_t kMax = 3;
    std::string_view wanted_;
    std::size_t distance_; ///< edit distance of the names found so far; before the first one, the limit + 1
    std::set<std::string> names_;
};

/// Returns D's equivalent for a word of bpftrace, C or English, such as "D calls it execname", or nothing for any other
/// word.
std::string_view foreign_word(std::string_view word);

} // namespace dt
