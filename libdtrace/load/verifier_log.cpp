// Parses verifier logs.
//
// The log contains lines of the D program as comments, because the object's line information refers to the D program.
// The reason for the refusal is the last line that is neither a comment, nor an instruction, nor a closing statistic.
#include "libdtrace/load/verifier_log.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/kernel_abi.hpp"

namespace dt {
namespace {

std::string_view trim(std::string_view text)
{
    const auto start = text.find_first_not_of(" \t\r");
    return start == std::string_view::npos ? std::string_view{}
                                           : text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
}

/// Returns whether a line is part of the verifier's trace of instructions ("12: (79) r1 = ...", "from 3 to 7: ...",
/// register dumps) and not the verifier's final message.
bool is_trace(std::string_view line)
{
    static constexpr std::string_view kNoise[] = {"from ",
                                                  "processed ",
                                                  "verification time",
                                                  "stack depth",
                                                  "func#",
                                                  "caller",
                                                  "callee",
                                                  "mark_precise",
                                                  "last_idx",
                                                  "regs=",
                                                  "parent ",
                                                  "propagating",
                                                  "max_states",
                                                  "reg type unsupported",
                                                  "arg#",
                                                  "frame",
                                                  "returning from",
                                                  "to caller",
                                                  "-- BEGIN",
                                                  "The sequence of",
                                                  "(truncated"};
    const auto digits = static_cast<std::size_t>(
        std::find_if_not(line.begin(), line.end(), [](unsigned char c) { return std::isdigit(c); }) - line.begin());
    if (digits > 0 && digits < line.size() && line[digits] == ':')
        return true;
    return std::any_of(std::begin(kNoise), std::end(kNoise),
                       [&](std::string_view noise) { return line.starts_with(noise); });
}

void read_comment(std::string_view comment, Refusal& refusal)
{
    refusal.file.clear();
    refusal.line = 0;
    const auto at = comment.rfind(" @ ");
    const auto colon = comment.rfind(':');
    if (at != std::string_view::npos && colon != std::string_view::npos && colon > at) {
        const std::string_view number = comment.substr(colon + 1);
        uint32_t line = 0;
        const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), line);
        if (error == std::errc{} && stop == number.data() + number.size()) {
            refusal.file = comment.substr(at + 3, colon - at - 3);
            refusal.line = line;
            comment = comment.substr(0, at);
        }
    }
    refusal.text = trim(comment);
}

/// Returns the line number of the source line with this text. Returns nothing unless exactly one line has this text.
uint32_t find_line(std::string_view text, std::span<const Source* const> sources)
{
    uint32_t found = 0;
    for (const Source* source : sources) {
        uint32_t number = 1;
        for (std::string_view rest = source->text; !rest.empty(); ++number) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            if (trim(line) != text)
                continue;
            if (found != 0)
                return 0;
            found = number;
        }
    }
    return found;
}

} // namespace

Refusal read_verifier_log(std::string_view log, std::span<const Source* const> sources)
{
    Refusal refusal;
    while (!log.empty()) {
        const std::string_view line = trim(log.substr(0, log.find('\n')));
        log.remove_prefix(std::min(log.find('\n'), log.size() - 1) + 1);
        if (line.starts_with("; "))
            read_comment(line.substr(2), refusal);
        else if (!line.empty() && !is_trace(line))
            refusal.reason = line;
    }
    if (refusal.line == 0 && !refusal.text.empty())
        refusal.line = find_line(refusal.text, sources);
    return refusal;
}

namespace {

std::string place_of_refusal(const Refusal& refusal)
{
    std::string text;
    if (refusal.line != 0 || !refusal.text.empty()) {
        text += "\n\tat ";
        if (!refusal.file.empty())
            text += refusal.file + (refusal.line != 0 ? ":" : ": ");
        else if (refusal.line != 0)
            text += "line ";
        if (refusal.line != 0)
            text += std::to_string(refusal.line) + (refusal.text.empty() ? "" : ": ");
        text += refusal.text;
    }
    return text;
}

} // namespace

std::string describe(const Refusal& refusal)
{
    std::string text = place_of_refusal(refusal);
    if (!refusal.reason.empty())
        text += "\n\tthe kernel's verifier says: " + refusal.reason + " (its whole log: -x bpflog)";
    return text;
}

bool refuses_reads(const Refusal& refusal)
{
    return refusal.reason.find("bpf_probe_read") != std::string::npos;
}

std::string describe_locked_down(const Refusal& refusal)
{
    return std::string(kLockedDown) + " and lets no program read the kernel's memory" + place_of_refusal(refusal) +
           "\n\tnot possible here: members of the kernel's structures, strings in kernel memory, and probes by kprobe "
           "and "
           "sdt"
           "\n\tstill possible: pid, tid, execname, arg0 to arg9, copyin(), copyinstr(), times and aggregations at "
           "probes of syscall, profile, proc, rawtp, pid and fbt (--doctor tries each provider)";
}

bool refuses_writes(const Refusal& refusal)
{
    return refusal.reason.find("bpf_probe_write_user") != std::string::npos;
}

std::string describe_refused_write(const Refusal& refusal)
{
    return "this kernel does not allow BPF programs to write to the memory of processes (it is locked down, by "
           "lockdown=integrity or lockdown=confidentiality, or hardened)" +
           place_of_refusal(refusal) + "\n\tnot possible here: copyout() and copyoutstr()";
}

} // namespace dt
