// D text that defines names every program has but few use; compiled when such a name is used.
#pragma once

#include <string_view>

namespace dt::sema {

/// The text that defines `name`, or empty.
std::string_view prelude_text(std::string_view name);

} // namespace dt::sema
