// Matches globs against components of probe names.
//
// Patterns are matched against tens of thousands of names, so matching does not recurse. Remembering the last star is
// enough, because it can absorb everything that an earlier one could.
#include "base/glob.hpp"

#include <optional>

namespace dt {
namespace {

/// A bracket expression. `end` is the index after its `]`.
struct Bracket {
    bool matches = false;
    std::size_t end = 0;
};

/// Matches the bracket expression at pattern[at]. Returns nothing if it has no closing bracket; `[` is then an ordinary
/// character. A `]` directly after the opening bracket is a member.
std::optional<Bracket> match_bracket(std::string_view pattern, std::size_t at, char c)
{
    std::size_t i = at + 1;
    const bool inverted = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    i += inverted;
    const auto literal = [&] { return pattern[i] == '\\' && i + 1 < pattern.size() ? pattern[++i] : pattern[i]; };
    bool found = false;
    for (bool first = true; i < pattern.size(); first = false, ++i) {
        if (pattern[i] == ']' && !first)
            return Bracket{found != inverted, i + 1};
        const char low = literal();
        char high = low;
        if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
            i += 2;
            high = literal();
        }
        found |= static_cast<unsigned char>(low) <= static_cast<unsigned char>(c) &&
                 static_cast<unsigned char>(c) <= static_cast<unsigned char>(high);
    }
    return {};
}

/// Matches one pattern element other than `*` with one character. Returns the index after the element, or 0.
std::size_t match_one(std::string_view pattern, std::size_t at, char c)
{
    switch (pattern[at]) {
    case '?':
        return at + 1;
    case '[':
        if (const auto bracket = match_bracket(pattern, at, c))
            return bracket->matches ? bracket->end : 0;
        break;
    case '\\':
        if (at + 1 < pattern.size())
            return pattern[at + 1] == c ? at + 2 : 0;
        break;
    default:
        break;
    }
    return pattern[at] == c ? at + 1 : 0;
}

} // namespace

bool glob_match(std::string_view pattern, std::string_view text)
{
    if (pattern.empty())
        return true;
    std::size_t p = 0, t = 0;
    std::size_t star = std::string_view::npos, resume = 0; // the last star, and the text position to try next for it
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (const auto next = p < pattern.size() ? match_one(pattern, p, text[t]) : 0) {
            p = next;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

} // namespace dt
