// Parses untrusted input from a traced process. All sizes are limited, and an invalid message yields no names.
#include "libdtrace/process/process_context.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <iterator>

#include <protozero/pbf_reader.hpp>

#include "libdtrace/elf/elf_symbols.hpp"

namespace dt {
namespace {

constexpr std::string_view kNamesOfAttributes = "threadlocal.attribute_key_map";
constexpr std::string_view kMappings[] = {"[anon:OTEL_CTX]", "[anon_shmem:OTEL_CTX]", "/memfd:OTEL_CTX"};
constexpr std::size_t kMostMessage = std::size_t{64} << 10, kMostNames = 256;

struct ProcessContextHead {
    char signature[8];
    uint32_t version, size;
    uint64_t published; // 0: it is being changed
    uint64_t message;   // address
};

/// Returns the texts of a list (AnyValue, ArrayValue).
std::vector<std::string> texts_of(protozero::pbf_reader value)
{
    constexpr uint32_t kText = 1, kArray = 5, kValues = 1;
    std::vector<std::string> texts;
    while (value.next(kArray)) {
        protozero::pbf_reader array = value.get_message();
        while (array.next(kValues) && texts.size() < kMostNames) {
            protozero::pbf_reader each = array.get_message();
            texts.push_back(each.next(kText) ? each.get_string() : std::string());
        }
    }
    return texts;
}

/// Returns the texts of a KeyValue message; nothing if it has another key.
std::vector<std::string> names_of_attribute(protozero::pbf_reader attribute)
{
    constexpr uint32_t kKey = 1, kValue = 2;
    bool is_it = false;
    std::vector<std::string> texts;
    while (attribute.next()) {
        if (attribute.tag() == kKey)
            is_it = attribute.get_string() == kNamesOfAttributes;
        else if (attribute.tag() == kValue)
            texts = texts_of(attribute.get_message());
        else
            attribute.skip();
    }
    return is_it ? texts : std::vector<std::string>();
}

/// Returns the names of a ProcessContext message: a resource with attributes, and more attributes.
std::vector<std::string> names_of_context(protozero::pbf_reader context)
{
    constexpr uint32_t kResource = 1, kMore = 2, kOfResource = 1;
    std::vector<std::string> names;
    const auto look = [&](const protozero::pbf_reader& attribute) {
        if (names.empty())
            names = names_of_attribute(attribute);
    };
    while (context.next()) {
        if (context.tag() == kMore) {
            look(context.get_message());
        } else if (context.tag() == kResource) {
            protozero::pbf_reader resource = context.get_message();
            while (resource.next(kOfResource))
                look(resource.get_message());
        } else {
            context.skip();
        }
    }
    return names;
}

} // namespace

std::vector<std::string> context_names_in(std::string_view message)
{
    try {
        return names_of_context(protozero::pbf_reader(message.data(), message.size()));
    } catch (const std::exception&) { // not a valid message
        return {};
    }
}

std::vector<std::string> context_names(int memory, const std::vector<Mapping>& mapped)
{
    for (const Mapping& mapping : mapped) {
        if (std::find(std::begin(kMappings), std::end(kMappings), mapping.path) == std::end(kMappings))
            continue;
        ProcessContextHead head{};
        if (::pread(memory, &head, sizeof head, static_cast<off_t>(mapping.start)) != sizeof head ||
            std::memcmp(head.signature, "OTEL_CTX", sizeof head.signature) != 0 || head.version != 2 ||
            head.published == 0 || head.size > kMostMessage)
            continue;
        std::string message(head.size, '\0');
        if (::pread(memory, message.data(), message.size(), static_cast<off_t>(head.message)) ==
            static_cast<ssize_t>(message.size()))
            return context_names_in(message);
    }
    return {};
}

} // namespace dt
