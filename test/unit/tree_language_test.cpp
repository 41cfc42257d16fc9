// Comments, documents and manual pages follow docs/style.md: a sentence begins with its subject, has at most 35 words,
// and uses the words of the field. The tree is older than these rules, so for each rule a number of passages may still
// break it. Lower that number when you have rewritten some. To see the passages, set DTRACE_LANGUAGE_LIST=1.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kTree = DTRACE_SOURCE;
constexpr std::string_view kTextFolders[] = {"api",     "base",    "bpf-runtime", "cmd",       "dcompiler",
                                             "docs",    "engine",  "examples",    "libdtrace", "man",
                                             "machine", "package", "probes",      "test"};
constexpr std::string_view kProductFolders[] = {"api",    "base",      "cmd",     "dcompiler",
                                                "engine", "libdtrace", "machine", "probes"};
constexpr std::size_t kLongestSentence = 35;             // maximum length of a sentence, in words
constexpr std::size_t kLongestSubject = 72;              // maximum length of a commit's subject, in characters
constexpr std::string_view kLastFreeCommit = "c84df79a"; // last commit before the rule for subjects

/// Beginnings of sentences that do not name their subject.
constexpr std::string_view kOpenings[] = {
    "What ",        "Who ",         "Whoever ",       "Whose ",        "Those that ",   "Those who ",
    "That which ",  "That what ",   "One that ",      "One who ",      "By which ",     "Of which ",
    "In which ",    "On which ",    "From which",     "The same of ",  "The same for ", "The same to ",
    "The same at ", "The same by ", "The same there", "Nothing where", "Nothing: "};

/// Words that are used instead of a term of the field or of a noun.
constexpr std::string_view kWordsToAvoid[] = {"told",  "tells",  "whoever",  "nobody", "somebody", "anew",
                                              "heeds", "seldom", "likewise", "dearer", "bell",     "lanes"};

/// Macros of man(7) that change the font of words and do not end a sentence.
constexpr std::string_view kFonts[] = {".B", ".I", ".BR", ".BI", ".IR", ".IB", ".RB", ".RI"};

struct Text {
    std::string place; ///< file and line number of the text
    std::string words; ///< all words of the paragraph, on one line
};

std::string joined(const std::string& text)
{
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;)
        result += (result.empty() ? "" : " ") + word;
    return result;
}

/// Appends each block of // comments, and each comment beside code, of a source file.
void add_comments(const fs::path& path, std::vector<Text>& texts)
{
    std::ifstream file(path);
    const std::string name = fs::relative(path, kTree).string();
    std::string run;
    std::size_t number = 0, first = 0;
    const auto take = [&] {
        if (!run.empty())
            texts.push_back({name + ":" + std::to_string(first), joined(run)});
        run.clear();
    };
    for (std::string line; std::getline(file, line);) {
        ++number;
        const std::size_t mark = line.find("//");
        const bool is_alone = mark != std::string::npos && line.find_first_not_of(" \t") == mark;
        if (!is_alone)
            take();
        if (mark == std::string::npos || (mark > 0 && line[mark - 1] == ':'))
            continue;
        if (run.empty())
            first = number;
        const std::size_t start = std::min(line.find_first_not_of("/!<", mark), line.size());
        run += line.substr(start) + (line.substr(start).empty() ? ". " : " ");
        if (!is_alone)
            take();
    }
    take();
}

/// Appends each paragraph of a document or manual page, without examples and tables.
void add_paragraphs(const fs::path& path, std::vector<Text>& texts)
{
    std::ifstream file(path);
    const std::string name = fs::relative(path, kTree).string();
    const bool is_manual = path.extension() != ".md";
    bool is_example = false;
    std::string run;
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (is_manual ? line == ".nf" || line == ".EX" || line == ".TS" : !is_example && line.starts_with("```"))
            is_example = true;
        else if (is_manual ? line == ".fi" || line == ".EE" || line == ".TE" : line.starts_with("```"))
            is_example = false;
        const std::string macro = line.substr(0, line.find(' '));
        const bool is_font = std::find(std::begin(kFonts), std::end(kFonts), macro) != std::end(kFonts);
        const bool is_item = line.size() > 1 &&
                             (line[0] == '-' || (std::isdigit(static_cast<unsigned char>(line[0])) && line[1] == '.'));
        const bool is_end = is_example || line.empty() || line[0] == '|' || line[0] == '#' || is_item ||
                            line.starts_with("    ") || line.starts_with("date: ") ||
                            (is_manual && line[0] == '.' && !is_font);
        if (is_end && !run.empty())
            texts.push_back({name + ":" + std::to_string(number - 1), joined(run)});
        if (is_end)
            run.clear();
        if (!is_example && (!is_end || is_item))
            run += (is_manual && is_font ? line.substr(std::min(line.find(' '), line.size())) : line) + ' ';
    }
    if (!run.empty())
        texts.push_back({name + ":" + std::to_string(number), joined(run)});
}

