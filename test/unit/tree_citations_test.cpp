// Checks that the targets of citations exist. A wrong citation is worse than none, because the reader searches in vain.
//
// A citation is dtrace-NAME(7) or dtrace(8). After a comma, one of these may follow, in capital or small letters: a
// section of that page (.SH, .SS), an entry (.TP), or another page. If a section's name is "SYSTEM CALLS: syscall",
// each half may be cited alone. Files are cited by their path from the root of the tree: docs/NAME.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = DTRACE_SOURCE;
constexpr const char* kFolders[] = {"base",      "machine", "dcompiler", "bpf-runtime", "engine", "examples", "probes",
                                    "libdtrace", "cmd",     "test",      "package",     "tools",  "docs"};

std::string lower(std::string text)
{
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Returns the text of a file in one line and without comment prefixes, because a citation may continue on the next
/// line.
std::string joined(const fs::path& path)
{
    std::ifstream file(path);
    std::string text;
    for (std::string line; std::getline(file, line);)
        if (const std::size_t start = line.find_first_not_of(" \t/*#<"); start != std::string::npos)
            text += line.substr(start) + ' ';
    return text;
}

/// Returns the arguments of a roff request as a reader sees them.
std::string shown(const std::string& line)
{
    const std::string arguments = line.substr(std::min(line.find(' ') + 1, line.size()));
    static const std::regex kFonts(R"(\\f[A-Z]|")"), kDash(R"(\\-)");
    return lower(std::regex_replace(std::regex_replace(arguments, kFonts, ""), kDash, "-"));
}

void add_parts(const std::string& text, const std::regex& between, std::set<std::string>& names)
{
    for (std::sregex_token_iterator part(text.begin(), text.end(), between, -1), end; part != end; ++part)
        names.insert(part->str());
}

/// Returns the sections of a page and the words in the heads of its entries. The result is empty if the page is
/// missing.
const std::set<std::string>& names_in(const std::string& page)
{
    static std::map<std::string, std::set<std::string>> known;
    const auto [found, is_new] = known.try_emplace(page);
    std::ifstream file(kRoot / "man" / page);
    bool head = false;
    for (std::string line; is_new && std::getline(file, line); head = line == ".TP" || line == ".TQ") {
        if (line.starts_with(".SH ") || line.starts_with(".SS ")) {
            found->second.insert(shown(line));
            add_parts(shown(line), std::regex(": |, "), found->second);
        } else if (head) {
            add_parts(shown(line), std::regex("[^a-z0-9_]+"), found->second);
        }
    }
    found->second.erase("");
    return found->second;
}

/// Returns whether `text` begins with one of the names.
bool begins_with(const std::set<std::string>& names, std::string_view text)
{
    for (const std::string& name : names)
        if (text.starts_with(name) && (text.size() == name.size() || !is_word(text[name.size()])))
            return true;
    return false;
}

/// Returns whether `pattern` (which begins with ^) matches the text from position `at` on.
bool matches(const std::string& text, std::size_t at, const std::regex& pattern, std::smatch& match)
{
    return std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), match, pattern,
                             std::regex_constants::match_continuous);
}

/// Returns whether a citation names a page or a section that does not exist. `before` is the text before the citation;
/// if it ends with "lib", that is part of the page's name.
bool is_wrong_page(const std::smatch& match, std::string_view before)
{
    const std::string prefix = before.ends_with("lib") ? "lib" : "";
    const std::string page = prefix + match[1].str() + "." + match[3].str();
    const std::set<std::string>& names = names_in(page);
    const bool has_section = match[4].matched && !match[5].matched;
    return names.empty() || (has_section && !begins_with(names, lower(match.suffix().str().substr(0, 80))));
}

