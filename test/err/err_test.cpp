// err_test FILE.d...: checks the compiler's first diagnostic for each program. Its tag, text and line must be those
// that the head comment of the program gives.
//
// Head comment directives, each to the end of its line:
//   @tag: D_X          the tag, or `none` for a program that must pass
//   @options: -x a -x b=c -32
//   @args: one two     macro arguments
//   @spec: n           checked as the argument of -n, -P, -m, -f or -i; the program is then the text below the comment
//   @says: TEXT        the whole message, its lines joined by " | "
//   @line: N           the line number in the message
//   @hint: TEXT        the hint with the next step
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <span>
#include <sstream>

#include "dcompiler/driver/frontend.hpp"
#include "libdtrace/options/options.hpp"
#include "test/unit/frozen_world.hpp"

namespace {

using namespace dt;

std::map<std::string, std::string> directives(const std::string& text)
{
    std::map<std::string, std::string> found;
    const std::string head = text.substr(0, text.find("*/"));
    const std::regex directive(R"(@(\w+):[ \t]*(.*))");
    std::istringstream lines(head);
    for (std::string line; std::getline(lines, line);)
        if (std::smatch match; std::regex_search(line, match, directive)) {
            std::string value = match[2];
            value.erase(value.find_last_not_of(" \t") + 1);
            found[match[1]] = value;
        }
    return found;
}

std::vector<std::string> words(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> list;
    for (std::string word; stream >> word;)
        list.push_back(word);
    return list;
}

bool set_options(Options& options, const std::string& text)
{
    for (const std::string& word : words(text)) {
        if (word == "-x")
            continue;
        if (word == "-32") {
            options.set_data_model(DataModel::Ilp32);
            continue;
        }
        const std::size_t equals = word.find('=');
        std::optional<std::string_view> value;
        if (equals != std::string::npos)
            value = std::string_view(word).substr(equals + 1);
        if (const auto set = options.set(word.substr(0, equals), value, OptionSource::CommandLine); !set) {
            std::cerr << word << ": " << set.error().message << "\n";
            return false;
        }
    }
    return true;
}

SpecKind kind_of(const std::string& spec)
{
    const std::map<std::string, SpecKind> kinds = {{"n", SpecKind::Name},
                                                   {"P", SpecKind::Provider},
                                                   {"m", SpecKind::Module},
                                                   {"f", SpecKind::Function},
                                                   {"i", SpecKind::ProbeId}};
    const auto found = kinds.find(spec);
    return found == kinds.end() ? SpecKind::Script : found->second;
}

std::string says(const Diagnostic& diagnostic)
{
    std::string joined;
    std::istringstream lines(diagnostic.message);
    for (std::string line; std::getline(lines, line);)
        joined += (joined.empty() ? "" : " | ") + line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    joined.erase(joined.find_last_not_of(" \t") + 1);
    return joined;
}

/// Returns 0 for the expected diagnostic, 1 for a different one, or 2 if the file's directives are invalid.
int check(test::FrozenWorld& world, const char* path)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    auto wanted = directives(content.str());

    Source source{Source::Kind::Script, path, content.str()};
    const SpecKind kind = kind_of(wanted["spec"]);
    if (kind != SpecKind::Script) {
        source.kind = Source::Kind::CommandLine;
        source.text = source.text.substr(source.text.find("*/") + 2);
        source.text.erase(0, source.text.find_first_not_of(" \n"));
        source.text.erase(source.text.find_last_not_of('\n') + 1);
        source.name = source.text;
    }
    Options options;
    if (!set_options(options, wanted["options"]))
        return 2;
    Macros macros;
    macros.script = path;
    macros.arguments = words(wanted["args"]);
    macros.pid = test::kTracer;
    macros.target = test::kTarget;

    Diagnostics diagnostics;
    sema::Frontend front(world, options, diagnostics);
    front.add(source, kind, macros);

    for (const Diagnostic& each : diagnostics.list())
        std::cout << "[" << each.tag << "] line " << each.at.line << ": " << each.message
                  << (each.hint.empty() ? "" : "\n    = " + each.hint) << "\n";
    const std::string tag = diagnostics.list().empty() ? "none" : diagnostics.list().front().tag;
    if (tag != wanted["tag"]) {
        std::cout << "wanted " << wanted["tag"] << ", got " << tag << "\n";
        return 1;
    }
    if (tag == "none")
        return 0;
    const Diagnostic& first = diagnostics.list().front();
    if (says(first) != wanted["says"] || std::to_string(first.at.line) != wanted["line"]) {
        std::cout << "wanted line " << wanted["line"] << ": " << wanted["says"] << "\n";
        return 1;
    }
    if (wanted.count("hint") && first.hint != wanted["hint"]) {
        std::cout << "wanted hint: " << wanted["hint"] << "\n";
        return 1;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::cerr << "usage: err_test FILE.d...\n";
        return 2;
    }
    test::FrozenWorld world;
    int status = 0;
    for (const char* path : std::span(argv + 1, argv + argc))
        if (const int failed = check(world, path); failed != 0) {
            std::cout << "FAILED: " << path << "\n";
            status = std::max(status, failed);
        }
    return status;
}
