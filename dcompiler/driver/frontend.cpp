// Controls the front end: checks libraries and source texts in order, and repeats all checks if an undeclared variable
// needs a wider type than assumed.
#include "dcompiler/driver/frontend.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "dcompiler/driver/libraries.hpp"
#include "dcompiler/syntax/parser.hpp"
#include "dcompiler/syntax/print.hpp"

namespace dt::sema {
namespace {

/// Copies types. The copies do not depend on the table of the originals, and lack their members.
class TypeCopies {
public:
    explicit TypeCopies(std::deque<Type>& to) : to_(to) {}

    const Type* of(const Type* type)
    {
        if (!type)
            return nullptr;
        const auto [known, is_new] = known_.try_emplace(type, nullptr);
        if (!is_new)
            return known->second;
        Type& copy = to_.emplace_back();
        known->second = &copy;
        copy.kind = type->kind;
        copy.name = type->name;
        copy.size = type->size;
        copy.is_signed = type->is_signed;
        copy.is_char = type->is_char;
        copy.incomplete = type->incomplete;
        copy.is_user_defined = type->is_user_defined;
        copy.space = type->space;
        copy.count = type->count;
        copy.variadic = type->variadic;
        copy.target = of(type->target);
        for (const Type* parameter : type->parameters)
            copy.parameters.push_back(of(parameter));
        return &copy;
    }

private:
    std::deque<Type>& to_;
    std::map<const Type*, const Type*> known_;
};

} // namespace

Frontend::Frontend(World& world, OptionSet& options, Diagnostics& diagnostics)
    : world_(world), options_(options), diagnostics_(diagnostics)
{
    options_.begin_texts();
    program_.types = std::make_shared<TypeTable>(this->options().strsize, this->options().data_model);
    checker_ = std::make_unique<Checker>(program_, world, this->options(), diagnostics);
    checker_->load_library = [this](std::string_view name) { return load_library(name); };
}

/// Resets everything to the state before the first source text. Keeps only the types that undeclared variables need, as
/// found so far.
void Frontend::restart()
{
    UndeclaredIntegers found = std::move(checker_->undeclared);
    found.begin_again();
    auto types = std::move(program_.types);
    checker_.reset();
    program_ = Program{};
    program_.types = std::move(types);
    trees_.clear();
    prelude_.clear();
    texts_ = 0;
    options_.restart_texts();
    diagnostics_.forget_warnings();
    checker_ = std::make_unique<Checker>(program_, world_, options(), diagnostics_);
    checker_->load_library = [this](std::string_view name) { return load_library(name); };
    checker_->undeclared = std::move(found);
}

Frontend::~Frontend() = default;

void Frontend::release_trees()
{
    checker_.reset();
    std::exchange(trees_, {});
    std::exchange(program_.exprs, {});
    std::exchange(program_.stmts, {});
    for (Statement& statement : program_.statements) {
        statement.predicate = nullptr;
        std::exchange(statement.body, {});
    }
    if (program_.providers.empty())
        copy_types();
}

/// Copies only the types of variables (and of keys). A program uses some three hundred types, most of them only as
/// members of members; copies of all would take 125 KB.
void Frontend::copy_types()
{
    TypeCopies copies(copied_types_);
    for (Variable& variable : program_.variables) {
        variable.type = copies.of(variable.type);
        variable.stored = copies.of(variable.stored);
        for (const Type*& key : variable.keys)
            key = copies.of(key);
    }
    for (Aggregation& aggregation : program_.aggregations)
        for (AggKey& key : aggregation.keys)
            key.type = copies.of(key.type);
    program_.types.reset();
}

bool Frontend::add(const Source& source, SpecKind kind, const Macros& macros)
{
    given_.push_back({&source, kind, macros});
    return check(source, kind, macros) && widen_types();
}

/// Checks all source texts again, until no undeclared variable needs a wider type. This always ends, usually after one
/// repetition.
bool Frontend::widen_types()
{
    while (checker_->undeclared.widen(*checker_)) {
        restart();
        if (libraries_ && !check_libraries())
            return false;
        for (const Text& text : given_)
            if (!check(*text.source, text.kind, text.macros))
                return false;
    }
    return true;
}

bool Frontend::check(const Source& source, SpecKind kind, const Macros& macros)
{
    const std::size_t errors = diagnostics_.count();
    const std::size_t reports = checker_->reports.count();
    checker_->begin_program(source, kind, source.kind == Source::Kind::Library ? 0 : texts_++);
    checker_->here.is_built_in = !prelude_.empty() && &source == &prelude_.back();
    syntax::ParseHooks hooks;
    hooks.item = [this](ast::Item& item) { checker_->declaration(item); };
    hooks.broken_clause = [this](const ast::Clause& clause) { checker_->broken_clause(clause); };
    hooks.option = [this](std::string_view name, std::optional<std::string_view> value) -> Result<void> {
        const bool had_tags = options().errtags;
        Result<void> set = options_.set(name, value, OptionSource::Pragma);
        if (set)
            program_.pragmas.emplace_back(name, value);
        if (options().errtags && !had_tags)
            diagnostics_.tag_from_here();
        if (set && !program_.types->set_strsize(options().strsize))
            return Error{
                "a struct or array that was declared earlier contains strings: set strsize before its declaration"};
        if (set && name == "amin")
            checker_->names.amin_is_set();
        return set;
    };
    hooks.end = [this](const Span&) { checker_->pragmas.finish(); };
    program_.types->set_strsize(options().strsize);
    auto tree = syntax::parse(source, kind, macros, options(), *checker_, hooks, diagnostics_);
    if (diagnostics_.count() - errors > checker_->reports.count() - reports)
        checker_->reports.text_is_incomplete();
    // bit in the value of option tree that prints the tree as it was parsed; in other D compilers, the other bits print
    // the tree after later passes
    constexpr uint64_t kAsParsed = 1;
    if (source.kind != Source::Kind::Library)
        parse_tree_ = (options().tree & kAsParsed) != 0 ? "Parse tree (Pass 1):\n" + syntax::print(*tree) : "";
    trees_.push_back(std::move(tree));
    if (source.kind != Source::Kind::Library) {
        ast::Ast& parsed = *trees_.back();
        if (!options().requestkey.empty() && diagnostics_.count() == errors)
            begin_with_request(parsed, macros);
        checker_->clauses(parsed);
    }
    checker_->metrics.finish(diagnostics_.count() == errors);
    return diagnostics_.count() == errors;
}

namespace {

/// Returns whether the description is that of a probe of provider dtrace: BEGIN, END or ERROR. Firings of these probes
/// do not belong to a request.
bool is_of_tracer(const ast::ProbeDesc& each)
{
    return each.provider == "dtrace" || each.name == "BEGIN" || each.name == "END" || each.name == "ERROR";
}

} // namespace

/// Implements -x requestkey: adds a statement at the start of each clause that has statements
/// (docs/decisions/78-requests.md).
void Frontend::begin_with_request(ast::Ast& tree, const Macros& macros)
{
    requests_.push_back(
        {Source::Kind::Script, "-x requestkey", "BEGIN { _request_is(" + options().requestkey + "); }", {}});
    syntax::ParseHooks hooks;
    hooks.item = [this](ast::Item& item) { checker_->declaration(item); };
    hooks.broken_clause = [this](const ast::Clause& clause) { checker_->broken_clause(clause); };
    trees_.push_back(
        syntax::parse(requests_.back(), SpecKind::Script, macros, options(), *checker_, hooks, diagnostics_));
    const std::vector<ast::Item>& made = trees_.back()->items;
    if (made.empty() || made.front().kind != ast::Item::Kind::Clause || made.front().clause->body.empty())
        return; // the statement has an error that was already reported
    for (ast::Item& item : tree.items) {
        if (item.kind != ast::Item::Kind::Clause || item.clause->body.empty())
            continue;
        const auto& all = item.clause->descriptions;
        if (!std::all_of(all.begin(), all.end(), is_of_tracer))
            item.clause->body.insert(item.clause->body.begin(), made.front().clause->body.front());
    }
}

bool Frontend::add_libraries(const std::deque<Source>& libraries, const Macros& macros)
{
    libraries_ = &libraries;
    library_macros_ = macros;
    return check_libraries();
}

bool Frontend::check_libraries()
{
    const std::size_t errors = diagnostics_.count();
    const auto ordered = order_libraries(*libraries_, world_, options().syslibdir.empty(), diagnostics_);
    if (diagnostics_.count() != errors)
        return false;
    return std::all_of(ordered.begin(), ordered.end(),
                       [&](const Source* each) { return check(*each, SpecKind::Script, library_macros_); });
}

/// Compiles the built-in library that defines a name. Returns false if there is none, or if it was already compiled.
bool Frontend::load_library(std::string_view name)
{
    // If option syslibdir is set, the libraries in that directory replace the built-in ones.
    const LibraryFile* const file = options().syslibdir.empty() ? find_library_file(name) : nullptr;
    if (!file ||
        std::any_of(prelude_.begin(), prelude_.end(), [file](const Source& known) { return known.name == file->name; }))
        return false;
    const auto has_member = [this](std::string_view record, std::string_view member) {
        // A library file has lines for certain kernels only, each with a condition. "kernel.locked" means that programs
        // may not copy kernel memory, "kernel.readable" that they can read any kernel memory.
        if (record == "kernel" && member == "locked")
            return !world_.features().kernel_reads;
        if (record == "kernel")
            return world_.features().kernel_reads || world_.readable_cast() != 0;
        return checker_->names.has_member(record, member);
    };
    prelude_.push_back({Source::Kind::Library, std::string(file->name), text_for_kernel(file->text, has_member)});
    check(prelude_.back(), SpecKind::Script, Macros{});
    return true;
}

} // namespace dt::sema
