// A library folder may have subfolders named after kernel versions. The newest version up to the running kernel's is
// read first. Files are read in the order of their names, which is the same on every machine. Each file is read once,
// even if several folders lead to it.
#include "libdtrace/trace/libraries.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

#include "libdtrace/trace/program_file.hpp"

namespace dt {
namespace {

namespace fs = std::filesystem;

/// Number of compared parts of a version: 6.1 equals 6.1.0.
constexpr std::size_t kParts = 3;

bool is_version(std::string_view name)
{
    return !name.empty() && name.find_first_not_of("0123456789.") == std::string_view::npos &&
           name.find('.') != std::string_view::npos && !release_numbers(name).empty();
}

class Reader {
public:
    Reader(std::string_view release, std::deque<Source>& libraries) : release_(release), libraries_(libraries) {}

    Result<void> directory(const std::string& path)
    {
        std::vector<std::string> files, directories;
        std::error_code ignored;
        for (fs::directory_iterator entry(path, ignored), end; entry != end; entry.increment(ignored)) {
            const bool is_directory = entry->is_directory(ignored);
            if (is_directory)
                directories.push_back(entry->path().filename());
            else if (entry->path().extension() == ".d")
                files.push_back(entry->path());
        }
        if (const auto version = best_version(directories, release_))
            if (Result<void> read = directory((fs::path(path) / *version).string()); !read)
                return read;
        std::sort(files.begin(), files.end());
        for (const std::string& name : files)
            if (Result<void> read = file(name); !read)
                return read;
        return {};
    }

private:
    Result<void> file(const std::string& name)
    {
        std::error_code ignored;
        if (!known_.insert(fs::weakly_canonical(name, ignored)).second)
            return {};
        Result<std::string> text = read_program_file(name);
        if (!text)
            return Error{"failed to open D library " + name + ": " + text.error().message, text.error().code};
        libraries_.push_back({Source::Kind::Library, name, std::move(text.value()), {}});
        return {};
    }

    std::string_view release_;
    std::deque<Source>& libraries_;
    std::set<fs::path> known_;
};

} // namespace

std::vector<unsigned> release_numbers(std::string_view release)
{
    std::vector<unsigned> numbers;
    while (!release.empty() && std::isdigit(static_cast<unsigned char>(release.front())) && numbers.size() < kParts) {
        unsigned number = 0;
        for (; !release.empty() && std::isdigit(static_cast<unsigned char>(release.front())); release.remove_prefix(1))
            number = number * 10 + static_cast<unsigned>(release.front() - '0');
        numbers.push_back(number);
        if (release.substr(0, 1) == ".")
            release.remove_prefix(1);
    }
    if (!numbers.empty())
        numbers.resize(kParts);
    return numbers;
}

std::optional<std::string> best_version(const std::vector<std::string>& names, std::string_view release)
{
    const std::vector<unsigned> running = release_numbers(release);
    std::optional<std::string> best;
    for (const std::string& name : names) {
        const std::vector<unsigned> version = release_numbers(name);
        if (is_version(name) && version <= running && (!best || release_numbers(*best) < version))
            best = name;
    }
    return best;
}

Result<void> read_libraries(const Options& options, std::string_view release, std::deque<Source>& libraries)
{
    if (options.compile().nolibs)
        return {};
    std::vector<std::string> directories = options.run().libdir;
    if (!options.compile().syslibdir.empty())
        directories.insert(directories.begin(), options.compile().syslibdir);
    Reader reader(release, libraries);
    for (const std::string& directory : directories)
        if (Result<void> read = reader.directory(directory); !read)
            return read;
    return {};
}

} // namespace dt
