// Poses of a live scene's inputs as the page sets them: a way, and a turn about an axis through the point that
// the input turns about.
import { InputInfo, Vec3 } from "./messages";
import { Viewer } from "./viewer";

// Where a pose (3x4 by columns) takes the point that it turns about.
export function posed({ value, about }: InputInfo): Vec3 {
  const p = about ?? [0, 0, 0];
  if (value.length < 12) return [...p];
  return [0, 1, 2].map((k) => value[k]! * p[0] + value[3 + k]! * p[1] + value[6 + k]! * p[2] + value[9 + k]!) as Vec3;
}

export interface Turn {
  axis: Vec3;
  degrees: number;
}

export interface PoseState extends Turn {
  translate: Vec3;
}

export class Poses {
  readonly states = new Map<string, PoseState>();
  held: string | null = null; // under the reader's hand: not moved by frames
  constructor(private readonly viewer_: Viewer) {
    viewer_.on("hello", () => this.read());
    viewer_.on("state", () => this.read());
    viewer_.on("frame", () => this.follow());
  }

  about(name: string): Vec3 {
    return this.viewer_.hello_?.scene?.inputs.find((input) => input.name === name)?.about ?? [0, 0, 0];
  }

  private get inputs(): InputInfo[] {
    return (this.viewer_.hello_?.scene?.inputs ?? []).filter(({ kind }) => kind === "pose");
  }

  private read(): void {
    const before = new Map(this.states);
    this.states.clear();
    for (const input of this.inputs) {
      const [state, old] = [state_of(input), before.get(input.name)];
      this.states.set(input.name, old ? { ...state, ...nearest_turn(state, old) } : state);
    }
  }

  // Scenes move their attachments by themselves, and other pages do.
  private follow(): void {
    const now = this.viewer_.shown[0]?.inputs ?? {};
    for (const input of this.inputs) {
      const value = now[input.name];
      if (!value || input.name === this.held) continue;
      input.value = value;
      const state = this.states.get(input.name)!; // sliders hold on to it
      Object.assign(state, state_of(input), nearest_turn(turn_of(value), state));
    }
  }

  tell(name: string): void {
    const { translate, axis, degrees } = this.states.get(name)!;
    this.viewer_.send({ do: "pose", name, translate, rotate: { axis, degrees } });
  }
}

// The same turn in the words of the one before: about its axis where that can be said, by the nearest angle.
export function nearest_turn(turn: Turn, before: Turn): Turn {
  if (Math.abs(turn.degrees) < 1e-9) return { axis: before.axis, degrees: 360 * Math.round(before.degrees / 360) };
  const along = turn.axis.reduce((sum, a, k) => sum + a * before.axis[k]!, 0);
  const same_line = Math.abs(along) > 1 - 1e-6;
  const sign = same_line ? Math.sign(along) : Math.sign(turn.axis.reduce((a, b) => (Math.abs(b) > Math.abs(a) + 1e-6 ? b : a), 0));
  const degrees = sign * turn.degrees;
  const rounds = same_line ? Math.round((before.degrees - degrees) / 360) : 0;
  return { axis: same_line ? before.axis : (turn.axis.map((a) => sign * a) as Vec3), degrees: degrees + 360 * rounds };
}

function state_of(input: InputInfo): PoseState {
  const [at, from] = [posed(input), input.about ?? [0, 0, 0]];
  return { translate: at.map((x, k) => x - from[k]!) as Vec3, ...turn_of(input.value) };
}

// Axis and angle of the linear part.
export function turn_of(value: number[]): Turn {
  if (value.length < 12) return { axis: [0, 0, 1], degrees: 0 };
  const m = (row: number, column: number): number => value[3 * column + row]!;
  const cosine = Math.min(1, Math.max(-1, (m(0, 0) + m(1, 1) + m(2, 2) - 1) / 2));
  const degrees = (Math.acos(cosine) * 180) / Math.PI;
  const raw: Vec3 = [m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)];
  const length = Math.hypot(...raw);
  if (length > 1e-9) return { axis: raw.map((x) => x / length) as Vec3, degrees };
  if (degrees < 90) return { axis: [0, 0, 1], degrees: 0 };
  const k = [0, 1, 2].reduce((best, i) => (m(i, i) > m(best, best) ? i : best), 0); // a half turn
  const column = [0, 1, 2].map((i) => m(i, k) + (i === k ? 1 : 0));
  const size = Math.hypot(...column);
  return { axis: column.map((x) => x / size) as Vec3, degrees };
}