/// Returns the citations in `text` whose target does not exist. `folder` is the folder of the file with this text.
std::vector<std::string> wrong_citations(const std::string& text, const fs::path& folder, bool is_markdown)
{
    static const std::regex kPage(R"((dtrace(-[a-z]+)?)\(([0-9])\)(, (?=(dtrace(-[a-z]+)?\()?))?)"),
        kFile(R"(docs/[A-Za-z0-9_/-]+\.[a-z]+)");
    // Citations by number are refused: a decision is cited as docs/decisions/NN-NAME.md.
    static const std::regex kNumber(R"(([Dd]ecisions?|[Rr]eferences?( runtime| output| language| providers)?) [0-9])");
    static const std::regex kLink(R"(\]\(([^)#:\s]+)(#[^)]*)?\))");
    std::vector<std::string> wrong;
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::smatch match;
        const char c = text[at];
        if ((c == 'd' &&
             ((matches(text, at, kPage, match) && is_wrong_page(match, std::string_view(text).substr(0, at))) ||
              (matches(text, at, kFile, match) && !fs::exists(kRoot / match.str())))) ||
            (std::string_view("dDrR").find(c) != std::string_view::npos && !is_markdown &&
             (at == 0 || !is_word(text[at - 1])) && matches(text, at, kNumber, match)) ||
            (c == ']' && is_markdown && matches(text, at, kLink, match) && !fs::exists(folder / match[1].str())))
            wrong.push_back(text.substr(at, 100));
    }
    return wrong;
}

bool is_read(const fs::path& path)
{
    static const std::set<std::string> kKinds = {".cpp", ".hpp", ".c",     ".h",   ".def", ".d",
                                                 ".sh",  ".py",  ".cmake", ".txt", ".md",  ""};
    return kKinds.contains(path.extension()) && path.filename() != fs::path(__FILE__).filename() &&
           path.string().find("/corpus/") == std::string::npos;
}

TEST(Citations, TheTestDetectsWrongCitations)
{
    const auto wrong = [](const std::string& text) {
        return wrong_citations(text, kRoot, true).size() + wrong_citations(text, kRoot, false).size();
    };
    for (const char* text :
         {"dtrace-providers(7), syscall: more", "dtrace-language(7), Control lines)", "dtrace(8), temporal.",
          "dtrace-errors(7), D_OP_WRITE", "dtrace-actions(7), dtrace-output(7), FORMATS", "see dtrace(8)",
          "libdtrace(3)", "docs/kernels.md.", "[text](docs/design.md#flow)", "a reference to 4 members"})
        EXPECT_EQ(wrong(text), 0u) << text;
    for (const char* text :
         {"dtrace-provider(7)", "dtrace(7)", "dtrace(3)", "libdtrace(8)", "dtrace-language(7), CONTROLS",
          "dtrace(8), nosuchoption", "docs/kernel.md", "runtime reference 1.3", "Reference runtime 4.1", "decision 13",
          "[text](docs/nosuch.md)", "dtrace-actions(7), dtrace-nosuch(7)"})
        EXPECT_NE(wrong(text), 0u) << text;
}

/// Every file that a page names as `folder/FILE.cpp` or `FILE.cpp` exists in the tree, unless FILE is a placeholder.
TEST(Citations, SourceFilesThatDocumentsNameExist)
{
    std::string all = "\n";
    for (const char* folder : kFolders)
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(kRoot / folder))
            all += "/" + fs::relative(file.path(), kRoot).string() + "\n";
    static const std::regex kFile(R"(`([A-Za-z0-9_/.-]+\.(cpp|hpp|def)))");
    std::size_t files = 0;
    for (const fs::directory_entry& page : fs::recursive_directory_iterator(kRoot / "docs")) {
        const std::string text = page.path().extension() == ".md" ? joined(page.path()) : "";
        for (std::sregex_iterator file(text.begin(), text.end(), kFile), end; file != end; ++file, ++files)
            EXPECT_TRUE((*file)[1].str().find("NAME") != std::string::npos ||
                        all.find("/" + (*file)[1].str() + "\n") != std::string::npos)
                << page.path() << " names " << (*file)[1].str();
    }
    EXPECT_GT(files, 50u);
}

TEST(Citations, EveryCitationHasAnExistingTarget)
{
    std::size_t files = 0;
    const auto look = [&](const fs::path& path) {
        if (!is_read(path))
            return;
        ++files;
        for (const std::string& citation : wrong_citations(joined(path), path.parent_path(), path.extension() == ".md"))
            ADD_FAILURE() << fs::relative(path, kRoot).string() << " cites what is not there: " << citation;
    };
    for (const char* folder : kFolders)
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(kRoot / folder))
            if (file.is_regular_file())
                look(file.path());
    for (const char* file : {"README.md", "dev", "CMakeLists.txt"})
        look(kRoot / file);
    EXPECT_GT(files, 500u); // with fewer files, the test has looked in a wrong folder
}

} // namespace
