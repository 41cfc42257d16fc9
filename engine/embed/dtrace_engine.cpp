// Implements the C interface (dtrace_engine.h) with class Engine. Adds the locks, the ownership of memory and the error
// codes that the interface promises.
#include "engine/embed/dtrace_engine.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

#include "base/text.hpp"
#include "engine/embed/engine.hpp"
#include "engine/embed/listener.hpp"

struct dt_engine {
    std::unique_ptr<dt::embed::EngineHost> host;
};

namespace dt::embed {
namespace {

thread_local std::string last_error;

int failed(const std::string& why)
{
    last_error = why;
    return -1;
}

/// Calls `what` and turns exceptions, such as lack of memory, into an error, so that no exception leaves the library.
template <typename Do, typename Value> Value guarded(Do what, Value otherwise)
{
    try {
        return what();
    } catch (const std::exception& error) {
        last_error = error.what();
        return otherwise;
    }
}

/// Returns whether the description matches the probe. Empty parts of the description match anything.
bool means(std::string_view text, std::string_view name)
{
    for (int part = 0; part < 4; ++part) { // from right to left, because leading components may be missing
        const auto last = [](std::string_view& rest) {
            const std::size_t colon = rest.rfind(':');
            const std::string_view piece = rest.substr(colon == std::string_view::npos ? 0 : colon + 1);
            rest = colon == std::string_view::npos ? std::string_view() : rest.substr(0, colon);
            return piece;
        };
        const std::string_view pattern = last(text);
        if (!glob_match(pattern, last(name)))
            return false;
    }
    return text.empty();
}

/// Converts the word that min() or max() stores in an encoded form (abi.h) to the value of the aggregation.
int64_t word_as_given(const Aggregation& aggregation, int64_t word)
{
    if (aggregation.function == "min")
        return static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) - static_cast<uint64_t>(word));
    if (aggregation.function == "max")
        return static_cast<int64_t>(static_cast<uint64_t>(word) + static_cast<uint64_t>(INT64_MIN));
    return word;
}

struct Element {
    vm::Bytes key;
    std::vector<int64_t> words;
};

std::vector<int64_t> words_at(const Aggregation& aggregation, std::span<const uint8_t> value, std::size_t offset)
{
    std::vector<int64_t> words(aggregation.words);
    if (offset + words.size() * sizeof(int64_t) > value.size())
        return {};
    std::memcpy(words.data(), value.data() + offset, words.size() * sizeof(int64_t));
    for (int64_t& word : words)
        word = word_as_given(aggregation, word);
    return words;
}

/// Returns the elements of all maps of an aggregation (it may use several). All keys are padded to the longest key
/// size.
std::vector<Element> elements_of(EngineHost& host, const Aggregation& aggregation)
{
    std::vector<Element> elements;
    if (aggregation.key_size == 0) {
        const uint32_t only = 0;
        const vm::Map* const map = host.map(aggregation.map);
        const auto value =
            map ? map->value({reinterpret_cast<const uint8_t*>(&only), sizeof only}) : std::span<uint8_t>();
        uint64_t touched = 0;
        if (value.size() >= aggregation.offset + sizeof touched)
            std::memcpy(&touched, value.data() + aggregation.offset, sizeof touched);
        if (touched != 0)
            elements.push_back({{}, words_at(aggregation, value, aggregation.offset + sizeof touched)});
        return elements;
    }
    for (const std::string& name : {aggregation.map, aggregation.brief}) {
        const vm::Map* const map = name.empty() ? nullptr : host.map(name);
        const std::size_t key_in_value = aggregation.digested && name == aggregation.map ? aggregation.key_size : 0;
        for (const vm::Bytes& map_key : map ? map->keys() : std::vector<vm::Bytes>()) {
            const std::span<const uint8_t> value = map->value(map_key);
            const auto in_value = value.first(std::min(key_in_value, value.size()));
            const vm::Bytes key = key_in_value != 0 ? vm::Bytes(in_value.begin(), in_value.end()) : map_key;
            uint32_t id = 0;
            std::memcpy(&id, key.data(), std::min(sizeof id, key.size()));
            if (aggregation.shared && id != aggregation.id)
                continue;
            Element element{key, words_at(aggregation, value, key_in_value)};
            element.key.resize(aggregation.key_size);
            elements.push_back(std::move(element));
        }
    }
    std::sort(elements.begin(), elements.end(),
              [](const Element& a, const Element& b) { return vm::ByBytes()(a.key, b.key); });
    return elements;
}

