#include "machine/syscalls.hpp"

#include <algorithm>
#include <iterator>

namespace dt::machine {
namespace {

constexpr std::string_view kPointerTypedefs[] = {"cap_user_header_t", "cap_user_data_t"};

} // namespace

std::size_t SyscallEntry::parameter_count() const
{
    return static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), std::string_view{}) -
                                    parameters.begin());
}

bool is_user_pointer(std::string_view type)
{
    return type.ends_with('*') ||
           std::find(std::begin(kPointerTypedefs), std::end(kPointerTypedefs), type) != std::end(kPointerTypedefs);
}

} // namespace dt::machine
