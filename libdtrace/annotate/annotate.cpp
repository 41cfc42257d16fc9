#include "libdtrace/annotate/annotate.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

#include "machine/machine.hpp"

namespace dt {
namespace {

using OwnerKind = CodeOwner::Kind;
constexpr std::string_view kClauseKind = "clause";

/// Prints how often a program and each of its statements ran.
struct FiringsOfProgram {
    uint64_t all = 0;
    std::map<uint32_t, uint64_t> of_statements;
};

std::vector<FiringsOfProgram> firings_of(std::span<const AnnotatedProgram> programs, const output::CostReport& costs)
{
    std::map<uint32_t, const output::Cost*> by_probe;
    for (const output::Cost& cost : costs.probes)
        by_probe.emplace(cost.id, &cost);
    std::vector<FiringsOfProgram> all;
    for (const AnnotatedProgram& program : programs) {
        FiringsOfProgram& firings = all.emplace_back();
        for (const uint32_t probe : program.probes)
            if (const auto cost = by_probe.find(probe); cost != by_probe.end()) {
                firings.all += cost->second->fired;
                for (const uint32_t statement : cost->second->statements)
                    firings.of_statements[statement] += cost->second->fired;
            }
    }
    return all;
}

std::string offset_text(const char* before, uint64_t number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%s%llx", before, static_cast<unsigned long long>(number));
    return text;
}

class CodeListing {
public:
    CodeListing(const CodeSamples& samples, const ClauseParts& parts, std::span<const AnnotatedProgram> programs,
                const output::CostReport& costs, const Annotator::NameOf& name_of)
        : samples_(samples), parts_(parts), programs_(programs), firings_(firings_of(programs, costs)),
          name_of_(name_of)
    {
    }

    void add(const CodeSamples::Function& function)
    {
        const auto texts = machine::native().disassemble(function.code.bytes, function.code.address);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const uint64_t begin = function.code.address + texts[i].offset,
                           end = function.code.address +
                                 (i + 1 < texts.size() ? texts[i + 1].offset : function.code.bytes.size());
            SampleCount count;
            for (auto at = function.counts.lower_bound(begin); at != function.counts.end() && at->first < end; ++at)
                count += at->second;
            line(function, function.owner_at(begin))
                .instructions.push_back({texts[i].offset, text_of(texts[i], function), count.own, count.called});
        }
    }

    /// Returns the listings of all annotated code, sorted by the kind of code. Listings of the same kind are sorted by
    /// sample count, largest first. If a clause is in several programs, its copies without samples are omitted.
    std::vector<output::AnnotatedCode> take()
    {
        std::vector<std::pair<OwnerKind, output::AnnotatedCode>> ordered;
        // for each clause: number of its copies, and the sum of the samples of all copies
        std::map<uint32_t, std::pair<std::size_t, uint64_t>> copies;
        for (auto& [key, code] : codes_) {
            for (auto& [part, line] : code.lines)
                code.code.lines.push_back(std::move(line));
            if (code.code.kind == kClauseKind) {
                auto& [count, sum] = copies[std::get<1>(key)];
                ++count;
                sum += code.code.sum();
            }
        }
        for (auto& [key, code] : codes_) {
            const auto [kind, clause, program, function] = key;
            if (kind == OwnerKind::Clause) {
                auto& [count, sum] = copies[clause];
                code.code.several = count > 1;
                if (code.code.sum() == 0 && std::exchange(sum, 1) != 0)
                    continue;
            }
            ordered.emplace_back(kind, std::move(code.code));
        }
        std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : a.second.sum() > b.second.sum();
        });
        std::vector<output::AnnotatedCode> result;
        for (auto& [kind, code] : ordered)
            result.push_back(std::move(code));
        return result;
    }

