// The camera: an orbit around a target, described by azimuth, elevation and zoom. Zoom 1 fits the box of the
// model into the pane for that direction; the same numbers give the same picture at any time.
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { Box, Vec3 } from "./messages";
import { CameraSetting } from "./settings";

const degrees = Math.PI / 180;
const margin = 1.18;
export const default_view: CameraSetting = { azimuth: 32, elevation: 20, zoom: 1, target: null };

// From the target to the camera; azimuth 0 looks along -z when y is up, along +y when z is up.
export function direction_of(azimuth: number, elevation: number, up: "y" | "z"): Vec3 {
  const a = azimuth * degrees;
  const e = elevation * degrees;
  const [right, away, high] = [Math.sin(a) * Math.cos(e), Math.cos(a) * Math.cos(e), Math.sin(e)];
  return up === "y" ? [right, high, away] : [right, -away, high];
}

export function angles_of([x, y, z]: Vec3, up: "y" | "z"): { azimuth: number; elevation: number } {
  const [right, high, away] = up === "y" ? [x, y, z] : [x, z, -y];
  const length = Math.hypot(x, y, z) || 1;
  return {
    azimuth: Math.atan2(right, away) / degrees,
    elevation: Math.asin(Math.min(1, Math.max(-1, high / length))) / degrees,
  };
}

// How far from its centre the camera sees all corners of the box.
export function fit_distance(box: Box, to_camera: Vec3, up: "y" | "z", tan_v: number, tan_h: number): number {
  const back = new Vector3(...to_camera).normalize();
  const high = up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
  let right = new Vector3().crossVectors(high, back);
  if (right.length() < 1e-6) right = new Vector3(1, 0, 0);
  right.normalize();
  const top = new Vector3().crossVectors(back, right);
  const corner = new Vector3();
  let distance = 0;
  for (let i = 0; i < 8; ++i) {
    corner.set(...([0, 1, 2].map((k) => (i & (1 << k) ? 0.5 : -0.5) * (box[1][k]! - box[0][k]!)) as Vec3));
    const depth = corner.dot(back);
    const need = Math.max(Math.abs(corner.dot(right)) / tan_h, Math.abs(corner.dot(top)) / tan_v);
    distance = Math.max(distance, depth + need * margin);
  }
  return distance || 1;
}

export class Orbit {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  controls: OrbitControls;
  private box_: Box = [
    [-1, -1, -1],
    [1, 1, 1],
  ];
  private up_: "y" | "z" = "y";

  constructor(
    private readonly element_: HTMLElement,
    private readonly onchange_: () => void,
    private readonly onmoved_: () => void, // by the reader's hand
  ) {
    this.controls = this.make_controls();
  }

  set_box(box: Box, up: "y" | "z"): void {
    this.box_ = box;
    if (up === this.up_) return;
    this.up_ = up;
    this.camera.up.set(0, up === "y" ? 1 : 0, up === "z" ? 1 : 0);
    this.controls.dispose(); // they remember the up axis of the camera from when they were made
    this.controls = this.make_controls();
  }

  set_aspect(aspect: number): void {
    const before = this.setting();
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    this.apply(before);
  }

  apply(setting: CameraSetting): void {
    const target = setting.target ?? this.centre();
    const direction = direction_of(setting.azimuth, Math.min(89.9, Math.max(-89.9, setting.elevation)), this.up_);
    const distance = this.fit(direction) / setting.zoom;
    this.controls.target.set(...target);
    this.camera.position.set(...direction).multiplyScalar(distance).add(this.controls.target);
    this.controls.update();
    this.set_depth();
  }

  setting(): CameraSetting {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const to_camera: Vec3 = [arm.x, arm.y, arm.z];
    const { azimuth, elevation } = angles_of(to_camera, this.up_);
    const centre = this.centre();
    const away = this.controls.target.distanceTo(new Vector3(...centre));
    return {
      azimuth,
      elevation,
      zoom: this.fit(to_camera) / (arm.length() || 1),
      target: away > 1e-3 * this.diagonal() ? (this.controls.target.toArray() as Vec3) : null,
    };
  }

  // Looks at what is there now, from where the camera stands.
  fit_to(box: Box): void {
    const { azimuth, elevation } = this.setting();
    const direction = direction_of(azimuth, elevation, this.up_);
    const own = this.box_;
    this.box_ = box;
    const distance = this.fit(direction);
    this.box_ = own;
    const target = box[0].map((lo, k) => 0.5 * (lo + box[1][k]!)) as Vec3;
    this.apply({ azimuth, elevation, zoom: this.fit(direction) / distance, target });
  }

  set_depth(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance * 0.02;
    this.camera.far = distance + 30 * this.diagonal();
    this.camera.updateProjectionMatrix();
  }

  diagonal(): number {
    const [lo, hi] = this.box_;
    return Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]) || 1;
  }

  private make_controls(): OrbitControls {
    const made = new OrbitControls(this.camera, this.element_);
    made.addEventListener("change", this.onchange_);
    made.addEventListener("end", this.onmoved_);
    return made;
  }

  private centre(): Vec3 {
    return this.box_[0].map((lo, k) => 0.5 * (lo + this.box_[1][k]!)) as Vec3;
  }

  private fit(to_camera: Vec3): number {
    const tan_v = Math.tan(0.5 * this.camera.fov * degrees);
    return fit_distance(this.box_, to_camera, this.up_, tan_v, tan_v * this.camera.aspect);
  }
}
