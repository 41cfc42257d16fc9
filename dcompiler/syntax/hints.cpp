// Finds hints for syntax errors in the source text, because the tokens are lost when a grammar rule fails.
#include "dcompiler/syntax/parser_state.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "dcompiler/interface/foreign_names.hpp"
#include "dcompiler/syntax/parser.hpp"

namespace dt::syntax {
namespace {

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Returns the letters and digits at the end of the text.
std::string_view last_word(std::string_view text)
{
    std::size_t begin = text.size();
    while (begin > 0 && is_word(text[begin - 1]))
        --begin;
    return text.substr(begin);
}

} // namespace

std::string unknown_type_hint(std::string_view before, TypeNames& types)
{
    while (!before.empty() && (before.back() == '*' || std::isspace(static_cast<unsigned char>(before.back()))))
        before.remove_suffix(1);
    std::string name(last_word(before));
    const std::string_view linux_name = foreign_name(ForeignKind::Type, name);
    if ((!name.ends_with("_t") && linux_name.empty()) || types.is_type(name))
        return {};
    return unknown_type_text(name);
}

std::string unknown_type_text(const std::string& name)
{
    const std::string_view linux_name = foreign_name(ForeignKind::Type, name);
    return "unknown type " + name + (linux_name.empty() ? "" : ": " + std::string(linux_name));
}

namespace {

/// One component of a SystemTap probe point: .function("readline") or .return.
struct PointPart {
    std::string_view name, argument;
};

std::vector<PointPart> point_parts(std::string_view item)
{
    constexpr std::string_view kBlanks = " \t\r\n", kProbe = "probe ";
    const auto skip = [&](std::size_t count) { item.remove_prefix(std::min(count, item.size())); };
    skip(item.find_first_not_of(kBlanks));
    if (item.starts_with(kProbe))
        skip(kProbe.size());
    std::vector<PointPart> parts;
    for (;;) {
        std::size_t end = 0;
        while (end < item.size() && is_word(item[end]))
            ++end;
        if (end == 0)
            return parts;
        PointPart& part = parts.emplace_back(PointPart{item.substr(0, end), {}});
        skip(end);
        if (item.starts_with('(')) {
            const std::size_t close = std::min(item.find(')'), item.size());
            part.argument = item.substr(1, close - std::min<std::size_t>(close, 1));
            if (part.argument.size() > 1 && part.argument.front() == '"')
                part.argument = part.argument.substr(1, part.argument.size() - 2);
            skip(close + 1);
        }
        if (!item.starts_with('.'))
            return parts;
        skip(1);
    }
}

} // namespace

std::string systemtap_hint(std::string_view item)
{
    const std::vector<PointPart> parts = point_parts(item);
    if (parts.size() < 2)
        return {};
    const auto [kind, object] = parts[0];
    const auto [what, argument] = parts[1];
    const bool at_return = parts.size() > 2 && parts[2].name == "return";
    const std::string function(argument.substr(0, argument.find('@'))), end = at_return ? ":return" : ":entry";
    const std::string file(object.substr(object.rfind('/') + 1));
    std::string here;
    if (kind == "process" && what == "function")
        here = "pid$target:" + file + ":" + function + end + "; name the process with -c or -p";
    else if (kind == "process" && what == "mark")
        here = "PROVIDER$target:::" + function + "; name the process with -c or -p";
    else if ((kind == "kernel" || kind == "module") && what == "function")
        here = "fbt:" + file + ":" + function + end;
    else if (kind == "kernel" && what == "trace")
        here = "sdt:::" + function;
    else if (kind == "timer" && !argument.empty())
        here = "tick-" + std::string(argument) + std::string(what);
    return here.empty() ? here : "that is how SystemTap writes it: in D " + here;
}

std::string number_hint(std::string_view text, std::size_t at)
{
    const std::string_view digits = last_word(text.substr(0, std::min(at, text.size())));
    if (digits.empty() || !std::isdigit(static_cast<unsigned char>(digits[0])))
        return {};
    std::size_t end = at;
    while (end < text.size() && is_word(text[end]))
        ++end;
    return end == at ? "" : std::string(text.substr(at - digits.size(), digits.size() + end - at)) + " is not a number";
}

std::string bpftrace_path_hint(std::string_view description, std::string_view path)
{
    constexpr std::string_view kEntry[] = {"uprobe:", "u:"}, kReturn[] = {"uretprobe:", "ur:"},
                               kStatic[] = {"usdt:", "U:"};
    // removes the period of a path such as ./program from the end of `description` ("usdt:.")
    while (description.ends_with('.'))
        description.remove_suffix(1);
    const auto is = [&](const auto& kinds) {
        return std::find(std::begin(kinds), std::end(kinds), description) != std::end(kinds);
    };
    path = path.substr(0, path.find_first_of(" \t\n{,"));
    const std::size_t colon = path.find(':'), last = path.rfind(':');
    if (colon == std::string_view::npos || (!is(kEntry) && !is(kReturn) && !is(kStatic)))
        return {};
    std::string_view file = path.substr(0, colon);
    file = file.substr(file.rfind('/') + 1);
    std::string name(path.substr(last + 1));
    std::string here = "pid$target:" + std::string(file) + ":" + name + (is(kReturn) ? ":return" : ":entry");
    if (is(kStatic)) {
        for (std::size_t at = name.find("__"); at != std::string::npos; at = name.find("__", at))
            name.replace(at, 2, "-");
        here =
            (colon == last ? "PROVIDER" : std::string(path.substr(colon + 1, last - colon - 1))) + "$target:::" + name;
    }
    return "that is how bpftrace writes it: in D " + here + "; name the process with -c or -p";
}

} // namespace dt::syntax
