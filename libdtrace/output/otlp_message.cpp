// Encodes messages of common.proto, resource.proto and of the collector services; the constants are their field
// numbers.
#include "libdtrace/output/otlp_message.hpp"

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "base/utf8.hpp"

namespace dt::output {
namespace {

using OtlpWriter = protozero::pbf_writer;

namespace request_field {
constexpr uint32_t kOfResource = 1, kResource = 1, kOfScope = 2, kAttributes = 1, kScope = 1, kScopeName = 1;
}
namespace attribute_field {
constexpr uint32_t kKey = 1, kValue = 2, kString = 1, kInteger = 3;
}
namespace answer_field {
constexpr uint32_t kPartialSuccess = 1, kRejected = 1, kMessage = 2;
}

std::string as_utf8(std::string_view text)
{
    std::string valid;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        valid.append(length == 0 ? "\xef\xbf\xbd" : text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return valid;
}

} // namespace

void add_otlp_text(OtlpWriter& to, uint32_t field, std::string_view text)
{
    OtlpWriter value(to, field);
    value.add_string(attribute_field::kString, as_utf8(text));
}

void add_otlp_attribute(OtlpWriter& to, uint32_t field, std::string_view name, std::string_view text)
{
    OtlpWriter attribute(to, field);
    attribute.add_string(attribute_field::kKey, name.data(), name.size());
    add_otlp_text(attribute, attribute_field::kValue, text);
}

void add_otlp_attribute(OtlpWriter& to, uint32_t field, std::string_view name, int64_t number)
{
    OtlpWriter attribute(to, field);
    attribute.add_string(attribute_field::kKey, name.data(), name.size());
    OtlpWriter value(attribute, attribute_field::kValue);
    value.add_int64(attribute_field::kInteger, number);
}

std::string otlp_request(const OtlpResource& resource, std::string_view items)
{
    std::string bytes;
    OtlpWriter request(bytes);
    OtlpWriter of_resource(request, request_field::kOfResource);
    {
        OtlpWriter described(of_resource, request_field::kResource);
        for (const auto& [name, value] : resource)
            add_otlp_attribute(described, request_field::kAttributes, name, value);
    }
    {
        std::string scope;
        OtlpWriter(scope).add_string(request_field::kScopeName, "dtrace");
        std::string of_scope;
        OtlpWriter(of_scope).add_message(request_field::kScope, scope);
        of_scope.append(items);
        of_resource.add_message(request_field::kOfScope, of_scope);
    }
    of_resource.commit();
    return bytes;
}

std::pair<int64_t, std::string> otlp_rejected(std::string_view answer)
{
    std::pair<int64_t, std::string> rejected{0, {}};
    try {
        protozero::pbf_reader message(answer.data(), answer.size());
        while (message.next(answer_field::kPartialSuccess)) {
            protozero::pbf_reader part = message.get_message();
            while (part.next())
                if (part.tag() == answer_field::kRejected)
                    rejected.first = part.get_int64();
                else if (part.tag() == answer_field::kMessage)
                    rejected.second = part.get_string();
                else
                    part.skip();
        }
    } catch (const protozero::exception&) { // not such a message: nothing was rejected
    }
    return rejected;
}

} // namespace dt::output
