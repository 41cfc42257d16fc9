// Reads manual pages, for tests that check that a page has an entry for a name. DTRACE_MANUAL is the folder of the
// pages.
#pragma once

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace dt::test {

/// Returns the text of a page (dtrace.8), or only of the section (.SH) whose heading contains the word `heading`.
inline std::string manual_text(const std::string& page, const std::string& heading = "")
{
    std::ifstream file(DTRACE_MANUAL "/" + page);
    std::string text, line;
    for (bool mine = heading.empty(); std::getline(file, line);) {
        if (line.starts_with(".SH ") && !heading.empty()) {
            const std::size_t place = line.find(" " + heading);
            const std::size_t end = place + 1 + heading.size();
            mine = place != std::string::npos && (end == line.size() || line[end] == ',');
        }
        if (mine)
            text += line + "\n";
    }
    return text;
}

/// Returns the words of all bold lines of a page. The heads of its entries are bold.
inline std::set<std::string> bold_words(const std::string& text)
{
    std::set<std::string> words;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(".B ") && !line.starts_with(".BR ") && !line.starts_with(".BI "))
            continue;
        std::string word;
        for (std::size_t i = line.find(' '); i <= line.size(); ++i) {
            const char c = i < line.size() ? line[i] : ' ';
            if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-')
                word += c;
            else if (c != '\\' || i + 1 >= line.size() || line[i + 1] != '-') { // in man(7), \- is a hyphen
                words.insert(word);
                word.clear();
            }
        }
    }
    return words;
}

} // namespace dt::test