std::vector<Text> texts_of_tree()
{
    std::vector<Text> texts;
    for (const std::string_view folder : kTextFolders)
        for (const auto& entry : fs::recursive_directory_iterator(kTree / folder)) {
            const std::string kind = entry.path().extension().string();
            if (kind == ".cpp" || kind == ".hpp" || kind == ".c" || kind == ".h")
                add_comments(entry.path(), texts);
            else if (kind == ".md" || (folder == "man" && entry.is_regular_file()))
                add_paragraphs(entry.path(), texts);
        }
    return texts;
}

/// Returns the contents of the string literals of a line of code, with their escapes.
std::vector<std::string> literals(const std::string& line)
{
    std::vector<std::string> found;
    const std::string code = line.substr(0, line.find_first_not_of(" \t") == line.find("//") ? 0 : line.size());
    for (std::size_t start = code.find('"'); start != std::string::npos; start = code.find('"', start)) {
        std::size_t end = start + 1;
        while (end < code.size() && code[end] != '"')
            end += code[end] == '\\' ? 2 : 1;
        found.push_back(code.substr(start + 1, std::min(end, code.size()) - start - 1));
        start = std::min(end + 1, code.size());
    }
    return found;
}

/// Splits a text into sentences, at each full stop before a word, a code word or a bracket. A sentence may begin with a
/// name in lower case, such as "dtrace" or "stack()". Abbreviations that contain a full stop end no sentence.
std::vector<std::string> sentences(const std::string& text)
{
    constexpr std::string_view kStarts = "`*(\"-";
    std::vector<std::string> found;
    std::size_t start = 0;
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const bool is_stop = (text[i] == '.' || text[i] == '?') && text[i + 1] == ' ';
        const std::size_t word = text.rfind(' ', i) + 1; // 0 if there is no space
        const bool is_abbreviation = text.find('.', word) < i;
        const bool is_start = std::isupper(static_cast<unsigned char>(text[i + 2])) ||
                              kStarts.find(text[i + 2]) != kStarts.npos ||
                              (std::islower(static_cast<unsigned char>(text[i + 2])) && !is_abbreviation);
        if (is_stop && is_start) {
            found.push_back(text.substr(start, i + 1 - start));
            start = i + 2;
        }
    }
    found.push_back(text.substr(start));
    return found;
}

bool opens_without_noun(const std::string& sentence)
{
    return std::any_of(std::begin(kOpenings), std::end(kOpenings), [&](std::string_view opening) {
        return sentence.starts_with(opening) && sentence.find('?') == std::string::npos;
    });
}

bool is_too_long(const std::string& sentence)
{
    return static_cast<std::size_t>(std::count(sentence.begin(), sentence.end(), ' ')) >= kLongestSentence;
}

bool has_a_word_to_avoid(const std::string& sentence)
{
    const auto is_letter = [&](std::size_t at) {
        return at < sentence.size() && (std::isalnum(static_cast<unsigned char>(sentence[at])) || sentence[at] == '_');
    };
    return std::any_of(std::begin(kWordsToAvoid), std::end(kWordsToAvoid), [&](std::string_view word) {
        const std::size_t at = sentence.find(word);
        return at != std::string::npos && !is_letter(at - 1) && !is_letter(at + word.size());
    });
}

/// Expects that at most `most` sentences of the tree break a rule.
void expect_at_most(std::size_t most, const std::function<bool(const std::string&)>& breaks)
{
    std::size_t count = 0;
    for (const Text& text : texts_of_tree())
        for (const std::string& sentence : sentences(text.words))
            if (breaks(sentence) && ++count && std::getenv("DTRACE_LANGUAGE_LIST"))
                std::printf("%s: %s\n", text.place.c_str(), sentence.c_str());
    EXPECT_LE(count, most) << "sentences break the rule: DTRACE_LANGUAGE_LIST=1 lists them";
}

TEST(Language, SentencesBeginWithAConcreteSubject)
{
    expect_at_most(2, opens_without_noun);
}

TEST(Language, SentencesOfCommentsAndDocumentsAreShort)
{
    expect_at_most(85, is_too_long);
}

TEST(Language, CommentsAndDocumentsAvoidWordsThatReplaceStandardTerms)
{
    expect_at_most(18, has_a_word_to_avoid);
}

