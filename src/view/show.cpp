#include "view/show.h"

#include "base/machine.h"

namespace sinew::view {

using json::Json;

Json Show::hello() {
  Json json = Json::object(), list = Json::list(), sources = Json::list();
  for (const std::unique_ptr<Source>& pane : panes) list.add(pane->describe());
  for (const std::string& name : names) sources.add(name);
  json.set("say", "hello");
  json.set("protocol", 1);
  json.set("version", build_info().version);
  json.set("kind", kind);
  json.set("live", live != nullptr);
  json.set("playing", playing());
  json.set("title", title);
  json.set("sources", std::move(sources));
  json.set("panes", std::move(list));
  if (live) json.set("scene", live->describe());
  return json;
}

}  // namespace sinew::view
