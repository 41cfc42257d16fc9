// Attributes each instruction of a function to a clause in one pass over the source locations, and finds the parts of
// clauses in the checked syntax tree.
#include "libdtrace/annotate/code_attribution.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "dcompiler/ebpf/btf.hpp"

namespace dt {

std::vector<CodeRange> code_ranges(const CodeFunction& code, bool is_program, const PartOf& part_of)
{
    std::vector<CodeRange> ranges{{code.address, {is_program ? CodeOwner::Kind::Program : CodeOwner::Kind::Runtime}}};
    for (const CodeLine& line : code.lines) {
        const std::optional<uint32_t> part = part_of(line);
        const bool is_of_no_text = line.line == 0 && !(ranges.back().owner == CodeOwner{});
        if (!part && !is_of_no_text)
            continue;
        const CodeOwner owner = part ? CodeOwner{CodeOwner::Kind::Clause, *part} : CodeOwner{CodeOwner::Kind::Program};
        const bool is_first_of_function = ranges.size() == 1 && ranges.front().owner == CodeOwner{};
        if (is_first_of_function)
            // Code before the function's first source location belongs to the same clause as the code at that location.
            ranges.front().owner = owner;
        else if (!(ranges.back().owner == owner))
            ranges.push_back({line.address, owner});
    }
    return ranges;
}

const CodeOwner& owner_at(std::span<const CodeRange> ranges, uint64_t address)
{
    const auto next = std::upper_bound(ranges.begin(), ranges.end(), address,
                                       [](uint64_t at, const CodeRange& range) { return at < range.address; });
    return next == ranges.begin() ? ranges.front().owner : std::prev(next)->owner;
}

// Finds the parts of clauses in one walk over the syntax tree that semantic analysis has checked. If two parts have the
// same location (because the same program was given twice), code at that location counts for the first part.

namespace {

// Largest column that struct bpf_line_info can store: it uses ten bits for the column.
constexpr uint32_t kLastNotedColumn = 1023;
constexpr std::size_t kMaxShown = 100;

/// Appends the locations of an expression and of all its subexpressions. The tree may be thousands of levels deep.
void append_places(std::vector<Span>& places, const TExpr* expression)
{
    std::vector<const TExpr*> work{expression};
    while (!work.empty()) {
        const TExpr* const top = work.back();
        work.pop_back();
        if (!top)
            continue;
        places.push_back(top->at);
        work.insert(work.end(), top->kids.begin(), top->kids.end());
    }
}

std::vector<Span> places_of(const TStmt& statement)
{
    std::vector<Span> places{statement.at};
    append_places(places, statement.expr);
    for (const auto* list : {&statement.args, &statement.keys})
        for (const TExpr* each : *list)
            append_places(places, each);
    return places;
}

/// Returns the position after a clause's probe descriptions, where the predicate or the first statement begins.
const Span* begin_of_clause(const Statement& statement)
{
    return statement.predicate      ? &statement.predicate->at
           : statement.body.empty() ? nullptr
                                    : &statement.body.front()->at;
}

/// Returns the first line of the text of the statement that contains the expression at `offset`.
std::string text_around(const Source& source, std::size_t offset)
{
    const std::string_view text = source.text;
    const std::size_t before = offset == 0 ? std::string_view::npos : text.find_last_of(";{}/\n", offset - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    std::string_view shown = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
    bool is_quoted = false;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        is_quoted ^= shown[i] == '"' && (i == 0 || shown[i - 1] != '\\');
        if (!is_quoted && (shown[i] == ';' || shown[i] == '{' || shown[i] == '}'))
            shown = shown.substr(0, i);
    }
    shown.remove_prefix(std::min(shown.find_first_not_of(" \t"), shown.size()));
    shown = shown.substr(0, kMaxShown);
    return std::string(shown.substr(0, shown.find_last_not_of(" \t\r") + 1));
}

} // namespace

ClauseParts::ClauseParts(const std::deque<Statement>& statements)
{
    const Span* former = nullptr;
    for (const Statement& statement : statements) {
        const Span* const begin = begin_of_clause(statement);
        const bool is_another_description =
            former && begin && begin->source == former->source && begin->offset == former->offset;
        former = begin;
        if (!is_another_description)
            clauses_.emplace_back();
        SourceClause& clause = clauses_.back();
        clause.statements.push_back(statement.id);
        const std::string given = statement.at.source && statement.at.length > 0
                                      ? statement.at.source->text.substr(statement.at.offset, statement.at.length)
                                      : statement.description;
        clause.name += (clause.name.empty() ? "" : ", ") + given;
        if (is_another_description) {
            const auto own = static_cast<uint32_t>(clauses_.size() - 1);
            const auto part = std::find_if(parts_.begin(), parts_.end(),
                                           [own](const ClausePart& each) { return each.clause == own; });
            add_place(statement.at, static_cast<uint32_t>(part - parts_.begin()));
            part->text = clause.name;
            continue;
        }
        add_part({statement.at}, given);
        add(statement);
    }
}

void ClauseParts::add(const Statement& statement)
{
    if (statement.predicate) {
        std::vector<Span> places;
        append_places(places, statement.predicate);
        const uint32_t part = add_part(places);
        parts_[part].text = "/" + parts_[part].text.substr(0, parts_[part].text.rfind('/'));
        parts_[part].text += "/";
    }
    add(statement.body);
}

void ClauseParts::add(const std::vector<TStmt*>& statements)
{
    for (const TStmt* each : statements) {
        add_part(places_of(*each));
        add(each->then);
        add(each->otherwise);
    }
}

/// Adds a part (predicate or statement) of the current clause; `places` are the source locations of its expressions.
/// `given` is the text to print for the part; if it is empty, the text is taken from the source.
uint32_t ClauseParts::add_part(const std::vector<Span>& places, const std::string& given)
{
    ClausePart part{static_cast<uint32_t>(clauses_.size() - 1), ebpf::file_of(places.front()), 0, given};
    const Span* first = &places.front();
    for (const Span& at : places) {
        if (at.source != places.front().source || at.line == 0)
            continue;
        first = at.offset < first->offset ? &at : first;
        part.line = part.line == 0 ? at.line : std::min(part.line, at.line);
    }
    if (given.empty() && first->source)
        part.text = text_around(*first->source, first->offset);
    if (first->source && !first->file)
        part.line = line_of(*first);
    parts_.push_back(std::move(part));
    const auto index = static_cast<uint32_t>(parts_.size() - 1);
    for (const Span& at : places)
        add_place(at, index);
    return index;
}

/// Returns the line on which an expression begins. Span::line is the line on which the expression ends.
uint32_t ClauseParts::line_of(const Span& at)
{
    if (at.source != counted_.source || at.offset < counted_.offset)
        counted_ = {at.source, 0, 1};
    const auto begin = at.source->text.begin();
    counted_.line += static_cast<uint32_t>(std::count(begin + counted_.offset, begin + at.offset, '\n'));
    counted_.offset = at.offset;
    return counted_.line;
}

void ClauseParts::add_place(const Span& at, uint32_t part)
{
    if (at.line != 0)
        by_place_.try_emplace(
            {ebpf::file_of(at), ebpf::line_text_of(at), at.line, std::min(at.column, kLastNotedColumn)}, part);
}

std::optional<uint32_t> ClauseParts::find(const CodeLine& place) const
{
    const auto found = by_place_.find({place.file, place.text, place.line, place.column});
    return found == by_place_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace dt