dt_engine* load(std::span<const uint8_t> object)
{
    auto host = EngineHost::load(object);
    if (!host) {
        last_error = host.error().message;
        return nullptr;
    }
    return new dt_engine{std::move(*host)};
}

dt_engine* tell(dt_engine* engine, char* message, size_t room)
{
    if (!engine && message && room > 0)
        message[last_error.copy(message, room - 1)] = '\0';
    return engine;
}

std::vector<uint8_t> bytes_of(const char* file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace
} // namespace dt::embed

using namespace dt::embed;

dt_engine* dt_engine_load(const void* object, size_t size, char* message, size_t room)
{
    return tell(guarded(
                    [&] {
                        return load({static_cast<const uint8_t*>(object), size});
                    },
                    static_cast<dt_engine*>(nullptr)),
                message, room);
}

dt_engine* dt_engine_open(const char* file, char* message, size_t room)
{
    const auto open = [&]() -> dt_engine* {
        errno = 0;
        const auto bytes = bytes_of(file);
        if (bytes.empty()) {
            last_error =
                std::string("cannot read ") + file + ": " + (errno != 0 ? std::strerror(errno) : "it is empty");
            return nullptr;
        }
        return load(bytes);
    };
    return tell(guarded(open, static_cast<dt_engine*>(nullptr)), message, room);
}

void dt_engine_close(dt_engine* engine)
{
    delete engine;
}

const char* dt_engine_error(void)
{
    return last_error.c_str();
}

int dt_engine_probes(const dt_engine* engine)
{
    return static_cast<int>(engine->host->description().probes.size());
}

const char* dt_engine_probe_name(const dt_engine* engine, int probe)
{
    const auto& probes = engine->host->description().probes;
    return probe >= 0 && static_cast<std::size_t>(probe) < probes.size()
               ? probes[static_cast<std::size_t>(probe)].name.c_str()
               : nullptr;
}

int dt_engine_probe(const dt_engine* engine, const char* description)
{
    const auto& probes = engine->host->description().probes;
    for (std::size_t i = 0; i < probes.size(); ++i)
        if (means(description, probes[i].name))
            return static_cast<int>(i);
    return failed(std::string("the object has no probe ") + description);
}

int dt_engine_fire(dt_engine* engine, int probe, const uint64_t* words, unsigned count)
{
    const auto fire = [&] {
        const auto& probes = engine->host->description().probes;
        if (probe < 0 || static_cast<std::size_t>(probe) >= probes.size())
            return failed("no such probe");
        const std::lock_guard lock(engine->host->mutex);
        const auto fired = engine->host->fire(probes[static_cast<std::size_t>(probe)], {words, count});
        return fired ? 0 : failed(fired.error().message);
    };
    return guarded(fire, -1);
}

long dt_engine_drain(dt_engine* engine, void (*each)(const dt_record*, void*), void* context)
{
    const auto drain = [&] {
        Samples samples;
        {
            const std::lock_guard lock(engine->host->mutex);
            samples = engine->host->drain_samples();
        }
        long count = 0;
        for (const dt::vm::Sample& sample : samples)
            count += for_each_record(sample, engine->host->description(), each, context);
        return count;
    };
    return guarded(drain, -1L);
}

