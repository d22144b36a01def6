// View settings: one vocabulary for the page's address, the command line and the copied command.
//
//     field=von_mises component=norm range=0:2e4 camera=30,20,1 style=edges clip=1,0,0,0.5 hide=bone
//     marks=contacts,constraints theme=dark frame=12 size=1280x720 up=z
import { Plane, Vec3 } from "./messages";

export const styles = ["surface", "edges", "wire", "points"] as const;
export type Style = (typeof styles)[number];
export const mark_names = ["contacts", "constraints"] as const;
export type Mark = (typeof mark_names)[number];
export type Theme = "light" | "dark";
export type Range = { kind: "frame" } | { kind: "run" } | { kind: "fixed"; lo: number; hi: number };

export interface CameraSetting {
  azimuth: number; // [degrees] around the up axis
  elevation: number; // [degrees] above the ground
  zoom: number; // 1: the box fits
  target: Vec3 | null; // null: the box's centre
}

export interface ViewSettings {
  field: string | null;
  component: string | null;
  range: Range;
  camera: CameraSetting | null; // null: the default view
  style: Style;
  clip: Plane | null;
  hide: string[];
  marks: Mark[];
  theme: Theme | null; // null: what the system prefers
  frame: number | null;
  size: [number, number] | null;
  up: "y" | "z";
}

export const default_settings = (): ViewSettings => ({
  field: null,
  component: null,
  range: { kind: "frame" },
  camera: null,
  style: "surface",
  clip: null,
  hide: [],
  marks: [],
  theme: null,
  frame: null,
  size: null,
  up: "y",
});

class Unreadable extends Error {}

function numbers(text: string, counts: number[], form: string): number[] {
  const list = text.split(",").map((word) => (word.trim() === "" ? NaN : Number(word)));
  if (!counts.includes(list.length) || !list.every(Number.isFinite))
    throw new Unreadable(`found "${text}", expected ${form}`);
  return list;
}

function one_of<T extends string>(text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (!found) throw new Unreadable(`found "${text}", expected one of ${words.join(", ")}`);
  return found;
}

const words = (text: string): string[] => text.split(",").filter((word) => word !== "");

export function parse_range(text: string): Range {
  if (text === "frame" || text === "run") return { kind: text };
  const parts = text.split(":");
  const [lo, hi] = parts.map((part) => (part.trim() === "" ? NaN : Number(part)));
  if (parts.length !== 2 || !Number.isFinite(lo) || !Number.isFinite(hi) || !(lo! < hi!))
    throw new Unreadable(`found "${text}", expected frame, run or A:B with A < B`);
  return { kind: "fixed", lo: lo!, hi: hi! };
}

const parsers: { [K in keyof ViewSettings]: (text: string) => ViewSettings[K] } = {
  field: (text) => text || null,
  component: (text) => text || null,
  range: parse_range,
  camera: (text) => {
    const [azimuth, elevation, zoom, ...target] = numbers(text, [3, 6], "azimuth,elevation,zoom[,x,y,z]");
    if (!(zoom! > 0) || Math.abs(elevation!) > 90)
      throw new Unreadable(`found "${text}", expected an elevation within -90 to 90 and a zoom above 0`);
    return {
      azimuth: azimuth!,
      elevation: elevation!,
      zoom: zoom!,
      target: target.length === 3 ? (target as Vec3) : null,
    };
  },
  style: (text) => one_of(text, styles),
  clip: (text) => {
    const plane = numbers(text, [4], "a,b,c,d") as Plane;
    if (Math.hypot(plane[0], plane[1], plane[2]) === 0) throw new Unreadable("the plane has no normal");
    return plane;
  },
  hide: words,
  marks: (text) => words(text).map((word) => one_of(word, mark_names)),
  theme: (text) => one_of(text, ["light", "dark"] as const),
  frame: (text) => {
    if (!/^\d{1,9}$/.test(text)) throw new Unreadable(`found "${text}", expected the number of a frame`);
    return Number(text);
  },
  size: (text) => {
    const match = /^(\d{2,5})x(\d{2,5})$/.exec(text);
    if (!match) throw new Unreadable(`found "${text}", expected WIDTHxHEIGHT`);
    return [Number(match[1]), Number(match[2])];
  },
  up: (text) => one_of(text, ["y", "z"] as const),
};

export const setting_names = Object.keys(parsers) as (keyof ViewSettings)[];

// Settings that cannot be read keep their defaults and are named in `problems`.
export function parse_settings(read: (key: string) => string | null) {
  const settings = default_settings();
  const problems: string[] = [];
  const take = <K extends keyof ViewSettings>(key: K): void => {
    const text = read(key);
    if (text === null) return;
    try {
      settings[key] = parsers[key](text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push(`${key}: ${error.message}`);
    }
  };
  setting_names.forEach(take);
  return { settings, problems };
}

export const short = (x: number): string => String(Number(x.toPrecision(5)));

export function format_camera(camera: CameraSetting): string {
  const { azimuth, elevation, zoom, target } = camera;
  const view = [azimuth.toFixed(1), elevation.toFixed(1)].map(Number).join(",") + `,${Number(zoom.toFixed(3))}`;
  return target ? `${view},${target.map(short).join(",")}` : view;
}

export function format_range(range: Range): string {
  return range.kind === "fixed" ? `${short(range.lo)}:${short(range.hi)}` : range.kind;
}

// What differs from the defaults, in the order of the list above.
export function format_settings(settings: ViewSettings): [string, string][] {
  const plain = default_settings();
  const text: { [K in keyof ViewSettings]: (value: NonNullable<ViewSettings[K]>) => string } = {
    field: String,
    component: String,
    range: format_range,
    camera: format_camera,
    style: String,
    clip: (plane) => plane.map(short).join(","),
    hide: (names) => names.join(","),
    marks: (names) => names.join(","),
    theme: String,
    frame: String,
    size: ([w, h]) => `${w}x${h}`,
    up: String,
  };
  const pairs: [string, string][] = [];
  const put = <K extends keyof ViewSettings>(key: K): void => {
    const value = settings[key];
    if (value === null || JSON.stringify(value) === JSON.stringify(plain[key])) return;
    pairs.push([key, text[key](value as NonNullable<ViewSettings[K]>)]);
  };
  setting_names.forEach(put);
  return pairs;
}

// The query with the settings put in; what else it holds, such as the token, stays.
export function with_settings(query: string, settings: ViewSettings): string {
  const kept = new URLSearchParams(query);
  for (const key of setting_names) kept.delete(key);
  for (const [key, value] of format_settings(settings)) kept.set(key, value);
  return kept.toString().replace(/%2C/g, ",").replace(/%3A/g, ":");
}

const quoted = (word: string): string => (/^[\w./:,+-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`);

export function picture_command(sources: string[], settings: ViewSettings): string {
  const options = format_settings(settings).map(([key, value]) =>
    value.startsWith("-") ? `--${key}=${quoted(value)}` : `--${key} ${quoted(value)}`,
  );
  return ["sinew picture", ...sources.map(quoted), ...options, "-o picture.png"].join(" ");
}
