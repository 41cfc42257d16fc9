// Serialized form of a compiled program: the object with its schema and attach plans, and the other data that tracing
// needs. Such a program runs without compilation on a kernel like the one it was compiled for
// (docs/decisions/62-bundles.md).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/packed_bytes.hpp"
#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/macros.hpp"

namespace dt {

struct PackedProgram {
    /// Compiled object. Its data contain no types, so a program that needs types to print its output cannot be packed.
    Object object;
    Program program; ///< statements of the program, without predicate and body
    std::deque<Source> sources;
    std::deque<Probe> probes; ///< probes of the program and of its attach plans
};

/// A source text of the program, with its kind and its macros.
struct TypedProgram {
    Source source;
    SpecKind kind = SpecKind::Script;
    Macros macros;
};

/// Probes of a packed program, which are found by the ids in it. This class cannot search for other probes, and cannot
/// make attach plans.
class PackedProbes final : public ProbeSource {
public:
    /// Adds probes, to which this object then refers; they must outlive it.
    void know(const std::deque<Probe>& probes)
    {
        by_id_.clear();
        for (const Probe& each : probes)
            by_id_.emplace(each.id, &each);
    }

    Result<void> find(const ProbePattern&, std::vector<const Probe*>&) override { return {}; }
    const Probe* probe(uint32_t id) override
    {
        const auto found = by_id_.find(id);
        return found == by_id_.end() ? nullptr : found->second;
    }
    bool has_provider(std::string_view) override { return false; }
    const ProbeSignature& signature(const Probe&) override { return none_; }
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>&, const ProbeNeeds&) override
    {
        return {};
    }

private:
    std::map<uint32_t, const Probe*> by_id_;
    const ProbeSignature none_{};
};

std::string pack(const Object& object, const Program& program);

/// Unpacks a program. An error does not contain the name of the input; the caller must add it. The result has a
/// consistent structure, but its code can be trusted only as much as the author of the input.
Result<std::unique_ptr<PackedProgram>> unpack(std::string_view bytes);

} // namespace dt

// Serialization of structures.
//
// One function per structure lists its members in order. Both the writer and the reader use it, so that they always
// agree. Input may be untrusted and invalid. A reader never reads beyond the end of the input and never allocates more
// than its size. At the end it reports whether the whole input was valid.

namespace dt::archive {

template <typename T> inline constexpr bool kIsVector = false;
template <typename T> inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T> inline constexpr bool kIsSet = false;
template <typename T> inline constexpr bool kIsSet<std::set<T>> = true;
template <typename T> inline constexpr bool kIsOptional = false;
template <typename T> inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T> inline constexpr bool kIsArray = false;
template <typename T, std::size_t N> inline constexpr bool kIsArray<std::array<T, N>> = true;

class Writer : public PackedWriter {
public:
    static constexpr bool kReads = false;

    bool good() const { return true; }
};

class Reader : public PackedReader {
public:
    static constexpr bool kReads = true;

    using PackedReader::PackedReader;
};

/// Reads or writes a value of an enumeration; `last` is its largest enumerator.
template <typename Archive, typename T> void choice(Archive& archive, T& value, T last)
{
    if constexpr (Archive::kReads) {
        const uint64_t number = archive.number();
        if (number > static_cast<uint64_t>(last))
            return archive.fail();
        value = static_cast<T>(number);
    } else {
        archive.number(static_cast<uint64_t>(value));
    }
}

template <typename Archive, typename T> void one(Archive& archive, T& value);

template <typename Archive, typename... T> void all(Archive& archive, T&... values)
{
    (one(archive, values), ...);
}

template <typename Archive, typename T> void integer(Archive& archive, T& value)
{
    if constexpr (!Archive::kReads) {
        const auto wide = static_cast<int64_t>(value);
        archive.number(std::is_signed_v<T> ? (static_cast<uint64_t>(wide) << 1) ^ static_cast<uint64_t>(wide >> 63)
                                           : static_cast<uint64_t>(value));
    } else {
        const uint64_t read = archive.number();
        const auto wide = std::is_signed_v<T> ? (read >> 1) ^ (0 - (read & 1)) : read;
        value = static_cast<T>(wide);
        if (static_cast<uint64_t>(value) != wide)
            archive.fail();
    }
}

template <typename Archive, typename T> void list(Archive& archive, T& values)
{
    if constexpr (!Archive::kReads) {
        archive.number(values.size());
        for (auto& each : values)
            // const_cast is safe, because an archive does not change what it writes.
            one(archive, const_cast<typename T::value_type&>(each));
    } else {
        values.clear();
        for (std::size_t left = archive.count(); left > 0 && archive.good(); --left) {
            typename T::value_type each{};
            one(archive, each);
            values.insert(values.end(), std::move(each));
        }
    }
}

/// Reads or writes a value. For a structure, calls the function fields(archive, value), which does so for each member.
template <typename Archive, typename T> void one(Archive& archive, T& value)
{
    static_assert(!std::is_enum_v<T> && !std::is_pointer_v<T>, "a choice, or a member of a table");
    if constexpr (std::is_integral_v<T>) {
        integer(archive, value);
    } else if constexpr (std::is_same_v<T, std::string>) {
        if constexpr (Archive::kReads)
            value = archive.text();
        else
            archive.text(value);
    } else if constexpr (kIsVector<T> || kIsSet<T>) {
        list(archive, value);
    } else if constexpr (kIsArray<T>) {
        for (auto& each : value)
            one(archive, each);
    } else if constexpr (kIsOptional<T>) {
        bool is_there = value.has_value();
        integer(archive, is_there);
        if (Archive::kReads && is_there)
            value = typename T::value_type{};
        if (is_there)
            one(archive, *value);
    } else {
        fields(archive, value);
    }
}

} // namespace dt::archive
