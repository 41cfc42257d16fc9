// Reads the files of run tests: directives, command words, substitutions.
#include "test/run/runner/test_file.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

namespace dt::runtest {

namespace {

std::optional<std::string> read_file(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string trimmed(const std::string& text)
{
    auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Returns the directive lines without their comment characters.
std::vector<std::string> directive_lines(const std::string& text, bool script)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    bool inside = false;
    for (std::string line; std::getline(stream, line);) {
        if (script) {
            if (line.rfind("#@", 0) == 0)
                lines.push_back(trimmed(line.substr(2)));
            continue;
        }
        if (!inside) {
            inside = line.rfind("/*@", 0) == 0;
            continue;
        }
        if (line.find("*/") != std::string::npos)
            break;
        auto star = line.find('*');
        lines.push_back(trimmed(star == std::string::npos ? line : line.substr(star + 1)));
    }
    return lines;
}

using Setter = std::function<bool(TestFile&, const std::string&)>;

bool set_number(int& to, const std::string& text)
{
    if (text.empty() || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return false;
    to = std::stoi(text);
    return true;
}

const std::map<std::string, Setter>& setters()
{
    static const std::map<std::string, Setter> table = {
        {"what",
         [](TestFile& t, const std::string& v) {
             t.what = v;
             return !v.empty();
         }},
        {"needs",
         [](TestFile& t, const std::string& v) {
             t.needs = split_words(v);
             return true;
         }},
        {"lost",
         [](TestFile& t, const std::string& v) {
             t.lost = split_words(v);
             return !v.empty();
         }},
        {"run",
         [](TestFile& t, const std::string& v) {
             t.run = v;
             return true;
         }},
        {"env",
         [](TestFile& t, const std::string& v) {
             t.env = split_words(v);
             return true;
         }},
        {"trigger",
         [](TestFile& t, const std::string& v) {
             t.trigger = v;
             return true;
         }},
        {"status", [](TestFile& t, const std::string& v) { return set_number(t.status, v); }},
        {"timeout", [](TestFile& t, const std::string& v) { return set_number(t.timeout_s, v); }},
        {"stderr",
         [](TestFile& t, const std::string& v) {
             t.stderr_contains = v == "contains";
             return v == "contains" || v == "exact";
         }},
        {"expect",
         [](TestFile& t, const std::string& v) {
             static const std::map<std::string, Expect> words = {
                 {"exact", Expect::Exact}, {"regex", Expect::Regex}, {"status", Expect::Status}};
             auto found = words.find(v);
             if (found == words.end())
                 return false;
             t.expect = found->second;
             return true;
         }},
    };
    return table;
}

} // namespace

std::optional<std::string> TestFile::beside(const char* extension) const
{
    auto file = path;
    return read_file(file.replace_extension(extension));
}

std::optional<TestFile> read_test(const std::filesystem::path& path, std::string& error)
{
    auto text = read_file(path);
    if (!text) {
        error = "cannot read " + path.string();
        return std::nullopt;
    }
    TestFile test;
    test.path = path;
    test.script = path.extension() == ".sh";
    test.run = "-qs %file%";

    bool chose_expect = false, chose_stderr = false;
    for (const auto& line : directive_lines(*text, test.script)) {
        if (line.empty())
            continue;
        auto colon = line.find(':');
        auto name = line.substr(0, colon);
        auto setter = setters().find(name);
        if (colon == std::string::npos || setter == setters().end() ||
            !setter->second(test, trimmed(line.substr(colon + 1)))) {
            error = path.string() + ": bad directive: " + line;
            return std::nullopt;
        }
        chose_expect |= name == "expect";
        chose_stderr |= name == "stderr";
    }
    if (test.what.empty()) {
        error = path.string() + ": the directive what: is missing";
        return std::nullopt;
    }
    if (!chose_expect)
        test.expect = test.beside(".out") ? Expect::Exact : test.beside(".re") ? Expect::Regex : Expect::Status;
    if (!chose_stderr)
        test.stderr_contains = test.status != 0;
    if (!chose_expect && test.expect == Expect::Status && !test.beside(".err")) {
        error = path.string() + ": there is no .out, .re or .err file, so its output would not be checked";
        return std::nullopt;
    }
    return test;
}

std::vector<std::string> split_words(const std::string& line)
{
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); i++) {
        char c = line[i];
        bool escape = c == '\\' && quote != '\'' && i + 1 < line.size();
        if (escape && (quote == 0 || line[i + 1] == '"' || line[i + 1] == '\\')) {
            word += line[++i];
            in_word = true;
        } else if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            in_word = true;
        } else if (c == ' ' || c == '\t') {
            if (in_word)
                words.push_back(word);
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (in_word)
        words.push_back(word);
    return words;
}

std::string substitute(std::string text, const std::map<std::string, std::string>& values)
{
    for (const auto& [name, value] : values) {
        auto mark = "%" + name + "%";
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
            text.replace(at, mark.size(), value);
    }
    return text;
}

} // namespace dt::runtest
