// Reads types of untrusted files in a sandboxed reader. The reader stores the data of a file between requests, with one
// table of types. Its answers identify types by their positions in the file (type_spelling.hpp), so that a new reader
// can answer later requests about these types.
#include "libdtrace/types/sandboxed_types.hpp"

#include <algorithm>
#include <utility>

#include "dcompiler/interface/plan.hpp"
#include "libdtrace/elf/dwarf_file.hpp"
#include "libdtrace/types/type_transfer.hpp"

namespace dt {
namespace {

using Calls = probes::ProcessView::Calls;
using Prototype = probes::ProcessView::Prototype;
using Value = probes::ProcessView::Value;
using Variables = probes::ProcessView::Variables;

constexpr std::size_t kMaxTypesKept = 64; ///< maximum number of files whose data a reader stores
constexpr std::size_t kMaxSerializedParameters = 64, kMaxSerializedVariables = 1024;

// ---- functions that run in the sandboxed reader --------------------------------------------------------------------

struct LoadedTypes {
    LoadedTypes(std::string path, std::string named)
        : file(std::make_shared<FileTypes>(std::move(path), std::move(named)))
    {
    }

    TypeSerializer serializer()
    {
        return TypeSerializer([this](const Type* type) { return file->place_of(table, type); });
    }

