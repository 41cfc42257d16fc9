// Names that are close to one that means nothing: what somebody may have meant who mistyped it, or who knows another
// tracer's word for it.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace dt {

/// Single characters that are missing, too many, others, or swapped with the next; `limit` + 1 as soon as there are
/// more.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The closest of many names.
class Nearest {
public:
    /// `wanted` must outlive it.
    explicit Nearest(std::string_view wanted);

    void add(std::string_view name);
    /// Those that are equally close, at most three, in the order of the alphabet; empty: none is close.
    const std::set<std::string>& names() const { return names_; }
    /// "did you mean execname?", with `before` and `after` around each name; empty when no name is close.
    std::string question(std::string_view before = {}, std::string_view after = {}) const;

private:
    static constexpr std::size_t kMost = 3;
    std::string_view wanted_;
    std::size_t distance_; ///< of names_; before the first, one more than is close
    std::set<std::string> names_;
};

/// What D has in place of a word of bpftrace, of C or of English that it has not: "D calls it execname"; empty: nothing
/// is known of the word.
std::string_view foreign_word(std::string_view word);

} // namespace dt
