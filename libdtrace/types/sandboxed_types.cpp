// Reads types of untrusted files in a sandboxed reader. The reader keeps its data of a file between requests, in one
// table of types. It answers with positions in the file (type_spelling.hpp), which a later reader understands as well.
#include "libdtrace/types/sandboxed_types.hpp"

#include <algorithm>
#include <utility>

#include "dcompiler/interface/plan.hpp"
#include "libdtrace/elf/dwarf_file.hpp"

namespace dt {
namespace {

using Calls = probes::ProcessView::Calls;
using Prototype = probes::ProcessView::Prototype;
using Value = probes::ProcessView::Value;

constexpr std::size_t kMostTypesKept = 64; ///< limit of files kept in a reader
constexpr std::size_t kMostParametersTold = 64;

// ---- in the reader ------------------------------------------------------------------------------------------------

struct KeptTypes {
    KeptTypes(std::string path, std::string named)
        : file(std::make_shared<FileTypes>(std::move(path), std::move(named)))
    {
    }

    TypeTeller teller()
    {
        return TypeTeller([this](const Type* type) { return file->place_of(table, type); });
    }

    std::shared_ptr<FileTypes> file;
    TypeTable table;
};

/// Returns the data of the requested file. Every request begins with the file's identity, path and usual name.
KeptTypes& kept_types(ReaderState& state, PackedReader& asked)
{
    const std::string key = "types " + std::string(asked.text()), path(asked.text()), named(asked.text());
    if (!state.contains(key) && state.size() >= kMostTypesKept)
        state.clear();
    std::shared_ptr<void>& kept = state[key];
    if (!kept)
        kept = std::make_shared<KeptTypes>(path, named);
    return *static_cast<KeptTypes*>(kept.get());
}

TypePlace place_asked(PackedReader& asked)
{
    const uint64_t part = asked.number();
    return {part, asked.number()};
}

/// Answers a lookup by name. Every answer begins with the problem of the file, if any.
std::string tell_named(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    KeptTypes& kept = kept_types(state, asked);
    const auto space = static_cast<TypeNamespace>(asked.number());
    const Type* const found = kept.file->find(kept.table, space, asked.text());
    PackedWriter answer;
    answer.text(kept.file->problem());
    answer.number(found != nullptr);
    if (found)
        kept.teller().tell(found, answer);
    return answer.take();
}

std::string tell_members(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    KeptTypes& kept = kept_types(state, asked);
    PackedWriter answer;
    answer.text(kept.file->problem());
    kept.teller().tell_inside(kept.file->at(kept.table, place_asked(asked)), answer);
    return answer.take();
}

std::string tell_definition(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    KeptTypes& kept = kept_types(state, asked);
    const Type* const declared = kept.file->at(kept.table, place_asked(asked));
    const Type* const found = declared->definition ? declared->definition() : nullptr;
    PackedWriter answer;
    answer.text(kept.file->problem());
    kept.teller().tell(found ? found : kept.table.void_type(), answer);
    return answer.take();
}

void tell_value(KeptTypes& kept, const FileTypes::Typed& value, PackedWriter& answer)
{
    PackedWriter type;
    kept.teller().tell(value.type ? value.type : kept.table.void_type(), type);
    answer.text(value.name);
    answer.number(value.word);
    answer.text(value.refusal);
    answer.text(type.bytes());
}

std::string tell_prototype(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    KeptTypes& kept = kept_types(state, asked);
    const uint64_t place = asked.number();
    const auto calls = static_cast<Calls>(asked.number());
    const std::string name(asked.text());
    const FileTypes::Signature found = kept.file->signature(kept.table, kept.file->address_of(place), name, calls);
    PackedWriter answer;
    answer.text(kept.file->problem());
    answer.text(found.untyped);
    answer.text(found.note);
    answer.number(found.parameters.size());
    for (const FileTypes::Typed& each : found.parameters)
        tell_value(kept, each, answer);
    answer.number(found.result.has_value());
    if (found.result)
        tell_value(kept, *found.result, answer);
    return answer.take();
}

// ---- in the tracer ------------------------------------------------------------------------------------------------

/// Returns whether the value fits into probe argument words from `first` on, in the way the compiler loads it.
bool is_in_words(const Type* type, uint8_t first)
{
    constexpr uint64_t kNarrowWord = 4;
    const Type* const plain = type->resolve();
    const uint64_t words = plain->kind == TypeKind::Float ? (plain->size + kNarrowWord - 1) / kNarrowWord : 1;
    return (plain->kind == TypeKind::Float || (type->is_scalar() && plain->size <= 8)) &&
           first + words <= kMostArguments;
}

} // namespace

ForeignTypes::ForeignTypes(std::shared_ptr<ForeignFiles> foreign, const std::string& path)
    : foreign_(std::move(foreign)), file_(path), identity_(identity_text(file_)), named_(name_of_foreign(path))
{
}

PackedWriter ForeignTypes::request() const
{
    PackedWriter request;
    request.text(identity_);
    request.text(file_.path());
    request.text(named_);
    return request;
}

/// Sends a request and returns the answer without its header, or an empty string on failure.
std::string ForeignTypes::ask(ReadFunction function, const PackedWriter& question)
{
    is_asked_ = true;
    Result<std::string> told = foreign_->read(file_.path(), function, question.bytes());
    if (!told) {
        problem_ = told.error().message;
        return {};
    }
    PackedReader answer(told.value());
    problem_ = printable_name(answer.text());
    return answer.good() ? std::string(answer.rest()) : std::string();
}

ToldTypes& ForeignTypes::told(TypeTable& table)
{
    std::unique_ptr<Imports>& kept = table.imports_of(*this);
    const auto asking = [this](ReadFunction function) {
        return [this, function](const TypePlace& place) {
            PackedWriter asked = request();
            asked.number(place.part);
            asked.number(place.at);
            return ask(function, asked);
        };
    };
    if (!kept)
        kept = std::make_unique<ToldTypes>(table, asking(tell_members), asking(tell_definition));
    return static_cast<ToldTypes&>(*kept);
}

const Type* ForeignTypes::find(TypeTable& table, TypeNamespace space, std::string_view name)
{
    PackedWriter asked = request();
    asked.number(static_cast<uint64_t>(space));
    asked.text(name);
    const std::string answer = ask(tell_named, asked);
    PackedReader in(answer);
    const Type* const found = in.number() != 0 ? told(table).read(in) : nullptr;
    return found && in.good() && found->kind != TypeKind::Void ? found : nullptr;
}

std::string ForeignTypes::problem()
{
    if (TypeTable table; !is_asked_)
        static_cast<void>(find(table, TypeNamespace::Ordinary, {}));
    return problem_;
}

Value ForeignTypes::value(PackedReader& in)
{
    std::string name = printable_name(in.text());
    const auto word = static_cast<uint8_t>(std::min<uint64_t>(in.number(), UINT8_MAX));
    std::string refusal = printable_name(in.text());
    const bool is_there = refusal.empty();
    return {
        std::move(name), word, std::move(refusal),
        [self = shared_from_this(), word, is_there, told = std::string(in.text())](TypeTable& program) -> const Type* {
            PackedReader type(told);
            const Type* const found = self->told(program).read(type);
            const bool is_type = type.good() && found->kind != TypeKind::Void;
            return is_type && (!is_there || is_in_words(found, word)) ? found : nullptr;
        }};
}

Prototype ForeignTypes::prototype(uint64_t place, const std::string& function, Calls calls)
{
    PackedWriter asked = request();
    asked.number(place);
    asked.number(static_cast<uint64_t>(calls));
    asked.text(function);
    const std::string answer = ask(tell_prototype, asked);
    PackedReader in(answer);
    Prototype prototype;
    prototype.untyped = printable_name(in.text());
    prototype.note = printable_name(in.text());
    const std::size_t count = in.count(4, kMostParametersTold);
    for (std::size_t i = 0; i < count && in.good(); ++i)
        prototype.parameters.push_back(value(in));
    if (in.number() != 0)
        prototype.result = value(in);
    if (in.good())
        return prototype;
    Prototype nothing;
    nothing.untyped =
        (problem_.empty() ? "the process that reads its file returned damaged data" : problem_) + kUntyped;
    return nothing;
}

} // namespace dt
