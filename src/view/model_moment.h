#pragma once
// A moment of a simulation: a State on its Model. Fields are the node and tet quantities of measure/; contacts and what
// holds the bodies are read off the state.
#include <memory>
#include <optional>

#include "energy/term.h"
#include "measure/quantity.h"
#include "view/source.h"

namespace sinew::view {

// A Stage that keeps its model alive, and the terms that the quantities of every moment share.
struct ModelStage : Stage {
  // `owner` holds the model.
  ModelStage(const model::Model& model, std::shared_ptr<const void> owner, model::Skins skins = {});
  std::vector<const measure::Quantity*> quantities;  // of each field; then `layers`, where skins tell them
  energy::Terms terms;
  std::shared_ptr<const void> owner;
};

class ModelMoment final : public Moment {
 public:
  ModelMoment(int64_t index, std::shared_ptr<const ModelStage> stage, model::State state);

  std::span<const Vec3d> positions() const override { return state_.x(); }
  const Marks& marks() override;
  std::span<const double> input_vector() override;
  // Instead of what is read off.
  void set_marks(Marks marks);
  void set_input_vector(std::vector<double> inputs) { own_inputs_ = std::move(inputs); }
  const model::State& state() const { return state_; }

 protected:
  std::vector<double> compute(size_t field) override;

 private:
  const measure::Snapshot& snapshot();
  std::vector<double> layers() const;

  std::shared_ptr<const ModelStage> stage_;
  model::State state_;
  std::optional<measure::Snapshot> snapshot_;
  std::optional<std::vector<double>> own_inputs_;
  bool marked_ = false;
};

// Points where bodies touch, and what holds them.
Marks find_marks(const measure::Snapshot& snapshot);

}  // namespace sinew::view
