// Collects diagnostics. If two diagnostics have the same location, the later one is discarded. After the limit, further
// diagnostics are only counted.
#include "dcompiler/interface/diagnostics.hpp"

#include <utility>

namespace dt {

void Diagnostics::error(std::string_view tag, const Span& at, std::string message, std::string hint,
                        const Span& definition)
{
    for (const Diagnostic& known : list_)
        if (known.at.source == at.source && known.at.offset == at.offset && known.at.line == at.line &&
            known.tag == tag)
            return;
    ++count_;
    if (list_.size() < kMax)
        list_.push_back({std::string(tag), at, where_, std::move(message), std::move(hint), definition});
}

void Diagnostics::warning(const Span& at, std::string message, std::string hint)
{
    for (const Diagnostic& known : warnings_)
        if (known.at.source == at.source && known.at.offset == at.offset && known.message == message)
            return;
    if (warnings_.size() < kMax)
        warnings_.push_back({{}, at, where_, std::move(message), std::move(hint), {}});
}

void Diagnostics::rewind(std::size_t count)
{
    count_ = count;
    if (list_.size() > count)
        list_.resize(count);
}

} // namespace dt
