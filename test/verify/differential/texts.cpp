#include "test/verify/differential/texts.hpp"

#include <algorithm>

namespace dt::differential {

int64_t index_of(const std::string& s, const std::string& t, int64_t start)
{
    start = std::max<int64_t>(start, 0);
    if (start > static_cast<int64_t>(s.size()) - static_cast<int64_t>(t.size()))
        return -1;
    const std::size_t at = s.find(t, static_cast<std::size_t>(start));
    return at == std::string::npos ? -1 : static_cast<int64_t>(at);
}

int64_t rindex_of(const std::string& s, const std::string& t, std::optional<int64_t> start)
{
    const int64_t last = static_cast<int64_t>(s.size()) - static_cast<int64_t>(t.size());
    if (last < 0 || (start && *start < 0))
        return -1;
    const std::size_t at = s.rfind(t, static_cast<std::size_t>(start ? std::min(*start, last) : last));
    return at == std::string::npos ? -1 : static_cast<int64_t>(at);
}

std::string substring(const std::string& s, int64_t i, std::optional<int64_t> n)
{
    const int64_t length = static_cast<int64_t>(s.size());
    if (length == 0)
        return "";
    if (i < 0) {
        i += length;
        if (i < 0) {
            if (n) { // if the start lies before the text, the missing characters count for the length n, too
                if (*n <= -i)
                    return "";
                *n += i;
            }
            i = 0;
        }
    }
    if (i >= length)
        return "";
    if (!n)
        return s.substr(static_cast<std::size_t>(i));
    if (*n < 0) {
        n = length - i + *n;
        if (*n <= 0)
            return "";
    }
    return s.substr(static_cast<std::size_t>(i), static_cast<std::size_t>(*n));
}

std::string in_base(int64_t value, unsigned base)
{
    uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    std::string text;
    do
        text.insert(text.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[rest % base]);
    while (rest /= base);
    return value < 0 ? "-" + text : text;
}

int64_t parse_number(const std::string& s)
{
    std::size_t i = 0;
    while (i < s.size() && (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r')))
        ++i;
    const bool negative = i < s.size() && s[i] == '-';
    if (i < s.size() && (s[i] == '-' || s[i] == '+'))
        ++i;
    uint64_t value = 0;
    for (; i < s.size() && s[i] >= '0' && s[i] <= '9'; ++i)
        value = value * 10 + static_cast<uint64_t>(s[i] - '0');
    return static_cast<int64_t>(negative ? 0 - value : value);
}

std::string base_name(std::string s)
{
    if (s.empty())
        return ".";
    while (s.size() > 1 && s.back() == '/')
        s.pop_back();
    if (s == "/")
        return s;
    return s.substr(s.find_last_of('/') + 1); // works without a slash too, because npos + 1 is 0
}

std::string dir_name(std::string s)
{
    const auto strip = [&] {
        while (s.size() > 1 && s.back() == '/')
            s.pop_back();
    };
    strip();
    if (s == "/")
        return s;
    const std::size_t slash = s.find_last_of('/');
    if (slash == std::string::npos)
        return ".";
    s.resize(slash + 1);
    strip();
    return s;
}

std::string mapped(std::string s, bool upper)
{
    for (char& c : s)
        if (upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z')
            c = static_cast<char>(c ^ 0x20);
    return s;
}

} // namespace dt::differential
