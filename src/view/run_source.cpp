#include "view/run_source.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "model/bounds.h"
#include "run/run_folder.h"
#include "run/run_reader.h"
#include "run/statistics.h"
#include "view/extent.h"
#include "view/model_moment.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
using exporting::FrameStamp;
using run::RunReader;

constexpr size_t boxed_frames = 9;  // whose positions make the box: first, last and some between

class RunSource final : public Source {
 public:
  explicit RunSource(std::shared_ptr<RunReader> reader)
      : reader_(std::move(reader)),
        model_(std::make_shared<ModelStage>(reader_->built().model, reader_, reader_->built().skins)),
        stage_(model_) {}

  Json describe() override {
    Json pane = Json::object(), stats = Json::list(), warnings = Json::list();
    for (const Json& line : reader_->lines()) stats.add(line);
    for (const std::string& text : reader_->warnings()) warnings.add(text);
    for (const Json& json : reader_->summary()["reasons"].items())
      warnings.add(run::FrameReason{run::frame_of(json), run::reason_of(json)}.text());
    for (const Json& text : reader_->summary()["warnings"].items()) warnings.add(text);
    pane.set("name", name());
    pane.set("bodies", describe_bodies(*stage_));
    pane.set("colliders", describe_colliders(stage_->model));
    pane.set("fields", describe_fields(*stage_));
    pane.set("frames", describe_frames(frames()));
    pane.set("box", describe_box(box()));
    pane.set("stats", std::move(stats));
    pane.set("warnings", std::move(warnings));
    return pane;
  }

  std::span<const FrameStamp> frames() const override { return reader_->frames(); }
  const std::shared_ptr<const Stage>& stage() const override { return stage_; }
  mesh::Bounds box() override {
    if (box_) return *box_;
    const size_t count = frames().size(), looked_at = std::min(count, boxed_frames);
    for (size_t k = 0; k < looked_at; ++k) {
      const auto moment = load(frames()[looked_at == 1 ? 0 : k * (count - 1) / (looked_at - 1)].index);
      if (moment) box_ = box_ ? unite(*box_, extent(**moment)) : extent(**moment);  // else told when shown
    }
    return box_.value_or(model::bounds(stage_->model, stage_->model.X));
  }

  Json grow() override {
    const auto stamps = time_stamps();
    if (stamps == seen_) return {};
    const size_t frames_before = frames().size(), lines_before = reader_->lines().size();
    // A file that is being replaced is whole a moment later.
    if (!reader_->refresh()) return {};
    seen_ = stamps;
    if (frames().size() < frames_before) {  // the run was begun anew
      forget();
      box_.reset();
    } else if (box_ && !frames().empty()) {
      if (const auto newest = load(frames().back().index)) view::grow(*box_, extent(**newest));
    }
    if (frames().size() <= frames_before && reader_->lines().size() <= lines_before) return {};
    Json grown = Json::object(), stats = Json::list();
    for (size_t i = lines_before; i < reader_->lines().size(); ++i) stats.add(reader_->lines()[i]);
    grown.set("say", "grow");
    grown.set("frames", describe_frames(frames().subspan(std::min(frames_before, frames().size()))));
    grown.set("stats", std::move(stats));
    return grown;
  }

 protected:
  Result<std::shared_ptr<Moment>> load(int64_t index) override {
    const std::span<const FrameStamp> all = frames();
    const auto stamp =
        std::find_if(all.begin(), all.end(), [&](const FrameStamp& s) { return s.index == index; });
    if (stamp == all.end())
      return usage_error(all.empty()
                             ? fmt::format("{}: there is no frame yet", reader_->folder().string())
                             : fmt::format("{}: there is no frame {}; the run has {} frames from {} to {}",
                                           reader_->folder().string(), index, all.size(), all.front().index,
                                           all.back().index));
    Result<model::State> state = reader_->state(static_cast<size_t>(stamp - all.begin()));
    if (!state) return state.error();
    auto moment = std::make_shared<ModelMoment>(index, model_, std::move(*state));
    for (const Json& line : reader_->lines())
      if (line["frame"].number() == static_cast<double>(index)) moment->set_line(line);
    return std::shared_ptr<Moment>(std::move(moment));
  }

 private:
  // The time stamps of the files that change when there are more frames.
  std::array<fs::file_time_type, 2> time_stamps() const {
    std::error_code ignored;
    return {fs::last_write_time(reader_->folder() / "frames", ignored),
            fs::last_write_time(reader_->folder() / "stats.jsonl", ignored)};
  }

  std::string name() const {
    const fs::path folder = reader_->folder().lexically_normal();
    const fs::path last = folder.filename().empty() ? folder.parent_path().filename() : folder.filename();
    return last.empty() ? folder.string() : last.string();
  }

  mesh::Bounds extent(Moment& moment) const {
    return extent_of(stage_->model, moment.positions(), moment.input_vector());
  }

  std::shared_ptr<RunReader> reader_;
  std::shared_ptr<const ModelStage> model_;
  std::shared_ptr<const Stage> stage_;
  std::optional<mesh::Bounds> box_;
  std::array<fs::file_time_type, 2> seen_ = time_stamps();
};

}  // namespace

Result<std::unique_ptr<Source>> open_run(const fs::path& folder) {
  Result<RunReader> reader = RunReader::open(folder);
  if (!reader) return reader.error();
  auto kept = std::make_shared<RunReader>(std::move(*reader));
  return std::unique_ptr<Source>(new RunSource(std::move(kept)));
}

}  // namespace sinew::view
