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
  Matrix4,
  PerspectiveCamera,
  RGBAFormat,
  ShaderMaterial,
  Vector2,
  Vector3,
  Vector4,
} from "three";

import { colour_maps, map_size, MapName, no_value, Rgb, Scale } from "./colours";

export type ValueMode = 0 | 1 | 2; // none, on nodes, on tets

export interface Look {
  [name: string]: IUniform;
  map: { value: DataTexture };
  range: { value: Vector2 }; // value -> (value - x) * y
  plane: { value: Vector4 };
  whole: { value: Matrix4 }; // from the world to the screen
  key_world: { value: Vector3 }; // where the light comes from
  fill_world: { value: Vector3 };
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
    plane: { value: new Vector4() },
    whole: { value: new Matrix4() },
    key_world: { value: new Vector3() },
    fill_world: { value: new Vector3() },
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

const key_light = new Vector3(0.342, 0.734, 0.587);
const fill_light = new Vector3(-0.758, 0.054, 0.65);
const gloss_at = new Vector3(0.192, 0.412, 0.891);
const glsl = ({ x, y, z }: Vector3): string => `vec3(${x}, ${y}, ${z})`;

export function set_camera(look: Look, camera: PerspectiveCamera): void {
  camera.updateMatrixWorld();
  look.whole.value.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  look.key_world.value.copy(key_light).transformDirection(camera.matrixWorld);
  look.fill_world.value.copy(fill_light).transformDirection(camera.matrixWorld);
}

// What a program is made for; everything that it leaves out saves time where there is no graphics card.
export interface Variant {
  mode: ValueMode;
  clipped: boolean;
  fine: boolean; // triangles are about as small as pixels: colours are made at vertices, not at pixels
}

const pass_clip = /* glsl */ `
#if CLIPPED
uniform vec4 plane;
out float beyond;
#endif
void pass_clip() {
#if CLIPPED
  beyond = dot(plane.xyz, position) - plane.w;
#endif
}
`;

const take_clip = /* glsl */ `
#if CLIPPED
in float beyond;
#endif
void take_clip() {
#if CLIPPED
  if (beyond > 0.0) discard;
#endif
}
`;

const value_colour = /* glsl */ `
uniform sampler2D map;
uniform vec2 range;
uniform vec3 no_value;
uniform vec3 base;
vec3 colour_of(float v) {
#if MODE
  if (isnan(v) || !(v == v)) return no_value;
  float t = clamp((v - range.x) * range.y, 0.0, 1.0);
  return textureLod(map, vec2((t * 255.0 + 0.5) / 256.0, 0.5), 0.0).rgb;
#else
  return base;
#endif
}
`;

const declare_value = (direction: "in" | "out"): string => `
#if MODE == 1
${direction} float v_value;
#elif MODE == 2
flat ${direction} float v_value;
#endif
`;

// Light comes with the camera: from above right and from the left, and a gloss between it and the eye. Colours
// are squared and rooted instead of the sRGB curve.
const lighting = /* glsl */ `
const vec3 key = ${glsl(key_light)};
const vec3 fill = ${glsl(fill_light)};
const vec3 half_way = ${glsl(gloss_at)};
vec3 lit(vec3 c, vec3 n) {
  float light = 0.40 + 0.60 * max(dot(n, key), 0.0) + 0.20 * max(dot(n, fill), 0.0) + 0.08 * n.y;
  float gloss = max(dot(n, half_way), 0.0);
  gloss *= gloss;
  gloss *= gloss;
  gloss *= gloss;
  gloss *= gloss;
  gloss *= gloss;
#if MODE
  light = mix(light, 0.95, 0.35);
  gloss *= 0.03;
#else
  gloss *= 0.08;
#endif
  return sqrt(c * c * light + gloss);
}
`;

const surface_vertex = /* glsl */ `
${pass_clip}
uniform mat4 whole;
#if MODE
in float value;
#endif
#if FINE
${value_colour}
uniform vec3 key_world;
uniform vec3 fill_world;
#if MODE == 2
flat out vec3 v_colour;
#else
out vec3 v_colour;
#endif
#else
${declare_value("out")}
out vec3 normal_view;
#endif
void main() {
  pass_clip();
#if FINE
  vec3 n = normal * inversesqrt(dot(normal, normal));
  float light = 0.40 + 0.60 * max(dot(n, key_world), 0.0) + 0.20 * max(dot(n, fill_world), 0.0);
#if MODE
  v_colour = colour_of(value) * sqrt(mix(light, 0.95, 0.35));
#else
  v_colour = base * sqrt(light);
#endif
#else
#if MODE
  v_value = value;
#endif
  normal_view = normalMatrix * normal;
#endif
  gl_Position = whole * vec4(position, 1.0);
}
`;

const surface_fragment = /* glsl */ `
${take_clip}
out vec4 colour;
#if FINE
#if MODE == 2
flat in vec3 v_colour;
#else
in vec3 v_colour;
#endif
void main() {
  take_clip();
  colour = vec4(v_colour, 1.0);
}
#else
${declare_value("in")}
${value_colour}
${lighting}
in vec3 normal_view;
void main() {
  take_clip();
  vec3 n = normalize(gl_FrontFacing ? normal_view : -normal_view);
#if MODE
  vec3 c = colour_of(v_value);
#else
  vec3 c = base;
#endif
  if (!gl_FrontFacing) c = mix(c, vec3(dot(c, vec3(0.3, 0.6, 0.1))), 0.45) * 0.72;
  colour = vec4(lit(c, n), 1.0);
}
#endif
`;

const line_vertex = /* glsl */ `
${pass_clip}
#if MODE
in float value;
#endif
${declare_value("out")}
uniform float point_size;
void main() {
  pass_clip();
#if MODE
  v_value = value;
#endif
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  p.xyz *= 0.999; // a little in front of the surface
  gl_Position = projectionMatrix * p;
  gl_PointSize = point_size;
}
`;

const line_fragment = /* glsl */ `
${take_clip}
${declare_value("in")}
${value_colour}
uniform float alpha;
uniform bool round_points;
out vec4 colour;
void main() {
  take_clip();
  if (round_points && length(gl_PointCoord - 0.5) > 0.5) discard;
#if MODE
  colour = vec4(colour_of(v_value), alpha);
#else
  colour = vec4(base, alpha);
#endif
}
`;

// Takes effect with the next draw.
export function set_variant(material: ShaderMaterial, { mode, clipped, fine }: Variant): void {
  const defines = { MODE: mode, CLIPPED: Number(clipped), FINE: Number(fine) };
  if (JSON.stringify(defines) === JSON.stringify(material.defines)) return;
  material.defines = defines;
  material.needsUpdate = true;
}

const no_variant = { MODE: 0, CLIPPED: 0, FINE: 0 };

export function surface_material(look: Look, base: Rgb): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: surface_vertex,
    fragmentShader: surface_fragment,
    defines: no_variant,
    uniforms: { ...look, base: { value: unit_rgb(base) } },
  });
}

