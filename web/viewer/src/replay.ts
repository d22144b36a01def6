// Frames of a run: asked for ahead of time, kept up to a limit, shown when all panes have theirs.
//
// The panes share one time line, that of the pane with most frames; another pane shows its frame nearest in
// time. Positions count on the time line; indices are the run's own numbers of frames. Answers come in the order
// of the requests, but the server may pass over one when a newer one is there.
import { Frame, FrameStamp, PaneInfo } from "./messages";

const max_in_flight = 2; // a pane
const max_bytes = 256 * 2 ** 20; // of all panes

export function nearest_stamp(frames: FrameStamp[], time: number): number {
  let lo = 0;
  let hi = frames.length - 1;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (frames[middle]!.time < time) lo = middle + 1;
    else hi = middle;
  }
  return lo > 0 && time - frames[lo - 1]!.time < frames[lo]!.time - time ? lo - 1 : lo;
}

export class FrameCache {
  bytes = 0;
  private readonly kept_ = new Map<string, Frame>(); // oldest use first

  constructor(private readonly limit_: number) {}

  get(pane: number, index: number): Frame | null {
    const key = `${pane}/${index}`;
    const found = this.kept_.get(key);
    if (!found) return null;
    this.kept_.delete(key);
    this.kept_.set(key, found);
    return found;
  }

  put(frame: Frame): void {
    const key = `${frame.pane}/${frame.index}`;
    this.bytes += frame.bytes - (this.kept_.get(key)?.bytes ?? 0);
    this.kept_.delete(key);
    this.kept_.set(key, frame);
    for (const [oldest, { bytes }] of this.kept_) {
      if (this.bytes <= this.limit_ || oldest === key) break;
      this.kept_.delete(oldest);
      this.bytes -= bytes;
    }
  }

  clear(): void {
    this.kept_.clear();
    this.bytes = 0;
  }
}

export interface ReplayEvents {
  request(pane: number, index: number): void;
  show(frames: Frame[], position: number): void;
  changed(): void; // playing, speed or loop
}

export class Replay {
  line: FrameStamp[] = [];
  wanted = 0; // position
  shown = -1;
  playing = false;
  loop = true;
  fps = 24;
  private panes_: PaneInfo[] = [];
  private readonly cache_ = new FrameCache(max_bytes);
  private in_flight_ = new Set<string>(); // in the order of the requests
  private later_: (() => void) | null = null; // once nothing is in flight
  private failed_ = new Set<string>();
  private next_at_ = 0; // [ms] when the next frame is due

  constructor(private readonly events_: ReplayEvents) {}

  set_panes(panes: PaneInfo[]): void {
    this.panes_ = panes;
    this.line = panes.reduce<FrameStamp[]>((most, { frames }) => (frames.length > most.length ? frames : most), []);
    this.wanted = Math.min(this.wanted, Math.max(0, this.line.length - 1));
    this.in_flight_.clear();
    this.cache_.clear();
    this.shown = -1;
  }

  // More frames of a run that is still being made.
  extend(panes: PaneInfo[]): void {
    const at_end = this.wanted >= this.line.length - 1;
    this.panes_ = panes;
    this.line = panes.reduce<FrameStamp[]>((most, { frames }) => (frames.length > most.length ? frames : most), []);
    if (at_end && this.playing) this.pump();
    this.events_.changed();
  }

  index_of(pane: number, position: number): number {
    const own = this.panes_[pane]!.frames;
    const stamp = this.line[position];
    return stamp && own.length > 0 ? own[nearest_stamp(own, stamp.time)]!.index : 0;
  }

  position_of(index: number): number {
    const found = this.line.findIndex((stamp) => stamp.index >= index);
    return found < 0 ? Math.max(0, this.line.length - 1) : found;
  }

  go(position: number): void {
    this.wanted = Math.min(Math.max(0, position), Math.max(0, this.line.length - 1));
    this.failed_.clear();
    this.pump();
  }

  // Another field or clip plane: what is kept is of no use. `tell` lets the server know; it runs once nothing
  // is in flight, so that no answer to an older request is taken for a new one. Only the last call counts.
  refresh(tell: () => void): void {
    this.later_ = tell;
    this.run_later();
  }

  settled(): boolean {
    return this.shown === this.wanted && this.later_ === null;
  }

  set_playing(playing: boolean): void {
    if (playing && this.wanted >= this.line.length - 1) this.wanted = 0;
    this.playing = playing && this.line.length > 1;
    this.next_at_ = 0;
    this.events_.changed();
    this.pump();
  }

  receive(frame: Frame): void {
    const key = `${frame.pane}/${frame.index}`;
    if (this.in_flight_.has(key))
      for (const older of [...this.in_flight_].filter((other) => other.startsWith(`${frame.pane}/`))) {
        this.in_flight_.delete(older);
        if (older === key) break;
      }
    this.failed_.delete(key);
    this.cache_.put(frame);
    if (frame.index === this.index_of(frame.pane, this.wanted)) this.shown = -1;
    this.run_later();
    this.pump();
  }

  // The server could not give what was asked for.
  fail(): void {
    for (const key of this.in_flight_) this.failed_.add(key);
    this.in_flight_.clear();
    this.run_later();
    if (this.playing) this.pump();
  }

  // Called at every screen refresh while playing.
  tick(now: number): void {
    if (!this.playing || now < this.next_at_) return;
    const ready = this.shown === this.wanted || this.has_failed(this.wanted);
    if (!ready) return;
    const next = this.after(this.wanted);
    if (next === null) {
      this.set_playing(false);
      return;
    }
    // Due times keep the pace; after a pause they start anew.
    this.next_at_ = Math.max(this.next_at_ + 1000 / this.fps, now);
    this.wanted = next;
    this.pump();
  }

  private run_later(): void {
    if (!this.later_ || this.in_flight_.size > 0) return;
    const tell = this.later_;
    this.later_ = null;
    this.cache_.clear();
    this.failed_.clear();
    this.shown = -1;
    tell();
    this.pump();
  }

  private after(position: number): number | null {
    if (position + 1 < this.line.length) return position + 1;
    return this.loop ? 0 : null;
  }

  private has_failed(position: number): boolean {
    return this.panes_.some((_, pane) => this.failed_.has(`${pane}/${this.index_of(pane, position)}`));
  }

  private pump(): void {
    if (this.line.length === 0 || this.later_) return;
    const frames = this.panes_.map((_, pane) => this.cache_.get(pane, this.index_of(pane, this.wanted)));
    if (this.shown !== this.wanted && frames.every((frame) => frame !== null)) {
      this.shown = this.wanted;
      this.events_.show(frames as Frame[], this.wanted);
    }
    let position: number | null = this.wanted;
    for (let ahead = 0; ahead <= max_in_flight && position !== null; ++ahead) {
      for (let pane = 0; pane < this.panes_.length; ++pane) this.ask(pane, this.index_of(pane, position));
      position = this.playing ? this.after(position) : null;
    }
  }

  private ask(pane: number, index: number): void {
    const key = `${pane}/${index}`;
    if (this.in_flight_.has(key) || this.failed_.has(key) || this.cache_.get(pane, index)) return;
    let own = 0;
    for (const other of this.in_flight_) if (other.startsWith(`${pane}/`)) ++own;
    if (own >= max_in_flight) return;
    this.in_flight_.add(key);
    this.events_.request(pane, index);
  }
}
