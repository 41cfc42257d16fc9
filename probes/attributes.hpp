// Stability attributes of the probes of the providers (dtrace-language(7), STABILITY).
#pragma once

#include "dcompiler/interface/probes.hpp"

namespace dt::probes {

namespace attributes_detail {
using enum Stability;
using enum DependencyClass;
inline constexpr Attributes kStableCommon{Stable, Stable, Common};
inline constexpr Attributes kEvolvingCommon{Evolving, Evolving, Common};
inline constexpr Attributes kUnstableUnknown{Unstable, Unstable, Unknown};
inline constexpr Attributes kPrivateUnknown{Private, Private, Unknown};
inline constexpr Attributes kPrivateIsa{Private, Private, Isa};
inline constexpr Attributes kEvolvingIsa{Evolving, Evolving, Isa};
} // namespace attributes_detail

// Stability attributes of a provider, its modules, functions, names and arguments, in this order.
inline constexpr ProviderAttributes kDtraceAttributes{
    attributes_detail::kStableCommon, attributes_detail::kPrivateUnknown, attributes_detail::kPrivateUnknown,
    attributes_detail::kStableCommon, attributes_detail::kStableCommon};
inline constexpr ProviderAttributes kProfileAttributes{
    attributes_detail::kEvolvingCommon, attributes_detail::kUnstableUnknown, attributes_detail::kPrivateUnknown,
    attributes_detail::kEvolvingCommon, attributes_detail::kEvolvingCommon};
inline constexpr ProviderAttributes kSyscallAttributes{
    attributes_detail::kEvolvingCommon, attributes_detail::kPrivateUnknown, attributes_detail::kPrivateIsa,
    attributes_detail::kEvolvingCommon, attributes_detail::kPrivateIsa};
inline constexpr Attributes kEvolvingIsa{Stability::Evolving, Stability::Evolving, DependencyClass::Isa};
inline constexpr ProviderAttributes kStableAttributes{kEvolvingIsa, attributes_detail::kPrivateUnknown,
                                                      attributes_detail::kPrivateUnknown, kEvolvingIsa, kEvolvingIsa};
inline constexpr ProviderAttributes kFbtAttributes = kSyscallAttributes;
inline constexpr ProviderAttributes kTracepointAttributes{
    attributes_detail::kEvolvingIsa, attributes_detail::kPrivateUnknown, attributes_detail::kPrivateUnknown,
    attributes_detail::kPrivateIsa, attributes_detail::kPrivateIsa};
inline constexpr ProviderAttributes kProcessAttributes{
    attributes_detail::kEvolvingIsa, attributes_detail::kPrivateUnknown, attributes_detail::kPrivateUnknown,
    attributes_detail::kEvolvingIsa, attributes_detail::kPrivateUnknown};
inline constexpr Attributes kUnstableCommon{Stability::Unstable, Stability::Unstable, DependencyClass::Common};
inline constexpr ProviderAttributes kUsdtAttributes{kUnstableCommon, kUnstableCommon, kUnstableCommon, kUnstableCommon,
                                                    kUnstableCommon};
inline constexpr ProviderAttributes kApplicationAttributes = kUsdtAttributes;

} // namespace dt::probes
