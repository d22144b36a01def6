// What the page has to say: toasts that go away, a banner that stays, and a page when nothing can be shown.
import { el, icon, tool } from "./dom";

const toast_ms = 8000;

export class Notices {
  readonly toasts = el("div", { id: "toasts", role: "status", "aria-live": "polite" });
  readonly banner = el("div", { id: "banner", role: "alert", hidden: true });

  toast(text: string, kind: "note" | "error"): void {
    const same = [...this.toasts.children].find((other) => other.getAttribute("data-text") === text);
    same?.remove();
    const one: HTMLElement = el("div", { class: `toast ${kind}`, "data-text": text },
      ...(kind === "error" ? [icon("warning")] : []), el("span", {}, text), tool("close", "Close", () => one.remove()));
    this.toasts.append(one);
    while (this.toasts.children.length > 4) this.toasts.firstElementChild!.remove();
    setTimeout(() => one.remove(), toast_ms);
  }

  show_banner(text: string, action: string, onclick: () => void): void {
    this.banner.hidden = false;
    this.banner.replaceChildren(el("span", {}, text), el("button", { type: "button", onclick }, action));
  }

  hide_banner(): void {
    this.banner.hidden = true;
  }
}

export function show_fatal(title: string, ...lines: string[]): void {
  document.body.replaceChildren(
    el("main", { class: "fatal", role: "alert" }, el("h1", {}, title), ...lines.map((line) => el("p", {}, line))),
  );
}
