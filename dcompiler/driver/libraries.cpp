// Finds and orders D libraries by their pragmas, and looks up embedded library files by the names that they define. It
// finds pragmas before the text is parsed, and skips comments and literals.
#include "dcompiler/driver/libraries.hpp"

#include <algorithm>

namespace dt::sema {

namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

std::vector<std::string> words_of(std::string_view line)
{
    std::vector<std::string> words;
    line = line.substr(0, line.find("//"));
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
         at = line.find_first_not_of(kBlanks, at)) {
        const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

/// Returns the end of the comment or literal that begins at `at`, or `at` if none begins there. A literal without a
/// closing quote ends at the end of its line.
std::size_t end_of_quiet_text(std::string_view text, std::size_t at)
{
    if (text.substr(at, 2) == "/*")
        return std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    if (text.substr(at, 2) == "//")
        return std::min(text.find('\n', at), text.size());
    if (text[at] != '"' && text[at] != '\'')
        return at;
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

std::string_view directory_of(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash + 1);
}

std::string_view file_of(std::string_view path)
{
    return path.substr(directory_of(path).size());
}

class Order {
public:
    Order(const std::deque<Source>& libraries, World& world, bool with_classic, Diagnostics& diagnostics)
        : libraries_(libraries), world_(world), with_classic_(with_classic), diagnostics_(diagnostics),
          states_(libraries.size(), State::New)
    {
    }

    std::vector<const Source*> take()
    {
        for (std::size_t i = 0; i < libraries_.size(); ++i)
            usable(i);
        return std::move(order_);
    }

private:
    enum class State { New, Active, Usable, Unusable };

    bool usable(std::size_t index)
    {
        if (states_[index] != State::New)
            return states_[index] == State::Usable;
        states_[index] = State::Active;
        bool met = true;
        for (const Dependency& dependency : find_dependencies(libraries_[index]))
            met = met && is_met(dependency, libraries_[index]);
        states_[index] = met ? State::Usable : State::Unusable;
        if (met)
            order_.push_back(&libraries_[index]);
        return met;
    }

    bool is_met(const Dependency& dependency, const Source& library)
    {
        if (dependency.kind == "provider")
            return world_.probes().has_provider(dependency.name);
        if (dependency.kind == "module")
            return world_.has_module(dependency.name);
        if (dependency.kind != "library")
            return true;
        const std::size_t index = find(dependency.name, directory_of(library.name));
        if (index == libraries_.size())
            return with_classic_ && is_classic_library(dependency.name);
        if (states_[index] == State::Active) {
            diagnostics_.error("D_PRAGMA_DEPEND", dependency.at,
                               "library " + std::string(file_of(library.name)) + " depends on library " +
                                   dependency.name + ", which also depends on it");
            return false;
        }
        return usable(index);
    }

    std::size_t find(std::string_view name, std::string_view directory) const
    {
        std::size_t found = libraries_.size();
        for (std::size_t i = 0; i < libraries_.size(); ++i) {
            if (file_of(libraries_[i].name) != name)
                continue;
            if (directory_of(libraries_[i].name) == directory)
                return i;
            if (found == libraries_.size())
                found = i;
        }
        return found;
    }

    const std::deque<Source>& libraries_;
    World& world_;
    const bool with_classic_;
    Diagnostics& diagnostics_;
    std::vector<State> states_;
    std::vector<const Source*> order_;
};

} // namespace

std::vector<Dependency> find_dependencies(const Source& source)
{
    const std::string_view text = source.text;
    std::vector<Dependency> found;
    uint32_t line = 1;
    bool at_line_start = true;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = end_of_quiet_text(text, at);
        if (end == at && text[at] == '#' && at_line_start) {
            end = std::min(text.find('\n', at), text.size());
            const auto words = words_of(text.substr(at + 1, end - at - 1));
            if (words.size() == 5 && words[0] == "pragma" && words[1] == "D" && words[2] == "depends_on")
                found.push_back(
                    {words[3],
                     words[4],
                     {&source, &source.name, static_cast<uint32_t>(at), static_cast<uint32_t>(end - at), line, 1}});
        } else if (end == at) {
            at_line_start = text[at] == '\n' || (at_line_start && kBlanks.find(text[at]) != std::string_view::npos);
            end = at + 1;
        } else {
            at_line_start = false;
        }
        const std::string_view passed = text.substr(at, end - at);
        line += static_cast<uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
        at = end;
    }
    return found;
}

bool is_classic_library(std::string_view name)
{
    static constexpr std::string_view kNames[] = {"errno.d", "io.d",     "ip.d",  "net.d",   "procfs.d", "regs.d",
                                                  "sched.d", "signal.d", "tcp.d", "types.d", "udp.d",    "unistd.d"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::vector<const Source*> order_libraries(const std::deque<Source>& libraries, World& world, bool with_classic,
                                           Diagnostics& diagnostics)
{
    return Order(libraries, world, with_classic, diagnostics).take();
}

namespace {

constexpr std::string_view kDefines = "/* defines: ", kEnd = " */";

/// Returns the names that an embedded library file defines.
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
