#pragma once
// The page of the viewer, built from web/viewer and kept inside the program: one HTML file, packed by gzip.
#include <string>
#include <string_view>

#include "base/result.h"

namespace sinew::view {

// Empty where the program was built without it.
std::string_view embedded_page();
// Says what to install where the page is missing.
Result<std::string_view> require_page();

bool is_gzip(std::string_view bytes);
// Unpacked; what is not packed stays as it is.
std::string page_html(std::string_view page);

}  // namespace sinew::view
