// Shaders of surfaces, lines and points, and what they share: the colour map, the range, the clip plane.
//
// A value on nodes is interpolated; a value on tets arrives at the last corner of its triangle and is constant
// over it ("flat" in GLSL takes the last corner's).
import {
  DataTexture,
  DoubleSide,
  GLSL3,
  IUniform,
  LinearFilter,
  RGBAFormat,
  ShaderMaterial,
  Vector2,
  Vector3,
  Vector4,
} from "three";

import { colour_maps, map_size, MapName, no_value, Rgb, Scale } from "./colours";
import { Plane } from "./messages";

export type ValueMode = 0 | 1 | 2; // none, on nodes, on tets

export interface Look {
  [name: string]: IUniform;
  map: { value: DataTexture };
  range: { value: Vector2 }; // value -> (value - x) * y
  mode: { value: ValueMode };
  plane: { value: Vector4 };
  clipped: { value: boolean };
  no_value: { value: Vector3 };
}

const unit_rgb = (c: Rgb): Vector3 => new Vector3(c[0] / 255, c[1] / 255, c[2] / 255);

export function make_look(): Look {
  const map = new DataTexture(colour_maps.sequential.slice(), map_size, 1, RGBAFormat);
  map.minFilter = map.magFilter = LinearFilter;
  map.needsUpdate = true;
  return {
    map: { value: map },
    range: { value: new Vector2(0, 1) },
    mode: { value: 0 },
    plane: { value: new Vector4() },
    clipped: { value: false },
    no_value: { value: unit_rgb(no_value) },
  };
}

export function set_scale(look: Look, scale: Scale): void {
  look.range.value.set(scale.from, 1 / (scale.to - scale.from));
  set_map(look, scale.map);
}

function set_map(look: Look, name: MapName): void {
  const { data } = look.map.value.image as { data: Uint8Array };
  const wanted = colour_maps[name];
  if (data[0] === wanted[0] && data[4] === wanted[4] && data[1020] === wanted[1020]) return;
  data.set(wanted);
  look.map.value.needsUpdate = true;
}

export function set_plane(look: Look, plane: Plane | null): void {
  look.clipped.value = plane !== null;
  if (plane) look.plane.value.set(...plane);
}

const shared_vertex = /* glsl */ `
in float value;
out float value_smooth;
flat out float value_flat;
out float beyond;
uniform vec4 plane;
uniform bool clipped;
void pass_value() {
  value_smooth = value;
  value_flat = value;
  beyond = clipped ? dot(plane.xyz, position) - plane.w : -1.0;
}
`;

const shared_fragment = /* glsl */ `
in float value_smooth;
flat in float value_flat;
in float beyond;
uniform sampler2D map;
uniform vec2 range;
uniform int mode;
uniform vec3 no_value;
uniform vec3 base;
out vec4 colour;
vec3 colour_of_value() {
  if (mode == 0) return base;
  float v = mode == 1 ? value_smooth : value_flat;
  if (isnan(v) || !(v == v)) return no_value;
  float t = clamp((v - range.x) * range.y, 0.0, 1.0);
  return texture(map, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}
`;

const surface_vertex = /* glsl */ `
${shared_vertex}
out vec3 normal_view;
out vec3 point_view;
void main() {
  pass_value();
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  normal_view = normalMatrix * normal;
  point_view = p.xyz;
  gl_Position = projectionMatrix * p;
}
`;

// The normal is the smooth one, but the triangle's own where the two differ by a crease.
const surface_fragment = /* glsl */ `
${shared_fragment}
in vec3 normal_view;
in vec3 point_view;
void main() {
  if (beyond > 0.0) discard;
  vec3 facet = normalize(cross(dFdx(point_view), dFdy(point_view)));
  vec3 n = normalize(gl_FrontFacing ? normal_view : -normal_view);
  float agree = dot(n, facet);
  n = normalize(mix(facet, n, smoothstep(0.62, 0.86, agree)));
  vec3 eye = normalize(-point_view);
  vec3 key = normalize(vec3(0.35, 0.75, 0.6));
  vec3 fill = normalize(vec3(-0.7, 0.05, 0.6));
  float light = 0.36 + 0.62 * max(dot(n, key), 0.0) + 0.20 * max(dot(n, fill), 0.0) + 0.08 * n.y;
  float gloss = pow(max(dot(n, normalize(key + eye)), 0.0), 40.0) * (mode == 0 ? 0.10 : 0.04);
  vec3 c = colour_of_value();
  if (!gl_FrontFacing) c = mix(c, vec3(dot(c, vec3(0.3, 0.6, 0.1))), 0.45) * 0.72;
  if (mode != 0) light = mix(light, 0.95, 0.35);
  vec3 lit = pow(c, vec3(2.2)) * light + gloss;
  colour = vec4(pow(clamp(lit, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}
`;

const line_vertex = /* glsl */ `
${shared_vertex}
uniform float point_size;
void main() {
  pass_value();
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z -= 0.0002 * gl_Position.w;
  gl_PointSize = point_size;
}
`;

const line_fragment = /* glsl */ `
${shared_fragment}
uniform float alpha;
uniform bool plain;
uniform bool round_points;
void main() {
  if (beyond > 0.0) discard;
  if (round_points && length(gl_PointCoord - 0.5) > 0.5) discard;
  colour = vec4(plain || mode == 2 ? base : colour_of_value(), alpha);
}
`;

export function surface_material(look: Look, base: Rgb): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: surface_vertex,
    fragmentShader: surface_fragment,
    uniforms: { ...look, base: { value: unit_rgb(base) } },
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
}

export interface LineLook {
  base: Rgb;
  alpha: number;
  plain: boolean; // never the field's colours
  point_size: number; // 0: lines
}

export function line_material(look: Look, { base, alpha, plain, point_size }: LineLook): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: line_vertex,
    fragmentShader: line_fragment,
    uniforms: {
      ...look,
      base: { value: unit_rgb(base) },
      alpha: { value: alpha },
      plain: { value: plain },
      point_size: { value: point_size },
      round_points: { value: point_size > 0 },
    },
    transparent: alpha < 1,
  });
}

// Dots and segments with a colour of their own each, a little in front of the surface.
export function mark_material(point_size: number): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: /* glsl */ `
      in vec3 tint;
      out vec3 passed;
      uniform float point_size;
      void main() {
        passed = tint;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        gl_Position.z -= 0.002 * gl_Position.w;
        gl_PointSize = point_size;
      }`,
    fragmentShader: /* glsl */ `
      in vec3 passed;
      out vec4 colour;
      uniform float point_size;
      void main() {
        if (point_size > 0.0 && length(gl_PointCoord - 0.5) > 0.5) discard;
        colour = vec4(passed, 1.0);
      }`,
    uniforms: { point_size: { value: point_size } },
  });
}