export interface LineLook {
  base: Rgb;
  alpha: number;
  point_size: number; // 0: lines
}

export function line_material(look: Look, { base, alpha, point_size }: LineLook): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: line_vertex,
    fragmentShader: line_fragment,
    defines: no_variant,
    uniforms: {
      ...look,
      base: { value: unit_rgb(base) },
      alpha: { value: alpha },
      point_size: { value: point_size },
      round_points: { value: point_size > 0 },
    },
    transparent: alpha < 1,
  });
}

// Seen through, and less so where the surface turns away from the eye.
export function glass_material(tint: Rgb): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: /* glsl */ `
      out vec3 normal_view;
      out vec3 to_eye;
      void main() {
        vec4 p = modelViewMatrix * vec4(position, 1.0);
        normal_view = normalMatrix * normal;
        to_eye = -p.xyz;
        gl_Position = projectionMatrix * p;
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 tint;
      in vec3 normal_view;
      in vec3 to_eye;
      out vec4 colour;
      void main() {
        float across = 1.0 - abs(dot(normalize(normal_view), normalize(to_eye)));
        colour = vec4(tint, 0.09 + 0.4 * across * across * across);
      }`,
    uniforms: { tint: { value: unit_rgb(tint) } },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
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
        vec4 p = modelViewMatrix * vec4(position, 1.0);
        p.xyz *= 0.995;
        gl_Position = projectionMatrix * p;
        gl_PointSize = point_size;
      }`,
    fragmentShader: /* glsl */ `
      in vec3 passed;
      out vec4 colour;
      uniform float point_size;
      void main() {
        float away = point_size > 0.0 ? length(gl_PointCoord - 0.5) : 0.0;
        if (away > 0.5) discard;
        float rim = dot(passed, vec3(0.3, 0.6, 0.1)) > 0.5 ? 0.0 : 1.0;
        colour = vec4(away > 0.36 ? vec3(rim) : passed, 1.0);
      }`,
    uniforms: { point_size: { value: point_size } },
  });
}
