#include "libdtrace/estimate/policy.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "dcompiler/interface/option_rows.hpp"

namespace dt {
namespace {

/// Removes the first word from the line, and returns it.
std::string_view word_of_line(std::string_view& line)
{
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    const std::string_view word = line.substr(0, std::min(line.find_first_of(" \t\r"), line.size()));
    line.remove_prefix(word.size());
    return word;
}

std::optional<double> percent_of(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_percent = error == std::errc() && std::string_view(end, text.data() + text.size() - end) == "%";
    return is_percent && value >= 0 ? std::optional(value) : std::nullopt;
}

/// Sets a limit of the policy. Returns false if the name or the value is not valid.
bool set_limit(Policy& policy, std::string_view name, std::string_view value)
{
    if (name == "price")
        return (policy.price = percent_of(value)).has_value();
    if (name == "destructive") {
        policy.destructive = value == "yes";
        return value == "yes" || value == "no";
    }
    const std::optional<uint64_t> size = parse_size(value);
    if (name == "memory")
        policy.memory = size;
    else if (name == "records" && size)
        policy.records = static_cast<double>(*size);
    else
        return false;
    return size.has_value();
}

std::string three_digits(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string in_megabytes(uint64_t bytes)
{
    return three_digits(static_cast<double>(bytes) / (1 << 20)) + " MB";
}

} // namespace

Result<Policy> read_policy(std::string_view text)
{
    Policy policy;
    for (unsigned number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line = line.substr(0, line.find('#'));
        const std::string_view name = word_of_line(line), value = word_of_line(line);
        if (name.empty())
            continue;
        if (!set_limit(policy, name, value) || !word_of_line(line).empty())
            return Error{
                "line " + std::to_string(number) +
                " of the policy is not one of: price NUMBER%, records NUMBER, memory SIZE, destructive yes|no"};
    }
    return policy;
}

std::string refused_by(const Policy& policy, bool is_destructive, uint64_t memory)
{
    if (is_destructive && !policy.destructive)
        return "destructive actions";
    if (policy.memory && memory > *policy.memory)
        return "memory " + in_megabytes(memory) + " exceeds the limit " + in_megabytes(*policy.memory);
    return {};
}

std::string refused_by(const Policy& policy, const output::Estimate& estimate)
{
    const double price = 100 * estimate.share() / std::max(estimate.cpus, 1u);
    if (policy.price && price > *policy.price)
        return "price " + three_digits(price) + " % exceeds the limit " + three_digits(*policy.price) + " %";
    const double records = estimate.samples * estimate.scale();
    if (policy.records && records > *policy.records)
        return "records " + three_digits(records) + " a second exceeds the limit " + three_digits(*policy.records);
    return {};
}

} // namespace dt
