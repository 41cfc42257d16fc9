// Formats the tables of -x timing.
#include "cmd/timing.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace dt::cmd {
namespace {

double milliseconds(std::chrono::nanoseconds time)
{
    return std::chrono::duration<double, std::milli>(time).count();
}

[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...)
{
    char row[256];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(row, sizeof row, format, arguments);
    va_end(arguments);
    text += row;
}

} // namespace

std::string timing_table(std::string_view title, const std::vector<Steps::Step>& steps)
{
    std::chrono::nanoseconds all{}, passed{};
    for (const Steps::Step& step : steps)
        all += step.is_part ? std::chrono::nanoseconds{} : step.took;
    const double whole = std::max(milliseconds(all), 1e-6);
    std::string text;
    append(text, "\n%.*s: %.1f ms\n   over at      took  share\n", static_cast<int>(title.size()), title.data(),
           milliseconds(all));
    for (std::size_t i = 0; i < steps.size();) {
        std::size_t owner = i; // index of the phase, which follows its parts
        while (owner < steps.size() && steps[owner].is_part)
            ++owner;
        if (owner == steps.size())
            break;
        const double took = milliseconds(steps[owner].took);
        passed += steps[owner].took;
        append(text, "%7.1f ms %7.1f ms %5.1f%%  %s\n", milliseconds(passed), took, 100 * took / whole,
               steps[owner].name.c_str());
        for (; i < owner; ++i) {
            const double part = milliseconds(steps[i].took);
            append(text, "%10s %7.1f ms %5.1f%%    of it %s\n", "", part, 100 * part / whole, steps[i].name.c_str());
        }
        i = owner + 1;
    }
    return text;
}

std::string verified_table(const std::vector<std::pair<std::string, uint64_t>>& programs)
{
    std::string text = "\nverified instructions\n";
    for (const auto& [name, count] : programs)
        append(text, "%21llu  %s\n", static_cast<unsigned long long>(count), name.c_str());
    return text;
}

void Timing::print(std::string_view title)
{
    has_begun_ = true;
    if (steps_)
        std::fputs(timing_table(title, steps_->take()).c_str(), stderr);
}

void Timing::print_end()
{
    if (!has_begun_ || !steps_ || steps_->empty())
        return;
    steps_->done("exit");
    print("from the end to the prompt");
}

} // namespace dt::cmd
