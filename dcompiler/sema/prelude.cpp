// Embedded library files, and the lookup of the file that defines a name.
#include "dcompiler/sema/prelude.hpp"

#include <algorithm>

namespace dt::sema {

namespace {

constexpr std::string_view kDefines = "/* defines: ", kEnd = " */";

/// Returns the names that a file defines.
std::vector<std::string_view> names_in(const LibraryFile& file)
{
    std::vector<std::string_view> names;
    std::string_view words = file.text.substr(kDefines.size(), file.text.find('\n') - kDefines.size());
    words = words.substr(0, words.rfind(kEnd));
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        names.push_back(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return names;
}

} // namespace

const LibraryFile* find_library_file(std::string_view name)
{
    const auto files = library_files();
    const auto found = std::find_if(files.begin(), files.end(), [name](const LibraryFile& file) {
        const std::vector<std::string_view> names = names_in(file);
        return std::find(names.begin(), names.end(), name) != names.end();
    });
    return found == files.end() ? nullptr : &*found;
}

std::vector<std::string_view> library_names()
{
    std::vector<std::string_view> all;
    for (const LibraryFile& file : library_files())
        for (const std::string_view name : names_in(file))
            all.push_back(name);
    return all;
}

std::string text_for_kernel(std::string_view text,
                            const std::function<bool(std::string_view, std::string_view)>& has_member)
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
