// Finds similar names by edit distance, and D's equivalents for words of other languages.
#include "dcompiler/interface/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>
#include <vector>

namespace dt {
namespace {

struct Word {
    std::string_view foreign, here;
};

// The words of the table are in alphabetical order, for binary search.
constexpr Word kWords[] = {
    {"and", "in D that is &&"},
    {"buf", "D has tracemem(address, size)"},
    {"by", "write keys in brackets: @name[key] = ..."},
    {"cat", "D has system(\"cat ...\"), with -w"},
    {"comm", "D calls it execname"},
    {"delete", "to delete an element, assign 0: a[key] = 0"},
    {"elapsed", "D has timestamp: subtract one from another"},
    {"elif", "in D that is else if"},
    {"hist", "D calls it quantize()"},
    {"join", "D has curpsinfo->pr_psargs for a process's arguments"},
    {"kaddr", "D takes the address of the symbol: &`name"},
    {"kstack", "D calls it stack()"},
    {"ksym", "D calls it func() or sym()"},
    {"lhist", "D has lquantize(value, base, limit, step)"},
    {"not", "in D that is !"},
    {"nsecs", "D calls it timestamp"},
    {"ntop", "D calls it inet_ntop()"},
    {"or", "in D that is ||"},
    {"retval", "in D that is arg1 of a return probe"},
    {"signal", "D calls it raise(), with -w"},
    {"signal_name", "in D, signame() returns the name of a signal"},
    {"stats", "D has avg(), count(), sum() and stddev()"},
    {"str", "D calls it copyinstr() for text of a process, stringof() for text of the kernel"},
    {"time", "in D, strftime(\"%H:%M:%S\", walltimestamp) is the text of a time"},
    {"zero", "D calls it clear() or trunc()"},
    {"zonename", "Linux has no zones: the variable container names the container of a process"},
};

char lower_case(char c)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

} // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit)
{
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit)
        return limit + 1;
    // Current row and the two previous rows of the Damerau-Levenshtein table. The distance is the restricted one, which
    // does not edit swapped characters again.
    std::vector<std::size_t> row(b.size() + 1), last(row), before(row);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        if (*std::min_element(row.begin(), row.end()) > limit)
            return limit + 1;
    }
    return std::min(row.back(), limit + 1);
}

Nearest::Nearest(std::string_view wanted)
    : wanted_(wanted), distance_(std::clamp<std::size_t>(wanted.size() / 3, 1, 3) + 1)
{
}

void Nearest::add(std::string_view name)
{
    const bool same_letters =
        name.size() == wanted_.size() && std::equal(name.begin(), name.end(), wanted_.begin(),
                                                    [](char a, char b) { return lower_case(a) == lower_case(b); });
    const std::size_t distance = same_letters ? 0 : edit_distance(wanted_, name, distance_);
    if (name.empty() || distance > distance_ || (names_.empty() && distance == distance_) || distance >= wanted_.size())
        return;
    if (distance < distance_)
        names_.clear();
    distance_ = distance;
    names_.emplace(name);
    if (names_.size() > kMax)
        names_.erase(std::prev(names_.end()));
}

std::string Nearest::question(std::string_view before, std::string_view after) const
{
    std::string text;
    std::size_t left = names_.size();
    for (const std::string& name : names_) {
        text += text.empty() ? "did you mean " : left == 1 ? " or " : ", ";
        text.append(before).append(name).append(after);
        --left;
    }
    return text.empty() ? text : text + "?";
}

std::string_view foreign_word(std::string_view word)
{
    const auto found = std::lower_bound(std::begin(kWords), std::end(kWords), word,
                                        [](const Word& entry, std::string_view text) { return entry.foreign < text; });
    return found != std::end(kWords) && found->foreign == word ? found->here : std::string_view();
}

} // namespace dt
