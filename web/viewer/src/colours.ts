// Colour maps for fields, computed in CIELAB (D65), where equal steps look equal.
//
// Sequential: an arc from dark blue over teal to light yellow in equal steps. Lightness and the blue-yellow axis
// rise all the way, which readers with red-green blindness keep (the idea of Nunez, Anderton, Renslow,
// "Optimizing colormaps with consideration for color vision deficiency", 2018). Diverging: two lines of equal
// length from blue and from brown to a light grey at zero (Moreland, "Diverging color maps for scientific
// visualization", 2009).
//
//     const rgb = colour_at("sequential", 0.25);

export type Rgb = [number, number, number]; // 0 to 255
type Lab = [number, number, number];

export const map_size = 256;
export const no_value: Rgb = [140, 140, 140]; // where a field is not a number

const white: Lab = [0.95047, 1, 1.08883];

function linear_of_lab([l, a, b]: Lab): [number, number, number] {
  const fy = (l + 16) / 116;
  const inverse = (f: number): number => (f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29));
  const x = white[0] * inverse(fy + a / 500);
  const y = white[1] * inverse(fy);
  const z = white[2] * inverse(fy - b / 200);
  return [
    3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
    -0.969266 * x + 1.8760108 * y + 0.041556 * z,
    0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
  ];
}

const encode = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

// Values outside of sRGB are cut off; those of the maps are inside.
export function rgb_of_lab(lab: Lab): Rgb {
  return linear_of_lab(lab).map((c) => Math.round(255 * encode(Math.min(1, Math.max(0, c))))) as Rgb;
}

const between = (p: Lab, q: Lab, t: number): Lab => [0, 1, 2].map((i) => p[i]! + t * (q[i]! - p[i]!)) as Lab;

export type MapName = "sequential" | "diverging";

const dark_blue: Lab = [20, 28, -48];
const teal: Lab = [52, -40, -14]; // pulls the arc, which passes halfway to it
const light_yellow: Lab = [91, -9, 68];
const blue: Lab = [38, 12, -50];
const grey: Lab = [93, 0, 0];
const brown: Lab = [42, 32, 45.2]; // as far from the grey as the blue is

// The arc, a parabola through its ends, at a part of its length.
function make_arc(p: Lab, pull: Lab, q: Lab): (t: number) => Lab {
  const at = (s: number): Lab => between(between(p, pull, s), between(pull, q, s), s);
  const pieces = 2000;
  const lengths = [0];
  for (let i = 1; i <= pieces; ++i) {
    const [a, b] = [at((i - 1) / pieces), at(i / pieces)];
    lengths.push(lengths[i - 1]! + Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
  }
  return (t) => {
    const wanted = t * lengths[pieces]!;
    const i = lengths.findIndex((length) => length >= wanted);
    return at(i / pieces);
  };
}

function table(at: (t: number) => Lab): Uint8Array {
  const colours = new Uint8Array(4 * map_size);
  for (let i = 0; i < map_size; ++i) colours.set([...rgb_of_lab(at(i / (map_size - 1))), 255], 4 * i);
  return colours;
}

export const colour_maps: Record<MapName, Uint8Array> = {
  sequential: table(make_arc(dark_blue, teal, light_yellow)),
  diverging: table((t) => (t < 0.5 ? between(blue, grey, 2 * t) : between(grey, brown, 2 * t - 1))),
};

export function colour_at(map: MapName, t: number): Rgb {
  const i = 4 * Math.round(Math.min(1, Math.max(0, t)) * (map_size - 1));
  return [...colour_maps[map].slice(i, i + 3)] as Rgb;
}

export interface Scale {
  map: MapName;
  lo: number; // shown
  hi: number;
  from: number; // of the map's ends: equal to lo and hi, or symmetric about zero
  to: number;
}

// Ranges with zero well inside get the diverging map with zero in its middle.
export function scale_for(lo: number, hi: number): Scale {
  if (!(hi > lo)) {
    const around = Number.isFinite(lo) ? Math.max(Math.abs(lo) * 1e-3, 1e-12) : 1;
    return { map: "sequential", lo, hi, from: lo - around, to: lo + around };
  }
  if (lo < -0.02 * (hi - lo) && hi > 0.02 * (hi - lo)) {
    const most = Math.max(-lo, hi);
    return { map: "diverging", lo, hi, from: -most, to: most };
  }
  return { map: "sequential", lo, hi, from: lo, to: hi };
}

// Of bodies without a field: apart in lightness and hue.
export const body_colours: Rgb[] = [
  [196, 132, 108],
  [112, 150, 190],
  [146, 168, 104],
  [178, 140, 178],
  [206, 176, 100],
  [96, 160, 156],
];

// The papers' colours of contacts and constraints.
export const mark_red: Rgb = [208, 32, 48];
export const mark_blue: Rgb = [32, 92, 208];

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;
