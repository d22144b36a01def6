#include "view/message.h"

#include <cstring>
#include <fmt/format.h>

namespace sinew::view {
namespace {

constexpr std::string_view type_names[] = {"f4", "i4", "u1", "u2"};
constexpr int64_t type_sizes[] = {4, 4, 1, 2};
constexpr size_t max_arrays = 64, max_dimensions = 4;
constexpr size_t longest_header = size_t{1} << 20;

size_t padded(size_t bytes) { return (bytes + 7) / 8 * 8; }

Error broken(const std::string& what) { return input_error("message", what); }

// A whole number from 0 to `most`; -1: it is none.
int64_t whole(const Json& value, int64_t most) {
  if (!value.is(Json::Kind::number)) return -1;
  const double number = value.number();
  if (!(number >= 0 && number <= static_cast<double>(most))) return -1;
  const auto result = static_cast<int64_t>(number);
  return static_cast<double>(result) == number ? result : -1;
}

Result<Message::Array> parse_array(const Json& entry, std::string_view data) {
  Message::Array array;
  array.name = entry["name"].text();
  size_t type = 0;
  while (type < std::size(type_names) && entry["type"].text() != type_names[type]) ++type;
  if (type == std::size(type_names))
    return broken(fmt::format("array \"{}\": found the type {}, expected f4, i4, u1 or u2", array.name,
                              entry["type"].compact()));
  array.type = static_cast<ArrayType>(type);
  const Json& shape = entry["shape"];
  if (!shape.is(Json::Kind::list) || shape.size() > max_dimensions)
    return broken(
        fmt::format("array \"{}\": expected a shape of at most {} numbers", array.name, max_dimensions));
  const auto room = static_cast<int64_t>(data.size());
  bool empty = false;
  for (const Json& size : shape.items()) {
    array.shape.push_back(whole(size, int64_t{1} << 32));
    if (array.shape.back() < 0)
      return broken(fmt::format("array \"{}\": found {} in its shape, expected a whole number", array.name,
                                size.compact()));
    empty |= array.shape.back() == 0;
  }
  int64_t count = empty ? 0 : 1;
  for (const int64_t n : array.shape) {
    if (!empty && count > room / n)
      return broken(fmt::format("array \"{}\": a shape larger than the message", array.name));
    count *= n;
  }
  const int64_t offset = whole(entry["offset"], room), length = count * type_sizes[type];
  if (offset < 0 || offset % 8 != 0 || length > room - offset)
    return broken(fmt::format("array \"{}\": found {} bytes at {}, the message has {} for arrays", array.name,
                              length, entry["offset"].compact(), room));
  array.bytes = data.substr(static_cast<size_t>(offset), static_cast<size_t>(length));
  return array;
}

}  // namespace

void MessageWriter::add(std::string_view name, ArrayType type, std::string_view bytes,
                        std::vector<int64_t> shape) {
  arrays_.push_back({std::string(name), type, bytes, std::move(shape)});
}

std::string MessageWriter::bytes() const {
  Json header = header_, list = Json::list();
  size_t offset = 0;
  for (const Array& array : arrays_) {
    Json entry = Json::object(), shape = Json::list();
    for (const int64_t n : array.shape) shape.add(n);
    entry.set("name", array.name);
    entry.set("type", type_names[static_cast<int>(array.type)]);
    entry.set("shape", std::move(shape));
    entry.set("offset", offset);
    list.add(std::move(entry));
    offset += padded(array.bytes.size());
  }
  header.set("arrays", std::move(list));
  std::string text = header.compact();
  text.append(padded(4 + text.size()) - 4 - text.size(), ' ');
  const auto length = static_cast<uint32_t>(text.size());
  std::string out;
  out.reserve(4 + text.size() + offset);
  for (int k = 0; k < 4; ++k) out += static_cast<char>(length >> (8 * k) & 255);
  out += text;
  for (const Array& array : arrays_) {
    out += array.bytes;
    out.append(padded(array.bytes.size()) - array.bytes.size(), '\0');
  }
  return out;
}

const Message::Array* Message::find(std::string_view name) const {
  for (const Array& array : arrays)
    if (array.name == name) return &array;
  return nullptr;
}

void Message::copy(void* out, std::string_view bytes) {
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
}

Result<Message> parse_message(std::string_view bytes) {
  if (bytes.size() < 4)
    return broken(fmt::format("found {} bytes, expected the length of a header", bytes.size()));
  size_t length = 0;
  for (int k = 0; k < 4; ++k) length |= size_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  if (length > bytes.size() - 4 || length > longest_header)
    return broken(fmt::format("found a header of {} bytes in a message of {}", length, bytes.size()));
  Result<Json> header = json::parse_json(bytes.substr(4, length), "message",
                                         {.bytes = longest_header, .depth = 8, .values = 100000});
  if (!header) return header.error();
  if (!header->is(Json::Kind::object)) return broken("the header is no object");
  const Json& list = (*header)["arrays"];
  if (!list.is(Json::Kind::list) || list.size() > max_arrays)
    return broken(fmt::format("expected \"arrays\", a list of at most {} objects", max_arrays));
  Message message;
  for (const Json& entry : list.items()) {
    if (!entry.is(Json::Kind::object)) return broken("an entry of \"arrays\" is no object");
    Result<Message::Array> array = parse_array(entry, bytes.substr(4 + length));
    if (!array) return array.error();
    message.arrays.push_back(std::move(*array));
  }
  message.header = std::move(*header);
  return message;
}

}  // namespace sinew::view
