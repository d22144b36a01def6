// What a page may send: requests as text, and pictures as binary messages.
#include <cstdint>
#include <string_view>

#include "view/http.h"
#include "view/message.h"
#include "view/request.h"
#include "view/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto request = sinew::view::parse_request(bytes, 2); request && request->pane > 1)
    __builtin_trap();
  if (const auto message = sinew::view::parse_message(bytes))
    for (const auto& array : message->arrays)
      if (array.bytes.data() < bytes.data() || array.bytes.data() + array.bytes.size() > bytes.data() + size)
        __builtin_trap();
  const sinew::view::Gate gate{8080, "0123"};
  if (gate.answer({"GET", std::string(bytes), {"localhost:8080"}, {}, {}, true}, "page").status == 101 &&
      bytes.find("token=0123") == std::string_view::npos)
    __builtin_trap();
  sinew::view::Settings settings;
  for (const auto& spec : sinew::view::setting_specs())
    if (settings.set(spec.name, bytes)) (void)settings.query();
  return 0;
}
