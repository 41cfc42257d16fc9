// The embedded files, and which of them defines a name.
#include "dcompiler/sema/prelude.hpp"

#include <algorithm>

namespace dt::sema {

namespace {

constexpr std::string_view kDefines = "/* defines: ", kEnd = " */";

/// Is `name` one of the words?
bool has_word(std::string_view words, std::string_view name)
{
    while (!words.empty()) {
        const std::size_t blank = words.find(' ');
        if (words.substr(0, blank) == name)
            return true;
        words.remove_prefix(blank == std::string_view::npos ? words.size() : blank + 1);
    }
    return false;
}

} // namespace

const LibraryFile* find_library_file(std::string_view name)
{
    const auto files = library_files();
    const auto found = std::find_if(files.begin(), files.end(), [name](const LibraryFile& file) {
        const std::string_view line = file.text.substr(kDefines.size(), file.text.find('\n') - kDefines.size());
        return has_word(line.substr(0, line.rfind(kEnd)), name);
    });
    return found == files.end() ? nullptr : &*found;
}

std::string text_for_kernel(std::string_view text, const std::function<bool(std::string_view, std::string_view)>& has_member)
{
    std::string made;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end);
        if (line.front() == '?' || line.front() == '!') {
            const std::size_t dot = line.find('.'), blank = line.find('\t');
            const bool wanted = line.front() == '?';
            const bool there = has_member(line.substr(1, dot - 1), line.substr(dot + 1, blank - dot - 1));
            line = there == wanted ? line.substr(blank) : "\n";
        }
        made += line;
    }
    return made;
}

} // namespace dt::sema
