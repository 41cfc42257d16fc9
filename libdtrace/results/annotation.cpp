// Formats the annotated code of -x annotate as text. All instructions of clauses are printed. Code outside of clauses
// is equal in every program, so only its instructions with samples are printed.
#include "libdtrace/results/annotation.hpp"

#include <cstdio>

#include "base/text.hpp"

namespace dt::output {

namespace {

constexpr double kAnnotatedPercent = 100, kNsOfASecond = 1e9;

std::string decimal(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

/// Returns the text, right-aligned in a table column.
std::string cell(const std::string& text, std::size_t width)
{
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string share_cell(const Annotation& annotation, uint64_t samples)
{
    return cell(samples == 0 ? "" : decimal(kAnnotatedPercent * annotation.share(samples)), 7);
}

/// Returns four table cells. The first three are shares of all samples in programs: the total, the instruction's own
/// samples, and the samples in called functions. The last cell is the time in ns per firing.
template <typename Counted>
std::string numbers_of(const Annotation& annotation, const Counted& counted, uint64_t own, uint64_t called,
                       const AnnotatedCode& code)
{
    const uint64_t sum = counted.sum();
    const bool is_priced = sum != 0 && code.fired && *code.fired != 0;
    return share_cell(annotation, sum) + share_cell(annotation, own) + share_cell(annotation, called) +
           cell(is_priced ? decimal(annotation.price(sum, *code.fired)) : "", 12) + "  ";
}

std::string title_of(const AnnotatedCode& code)
{
    std::string title = code.name + (code.several ? " in " + code.program : "");
    if (code.kind == "program")
        title = "code outside of the clauses of " + code.program;
    if (code.kind == "function")
        title = code.name + "(), called in " + code.program;
    if (code.fired)
        title += ": " + grouped(*code.fired) + (*code.fired == 1 ? " firing" : " firings");
    return title;
}

void append_code(std::string& text, const Annotation& annotation, const AnnotatedCode& code)
{
    const bool is_clause = code.kind == "clause";
    if (!is_clause && code.sum() == 0)
        return;
    text += "\n      %    OWN CALLED  NS/FIRING  " + title_of(code) + "\n";
    for (const AnnotatedLine& line : code.lines) {
        if (line.line != 0)
            text += numbers_of(annotation, line, line.own(), line.called(), code) + std::to_string(line.line) + ": " +
                    line.text + "\n";
        for (const AnnotatedInstruction& each : line.instructions) {
            char offset[16];
            std::snprintf(offset, sizeof offset, "%5x", each.offset);
            if (is_clause || each.sum() != 0)
                text +=
                    numbers_of(annotation, each, each.own, each.called, code) + "  " + offset + "  " + each.text + "\n";
        }
    }
}

} // namespace

uint64_t AnnotatedLine::own() const
{
    uint64_t all = 0;
    for (const AnnotatedInstruction& each : instructions)
        all += each.own;
    return all;
}

uint64_t AnnotatedLine::called() const
{
    uint64_t all = 0;
    for (const AnnotatedInstruction& each : instructions)
        all += each.called;
    return all;
}

uint64_t AnnotatedCode::sum() const
{
    uint64_t all = 0;
    for (const AnnotatedLine& line : lines)
        all += line.sum();
    return all;
}

double Annotation::share(uint64_t some) const
{
    return in_programs == 0 ? 0 : static_cast<double>(some) / static_cast<double>(in_programs);
}

double Annotation::price(uint64_t some, uint64_t firings) const
{
    return static_cast<double>(some) * static_cast<double>(period) / static_cast<double>(firings);
}

std::string annotation_text(const Annotation& annotation)
{
    std::string text;
    for (const AnnotatedCode& code : annotation.codes)
        append_code(text, annotation, code);
    if (!annotation.problem.empty())
        text += "\nannotate: " + annotation.problem + "\n";
    if (annotation.codes.empty())
        return text;
    const double cpu = annotation.elapsed == 0 ? 0
                                               : static_cast<double>(annotation.in_programs * annotation.period) /
                                                     static_cast<double>(annotation.elapsed);
    text += "\nsampled: " + grouped(annotation.in_programs) + " times in these programs (" +
            decimal(kAnnotatedPercent * cpu) + " % of a CPU) of " + grouped(annotation.samples) + " in the kernel, " +
            grouped(static_cast<uint64_t>(kNsOfASecond / static_cast<double>(annotation.period) + 0.5)) +
            " a second on each CPU" +
            (annotation.lost == 0 ? std::string() : "; " + grouped(annotation.lost) + " samples were lost") +
            (annotation.sees_all ? "" : "; code that runs with interrupts disabled is not seen") + "\n";
    return text;
}

} // namespace dt::output