/// Returns the string literals in the product's sources that contain at least three spaces, each with its file and
/// line.
std::vector<Text> messages_of_tree()
{
    std::vector<Text> texts;
    for (const std::string_view folder : kProductFolders)
        for (const auto& entry : fs::recursive_directory_iterator(kTree / folder)) {
            const std::string kind = entry.path().extension().string();
            if (kind != ".cpp" && kind != ".hpp" && kind != ".def")
                continue;
            std::ifstream file(entry.path());
            const std::string name = fs::relative(entry.path(), kTree).string();
            std::size_t number = 0;
            for (std::string line; std::getline(file, line);) {
                ++number;
                for (const std::string& literal : literals(line))
                    if (std::count(literal.begin(), literal.end(), ' ') >= 3)
                        texts.push_back({name + ":" + std::to_string(number), literal});
            }
        }
    return texts;
}

TEST(Language, MessagesOfTheTracerFollowTheRules)
{
    const std::vector<Text> messages = messages_of_tree();
    EXPECT_GT(messages.size(), 1000u); // with fewer messages, the test has looked in a wrong folder
    for (const Text& message : messages) {
        std::string sentence = message.words;
        EXPECT_FALSE(has_a_word_to_avoid(sentence)) << message.place << ": " << sentence;
        sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
        EXPECT_FALSE(opens_without_noun(sentence)) << message.place << ": " << sentence;
    }
}

/// Returns whether a subject has the form `area: imperative phrase`, with one area and at most 72 characters.
bool is_subject(std::string_view subject)
{
    const std::size_t colon = subject.find(": ");
    const auto is_of_area = [](unsigned char c) {
        return std::islower(c) || std::isdigit(c) || c == '_' || c == '.' || c == '/' || c == '-';
    };
    return subject.size() <= kLongestSubject && colon != 0 && colon != subject.npos && colon + 2 < subject.size() &&
           std::all_of(subject.begin(), subject.begin() + static_cast<std::ptrdiff_t>(colon), is_of_area) &&
           !std::isupper(static_cast<unsigned char>(subject[colon + 2])) && !subject.ends_with('.');
}

/// Returns the subjects of all commits since this rule was introduced. Empty if there is no repository with that
/// history.
std::vector<std::string> subjects()
{
    const std::string command = "git -C '" + kTree.string() + "' log --no-merges --format=%s " +
                                std::string(kLastFreeCommit) + "..HEAD 2>/dev/null";
    std::vector<std::string> lines;
    FILE* const log = popen(command.c_str(), "re");
    if (!log)
        return lines;
    char line[4096];
    while (std::fgets(line, sizeof line, log))
        lines.emplace_back(line, std::string_view(line).find_first_of("\n"));
    pclose(log);
    return lines;
}

TEST(Language, CommitSubjectsBeginWithAnArea)
{
    const std::vector<std::string> found = subjects();
    if (found.empty())
        GTEST_SKIP() << "the history of the tree is not available";
    for (const std::string& subject : found)
        EXPECT_TRUE(is_subject(subject)) << subject;
}

TEST(Language, TheTestFindsSentencesThatBreakARule)
{
    EXPECT_TRUE(opens_without_noun("What is taken of probes goes on."));
    EXPECT_FALSE(opens_without_noun("What does it cost?"));
    EXPECT_FALSE(opens_without_noun("The reader wakes up."));
    EXPECT_TRUE(has_a_word_to_avoid("The kernel is told of it."));
    EXPECT_FALSE(has_a_word_to_avoid("The untold types are retold."));
    EXPECT_EQ(sentences("One is short. Two e.g. is not split.").size(), 2u);
    EXPECT_EQ(sentences("One is short. dtrace prints it.").size(), 2u);
    std::string text = "word";
    for (std::size_t i = 1; i < kLongestSentence; ++i)
        text += " word";
    EXPECT_FALSE(is_too_long(text));
    EXPECT_TRUE(is_too_long(text + " word"));
    EXPECT_EQ(literals(R"(f("one", 'x', "two\"s"); // c)"), (std::vector<std::string>{"one", R"(two\"s)"}));
    EXPECT_TRUE(literals("    // a \"comment\"").empty());
    EXPECT_TRUE(is_subject("usdt: read static operands from the probe's own object"));
    EXPECT_FALSE(is_subject("The same: one less"));
    EXPECT_FALSE(is_subject("load, trace: keep maps"));
    EXPECT_FALSE(is_subject("load: " + std::string(kLongestSubject, 'x')));
}

} // namespace