private:
    // key of a listing: kind of code, index of the clause, index of the program, name of the function
    using Key = std::tuple<OwnerKind, uint32_t, uint32_t, std::string>;
    struct Collected {
        output::AnnotatedCode code;
        /// lines of the listing, by index of the clause's part (predicate or statement)
        std::map<uint32_t, output::AnnotatedLine> lines;
    };

    output::AnnotatedLine& line(const CodeSamples::Function& function, const CodeOwner& owner)
    {
        const bool is_clause = owner.kind == OwnerKind::Clause;
        const uint32_t clause = is_clause ? parts_.parts()[owner.part].clause : 0;
        const std::string name = owner.kind == OwnerKind::Runtime ? function.code.name : std::string();
        const auto [code, is_new] = codes_.try_emplace(Key{owner.kind, clause, function.program, name});
        if (is_new)
            code->second.code = head(function, owner.kind, clause);
        const auto [line, is_new_line] = code->second.lines.try_emplace(owner.part);
        if (is_new_line && is_clause) {
            const ClausePart& part = parts_.parts()[owner.part];
            line->second = {part.file, part.line, part.text, {}};
        }
        return line->second;
    }

    output::AnnotatedCode head(const CodeSamples::Function& function, OwnerKind kind, uint32_t clause) const
    {
        output::AnnotatedCode code;
        code.program = programs_[function.program].name;
        const FiringsOfProgram& firings = firings_[function.program];
        switch (kind) {
        case OwnerKind::Clause:
            code.kind = kClauseKind;
            code.name = parts_.clauses()[clause].name;
            code.fired = 0;
            for (const uint32_t statement : parts_.clauses()[clause].statements)
                if (const auto of = firings.of_statements.find(statement); of != firings.of_statements.end())
                    *code.fired += of->second;
            break;
        case OwnerKind::Program:
            code.kind = "program";
            code.fired = firings.all;
            break;
        case OwnerKind::Runtime:
            code.kind = "function";
            code.name = function.code.name;
            break;
        }
        return code;
    }

    std::string text_of(const machine::InstructionText& instruction, const CodeSamples::Function& in) const
    {
        if (!instruction.target)
            return instruction.text;
        const uint64_t target = *instruction.target;
        const bool is_inside = target - in.code.address < in.code.bytes.size();
        if (is_inside && !instruction.is_call)
            return instruction.text + offset_text(" ", target - in.code.address);
        const CodeSamples::Function* const own = samples_.begins_at(target);
        return instruction.text + " " + (own ? own->code.name : name_of_(target));
    }

    const CodeSamples& samples_;
    const ClauseParts& parts_;
    std::span<const AnnotatedProgram> programs_;
    std::vector<FiringsOfProgram> firings_;
    const Annotator::NameOf& name_of_;
    std::map<Key, Collected> codes_;
};

} // namespace

std::vector<output::AnnotatedCode> annotated_codes(const CodeSamples& samples, const ClauseParts& parts,
                                                   std::span<const AnnotatedProgram> programs,
                                                   const output::CostReport& costs, const Annotator::NameOf& name_of)
{
    CodeListing listing(samples, parts, programs, costs, name_of);
    for (const CodeSamples::Function& function : samples.functions())
        listing.add(function);
    return listing.take();
}

Annotator::Annotator(const std::deque<Statement>& statements) : parts_(statements)
{
    if (const Result<void> opened = clock_.open(); !opened)
        problem_ = opened.error().message;
}

void Annotator::add(const bpf_object* object, std::span<const ProgramPlan> plans, const ServedBy& served_by)
{
    Result<std::vector<ProgramCode>> code = read_program_code(object);
    if (!code) {
        problem_ = code.error().message;
        return;
    }
    const auto first = static_cast<uint32_t>(programs_.size());
    for (const ProgramCode& program : code.value()) {
        const auto plan = std::find_if(plans.begin(), plans.end(),
                                       [&](const ProgramPlan& each) { return each.name == program.name; });
        if (plan == plans.end())
            programs_.push_back({program.name, {}});
        else
            programs_.push_back({served_by(*plan), plan->probes});
    }
    samples_.add(std::move(code.value()), first, [this](const CodeLine& line) { return parts_.find(line); });
}

void Annotator::read()
{
    clock_.read([this](std::span<const uint64_t> frames) { samples_.count(frames); });
}

output::Annotation Annotator::result(const output::CostReport& costs, const NameOf& name_of)
{
    read();
    output::Annotation annotation;
    annotation.codes = annotated_codes(samples_, parts_, programs_, costs, name_of);
    annotation.samples = samples_.samples();
    annotation.in_programs = samples_.in_programs();
    annotation.lost = clock_.lost();
    annotation.period = ClockSamples::kPeriod;
    // The elapsed time ends with tracing, because symbols are read after the programs have stopped.
    annotation.elapsed = costs.elapsed;
    annotation.sees_all = clock_.sees_all();
    annotation.problem = problem_;
    return annotation;
}

} // namespace dt
