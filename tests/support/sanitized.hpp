// SPDX-License-Identifier: MIT
// Whether sanitizers watch: tests of many cases take a minute beside them, and less does there.
#pragma once

namespace halotherm::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace halotherm::test