    std::shared_ptr<FileTypes> file;
    TypeTable table;
};

/// Returns the data of the requested file. Every request begins with the file's identity, path and usual name.
LoadedTypes& kept_types(ReaderState& state, PackedReader& asked)
{
    const std::string key = "types " + std::string(asked.text()), path(asked.text()), named(asked.text());
    if (!state.contains(key) && state.size() >= kMaxTypesKept)
        state.clear();
    std::shared_ptr<void>& kept = state[key];
    if (!kept)
        kept = std::make_shared<LoadedTypes>(path, named);
    return *static_cast<LoadedTypes*>(kept.get());
}

TypePosition place_asked(PackedReader& asked)
{
    const uint64_t part = asked.number();
    return {part, asked.number()};
}

/// Answers a lookup by name. Every answer begins with the reason why the file's types cannot be read; it is empty if
/// they can be read.
std::string serialize_named(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    LoadedTypes& kept = kept_types(state, asked);
    const auto space = static_cast<TypeNamespace>(asked.number());
    const Type* const found = kept.file->find(kept.table, space, asked.text());
    PackedWriter answer;
    answer.text(kept.file->problem());
    answer.number(found != nullptr);
    if (found)
        kept.serializer().serialize(found, answer);
    return answer.take();
}

std::string serialize_members(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    LoadedTypes& kept = kept_types(state, asked);
    PackedWriter answer;
    answer.text(kept.file->problem());
    kept.serializer().serialize_members_of(kept.file->at(kept.table, place_asked(asked)), answer);
    return answer.take();
}

std::string serialize_definition(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    LoadedTypes& kept = kept_types(state, asked);
    const Type* const declared = kept.file->at(kept.table, place_asked(asked));
    const Type* const found = declared->definition ? declared->definition() : nullptr;
    PackedWriter answer;
    answer.text(kept.file->problem());
    kept.serializer().serialize(found ? found : kept.table.void_type(), answer);
    return answer.take();
}

void serialize_value(LoadedTypes& kept, const FileTypes::Typed& value, PackedWriter& answer)
{
    PackedWriter type;
    kept.serializer().serialize(value.type ? value.type : kept.table.void_type(), type);
    answer.text(value.name);
    answer.number(value.word);
    answer.text(value.refusal);
    answer.number(static_cast<uint64_t>(value.form));
    answer.text(type.bytes());
}

std::string serialize_prototype(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    LoadedTypes& kept = kept_types(state, asked);
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
        serialize_value(kept, each, answer);
    answer.number(found.result.has_value());
    if (found.result)
        serialize_value(kept, *found.result, answer);
    return answer.take();
}

std::string serialize_variables(ReaderState& state, std::string_view request)
{
    PackedReader asked(request);
    LoadedTypes& kept = kept_types(state, asked);
    const uint64_t place = asked.number();
    const std::string name(asked.text());
    std::string problem;
    const auto found = kept.file->variables(kept.table, place, name, problem);
    PackedWriter answer;
    answer.text(kept.file->problem());
    answer.text(problem);
    answer.number(found.size());
    for (const DwarfTypes::Variable& each : found) {
        PackedWriter type;
        kept.serializer().serialize(each.type ? each.type : kept.table.void_type(), type);
        answer.text(each.name);
        answer.text(each.refusal);
        answer.number(each.is_parameter);
        serialize_location(each.location, answer);
        answer.text(type.bytes());
    }
    return answer.take();
}

// ---- functions that run in the tracer ------------------------------------------------------------------------------

/// Returns whether the D compiler can load a value of this type from the probe arguments beginning with number `first`.
/// `word` is the size of an argument in bytes.
bool is_in_words(const Type* type, uint8_t first, uint64_t word, StructureForm form)
{
    const Type* const plain = type->resolve();
    const bool is_whole = plain->kind == TypeKind::Float || plain->is_record();
    const uint64_t words = !is_whole || form == StructureForm::Address ? 1
                           : form == StructureForm::Numbers            ? numbers_of(type, kMaxArguments).size()
                                                                       : (plain->size + word - 1) / word;
    return (is_whole || (type->is_scalar() && plain->size <= 8)) && first + words <= kMaxArguments;
}

} // namespace

SandboxedTypes::SandboxedTypes(std::shared_ptr<UntrustedFiles> untrusted, const std::string& path)
    : untrusted_(std::move(untrusted)), file_(path), identity_(identity_text(file_)), named_(name_of_untrusted(path))
{
}

PackedWriter SandboxedTypes::request() const
{
    PackedWriter request;
    request.text(identity_);
    request.text(file_.path());
    request.text(named_);
    return request;
}

/// Sends a request and returns the answer without the part with which every answer begins (the reason for unreadable
/// types). Returns an empty string on failure.
std::string SandboxedTypes::query(ReadFunction function, const PackedWriter& question)
{
    is_asked_ = true;
    Result<std::string> reply = untrusted_->read(file_.path(), function, question.bytes());
    if (!reply) {
        problem_ = reply.error().message;
        return {};
    }
    PackedReader answer(reply.value());
    problem_ = printable_name(answer.text());
    return answer.good() ? std::string(answer.rest()) : std::string();
}

ReceivedTypes& SandboxedTypes::received(TypeTable& table)
{
    std::unique_ptr<Imports>& kept = table.imports_of(*this);
    const auto asking = [this](ReadFunction function) {
        return [this, function](const TypePosition& place) {
            PackedWriter asked = request();
            asked.number(place.part);
            asked.number(place.at);
            return query(function, asked);
        };
    };
    if (!kept)
        kept = std::make_unique<ReceivedTypes>(table, asking(serialize_members), asking(serialize_definition));
    return static_cast<ReceivedTypes&>(*kept);
}

const Type* SandboxedTypes::find(TypeTable& table, TypeNamespace space, std::string_view name)
{
    PackedWriter asked = request();
    asked.number(static_cast<uint64_t>(space));
    asked.text(name);
    const std::string answer = query(serialize_named, asked);
    PackedReader in(answer);
    const Type* const found = in.number() != 0 ? received(table).read(in) : nullptr;
    return found && in.good() && found->kind != TypeKind::Void ? found : nullptr;
}

std::string SandboxedTypes::problem()
{
    if (TypeTable table; !is_asked_)
        static_cast<void>(find(table, TypeNamespace::Ordinary, {}));
    return problem_;
}

Value SandboxedTypes::value(PackedReader& in, uint64_t word_size)
{
    std::string name = printable_name(in.text());
    const auto word = static_cast<uint8_t>(std::min<uint64_t>(in.number(), UINT8_MAX));
    std::string refusal = printable_name(in.text());
    const bool is_there = refusal.empty();
    const auto form = static_cast<StructureForm>(
        std::min<uint64_t>(in.number(), uint64_t{static_cast<uint8_t>(StructureForm::Address)}));
    return {std::move(name), word, std::move(refusal),
            [self = shared_from_this(), word, word_size, is_there, form,
             serialized = std::string(in.text())](TypeTable& program) -> const Type* {
                PackedReader type(serialized);
                const Type* const found = self->received(program).read(type);
                const bool is_type = type.good() && found->kind != TypeKind::Void;
                return is_type && (!is_there || is_in_words(found, word, word_size, form)) ? found : nullptr;
            },
            form};
}

Variables SandboxedTypes::variables(uint64_t place, const std::string& name)
{
    PackedWriter asked = request();
    asked.number(place);
    asked.text(name);
    const std::string answer = query(serialize_variables, asked);
    PackedReader in(answer);
    Variables result;
    result.problem = printable_name(in.text());
    const std::size_t count = in.count(5, kMaxSerializedVariables);
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        probes::ProcessView::Variable each;
        each.name = printable_name(in.text());
        each.refusal = printable_name(in.text());
        each.is_parameter = in.number() != 0;
        each.location = read_location(in);
        each.type = [self = shared_from_this(),
                     serialized = std::string(in.text())](TypeTable& program) -> const Type* {
            PackedReader type(serialized);
            const Type* const found = self->received(program).read(type);
            return type.good() && found->kind != TypeKind::Void ? found : nullptr;
        };
        result.found.push_back(std::move(each));
    }
    if (!in.good())
        return {{}, problem_.empty() ? "the process that reads its file returned damaged data" : problem_};
    return result;
}

Prototype SandboxedTypes::prototype(uint64_t place, const std::string& function, Calls calls)
{
    PackedWriter asked = request();
    asked.number(place);
    asked.number(static_cast<uint64_t>(calls));
    asked.text(function);
    const std::string answer = query(serialize_prototype, asked);
    PackedReader in(answer);
    Prototype prototype;
    prototype.untyped = printable_name(in.text());
    prototype.note = printable_name(in.text());
    const std::size_t count = in.count(5, kMaxSerializedParameters);
    const uint64_t word_size = calls == Calls::C32 ? 4 : 8;
    for (std::size_t i = 0; i < count && in.good(); ++i)
        prototype.parameters.push_back(value(in, word_size));
    if (in.number() != 0)
        prototype.result = value(in, word_size);
    if (in.good())
        return prototype;
    Prototype nothing;
    nothing.untyped =
        (problem_.empty() ? "the process that reads its file returned damaged data" : problem_) + kUntyped;
    return nothing;
}

} // namespace dt
