// Converts names of probes between D, where they have dashes, and C, where they have `__`.
#include "dcompiler/interface/probes.hpp"

namespace dt {
namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to)
{
    std::string result;
    for (std::size_t at = 0, next; at < text.size(); at = next) {
        const std::size_t found = text.find(from, at);
        result += text.substr(at, found - at);
        next = found == std::string_view::npos ? text.size() : found + from.size();
        if (found != std::string_view::npos)
            result += to;
    }
    return result;
}

} // namespace

std::string dashed(std::string_view name)
{
    return replaced(name, "__", "-");
}

std::string underscored(std::string_view name)
{
    return replaced(name, "-", "__");
}

} // namespace dt