uint64_t dt_engine_lost(dt_engine* engine)
{
    const std::lock_guard lock(engine->host->mutex);
    return engine->host->lost();
}

long dt_engine_aggregation(dt_engine* engine, const char* name, dt_aggregation_value* each, void* context)
{
    const auto read = [&]() -> long {
        const Description& description = engine->host->description();
        const auto found = std::find_if(description.aggregations.begin(), description.aggregations.end(),
                                        [name](const Aggregation& aggregation) { return aggregation.name == name; });
        if (found == description.aggregations.end())
            return failed(std::string("the object has no aggregation ") + name);
        std::vector<Element> elements;
        {
            const std::lock_guard lock(engine->host->mutex);
            elements = elements_of(*engine->host, *found);
        }
        for (const Element& element : elements) {
            Values keys;
            keys.read(found->keys, element.key, description.names);
            each(keys.list().data(), static_cast<unsigned>(keys.list().size()), element.words.data(),
                 static_cast<unsigned>(element.words.size()), context);
        }
        return static_cast<long>(elements.size());
    };
    return guarded(read, -1L);
}

void* dt_engine_variable(dt_engine* engine, const char* name, size_t* size)
{
    const auto find = [&]() -> void* {
        const Variable* const variable = engine->host->description().variable(name);
        const std::lock_guard lock(engine->host->mutex);
        const auto bytes = variable ? engine->host->variable(*variable) : std::span<uint8_t>();
        if (bytes.empty()) {
            failed(std::string("the object has no global variable ") + name);
            return nullptr;
        }
        if (size)
            *size = bytes.size();
        return bytes.data();
    };
    return guarded(find, static_cast<void*>(nullptr));
}

long dt_engine_map(dt_engine* engine, const char* name, dt_element* each, void* context)
{
    const auto read = [&]() -> long {
        const Variable* const array = engine->host->description().variable(name);
        std::vector<std::pair<dt::vm::Bytes, dt::vm::Bytes>> elements;
        {
            const std::lock_guard lock(engine->host->mutex);
            const dt::vm::Map* const map = engine->host->map(array && !array->map.empty() ? array->map : name);
            if (!map)
                return failed(std::string("the object has no map ") + name);
            for (const dt::vm::Bytes& key : map->keys())
                elements.emplace_back(key, dt::vm::Bytes(map->value(key).begin(), map->value(key).end()));
        }
        for (const auto& [key, value] : elements)
            each(key.data(), key.size(), value.data(), value.size(), context);
        return static_cast<long>(elements.size());
    };
    return guarded(read, -1L);
}

int dt_engine_share(dt_engine* engine, int tracer)
{
    const auto share = [&] {
        const std::lock_guard lock(engine->host->mutex);
        const auto shared = engine->host->share(tracer);
        return shared ? 0 : failed(shared.error().message);
    };
    return guarded(share, -1);
}

dt_listener* dt_engine_listen(const char* provider, dt_site* const* sites, unsigned count, const dt_limits* limits)
{
    const auto listen = [&]() -> dt_listener* {
        LiveLimits allowed;
        if (limits && limits->memory != 0)
            allowed.memory = limits->memory;
        if (limits && limits->instructions != 0)
            allowed.instructions = limits->instructions;
        auto listener = Listener::open(provider, {sites, count}, allowed);
        if (!listener) {
            failed(listener.error().message);
            return nullptr;
        }
        return reinterpret_cast<dt_listener*>(listener->release());
    };
    return guarded(listen, static_cast<dt_listener*>(nullptr));
}

void dt_engine_unlisten(dt_listener* listener)
{
    delete reinterpret_cast<Listener*>(listener);
}

void dt_engine_hit(const dt_site* site, const uint64_t* words, unsigned count)
{
    const auto hit = [&] {
        if (site->listener)
            reinterpret_cast<Listener*>(site->listener)->hit(site->number, {words, count});
        return 0;
    };
    guarded(hit, 0);
}
