// Ticks at round numbers, and numbers as people write them.
//
//     ticks(0, 23, 5)            0 5 10 15 20
//     unit_scale("Pa", 23000)    { factor: 1e-3, unit: "kPa" }

export function ticks(lo: number, hi: number, most: number): number[] {
  if (!(hi > lo) || !Number.isFinite(hi - lo)) return [lo];
  const rough = (hi - lo) / Math.max(1, most - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((m) => m * power >= rough * 0.999) ?? 10);
  const list: number[] = [];
  for (let i = Math.ceil(lo / step - 1e-6); i * step <= hi + 1e-6 * step; ++i) list.push(i * step + 0); // no -0
  return list;
}

// Digits after the point that tell neighbours apart.
export function tick_texts(list: number[]): string[] {
  const step = list.length > 1 ? list[1]! - list[0]! : Math.abs(list[0] ?? 0);
  const most = Math.max(...list.map(Math.abs));
  if (step === 0) return list.map(number_text);
  if (most >= 1e5 || most < 1e-3) {
    const digits = Math.max(0, Math.ceil(Math.log10(most / step) - 1e-9));
    return list.map((x) => (x === 0 ? "0" : x.toExponential(Math.min(6, digits)).replace("e+", "e")));
  }
  let digits = 0;
  while (digits < 8 && list.some((x) => Math.abs(Number(x.toFixed(digits)) - x) > 1e-3 * step)) ++digits;
  return list.map((x) => (Math.abs(x) < 1e-9 * most ? 0 : x).toFixed(digits));
}

export function number_text(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "none" : x > 0 ? "inf" : "-inf";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(x.toPrecision(digits)));
}

const prefixes: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
];

// A prefix where the unit takes one: Pa, N, J, W, m and s, alone or over something.
export function unit_scale(unit: string, size: number): { factor: number; unit: string } {
  if (unit === "1" || unit === "") return { factor: 1, unit: "" };
  if (!/^(Pa|N|J|W|m|s)(\/|$)/.test(unit) || !(size > 0) || !Number.isFinite(size)) return { factor: 1, unit };
  const length = /^[ms]/.test(unit);
  const usable = prefixes.filter(([value]) => !length || value <= 1);
  const [value, prefix] = usable.find(([value]) => size >= value * 0.9995) ?? usable[usable.length - 1]!;
  return { factor: 1 / value, unit: prefix + unit };
}
