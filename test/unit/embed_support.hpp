// Compiles D for fixed kernel data (the frozen World), and loads the saved object into the engine library through its C
// interface.
#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bpf-runtime/embedded.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "dcompiler/object/saved.hpp"
#include "engine/embed/dtrace_engine.h"
#include "test/unit/frozen_world.hpp"

namespace dt::test {

using TaskMembers = std::map<std::string, uint32_t, std::less<>>;

/// A world in which the offsets of some members of task_struct are known.
class WorldWithTask final : public FrozenWorld {
public:
    explicit WorldWithTask(TaskMembers members) : members_(std::move(members)) {}
    std::optional<uint32_t> task_offset(std::string_view member) override
    {
        const auto found = members_.find(member);
        return found == members_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    TaskMembers members_;
};

/// Compiles the program and returns its saved object. If that fails, the test fails, and the result is empty.
inline std::vector<uint8_t> saved(const std::string& text, const TaskMembers& members = {}, OptionSet options = {})
{
    WorldWithTask world(members);
    Source source;
    source.kind = Source::Kind::Script;
    source.name = "test.d";
    source.text = text;
    Compiler compiler(world, options);
    if (!compiler.add(source, SpecKind::Script, {})) {
        ADD_FAILURE() << compiler.diagnostics().list().front().message;
        return {};
    }
    auto object = compiler.finish(embedded_runtime());
    auto bytes =
        object ? saved_object(*object, compiler.program(), world) : Result<std::vector<uint8_t>>(object.error());
    return bytes ? *bytes : std::vector<uint8_t>();
}

class LoadedProgram {
public:
    explicit LoadedProgram(const std::string& text, const TaskMembers& members = {})
    {
        const auto bytes = saved(text, members);
        char message[256] = "";
        engine = dt_engine_load(bytes.data(), bytes.size(), message, sizeof message);
        problem = message;
    }
    ~LoadedProgram() { dt_engine_close(engine); }
    LoadedProgram(const LoadedProgram&) = delete;
    LoadedProgram& operator=(const LoadedProgram&) = delete;

    int fire(const char* probe, std::vector<uint64_t> words = {})
    {
        return dt_engine_fire(engine, dt_engine_probe(engine, probe), words.data(),
                              static_cast<unsigned>(words.size()));
    }

    /// Returns the records that were not read yet, each as "action value value".
    std::vector<std::string> drain()
    {
        std::vector<std::string> lines;
        const auto each = [](const dt_record* record, void* context) {
            std::string line = record->action;
            for (unsigned i = 0; i < record->count; ++i)
                line += " " + text_of(record->values[i]);
            static_cast<std::vector<std::string>*>(context)->push_back(line);
        };
        dt_engine_drain(engine, each, &lines);
        return lines;
    }

    static std::string text_of(const dt_value& value)
    {
        if (value.kind == DT_NUMBER)
            return std::to_string(value.number);
        if (value.kind == DT_UNSIGNED)
            return std::to_string(static_cast<uint64_t>(value.number));
        return std::string(value.bytes, value.size);
    }

    /// Returns the entries of an aggregation, each as "key key: word word".
    std::vector<std::string> aggregation(const char* name)
    {
        std::vector<std::string> lines;
        const auto each = [](const dt_value* keys, unsigned n_keys, const int64_t* words, unsigned n_words,
                             void* context) {
            std::string line;
            for (unsigned i = 0; i < n_keys; ++i)
                line += text_of(keys[i]) + " ";
            line += ":";
            for (unsigned i = 0; i < n_words; ++i)
                line += " " + std::to_string(words[i]);
            static_cast<std::vector<std::string>*>(context)->push_back(line);
        };
        return dt_engine_aggregation(engine, name, each, &lines) < 0 ? std::vector<std::string>{dt_engine_error()}
                                                                     : lines;
    }

    dt_engine* engine = nullptr;
    std::string problem;
};

} // namespace dt::test
