/** Small sounds of play, made by WebAudio: nothing is loaded, and whoever wants none turns them off. */

import type { Event } from "../client/index.ts";
import type { MatchView } from "./match_view.ts";

const KEY = "emeth.sound";

/** One tone: pitch in Hz, when it begins and how long it lasts in seconds, how loud. */
type Tone = readonly [pitch: number, begin: number, length: number, loud: number];

const TONES: Readonly<Record<"play" | "loss" | "turn" | "over", readonly Tone[]>> = {
  play: [[196, 0, 0.07, 0.25]],
  loss: [[196, 0, 0.06, 0.25], [131, 0.05, 0.12, 0.3]],
  turn: [[523, 0.08, 0.12, 0.12], [659, 0.18, 0.16, 0.12]],
  over: [[392, 0, 0.3, 0.12], [494, 0.12, 0.3, 0.12], [587, 0.24, 0.5, 0.12]],
};

/** Does this browser want sounds? Remembered; yes until somebody says no. */
export function soundIsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return unsaved;
  }
}

export function turnSound(on: boolean): void {
  unsaved = on;
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Kept for this page only.
  }
}

let unsaved = true;

/** Plays what happens in a match while it is looked at. */
export class Sounds {
  #heard: number | undefined;
  #wasAsked = false;
  #context: AudioContext | undefined;

  /** The match is different: sound what is new since the last time. */
  follow(view: MatchView): void {
    // Not what happened before the page was opened.
    if (!view.match) return;
    const { newest } = view;
    const asked = view.prompt !== undefined;
    const news = this.#heard === undefined ? [] : view.between(this.#heard, newest);
    if (news.length) {
      this.#play(lost(news) ? TONES.loss : TONES.play);
      if (view.match.result) this.#play(TONES.over);
      else if (asked && !this.#wasAsked) this.#play(TONES.turn);
    }
    this.#heard = newest;
    this.#wasAsked = asked;
  }

  #play(tones: readonly Tone[]): void {
    // Browsers let a page sound once somebody has touched it.
    if (!navigator.userActivation?.hasBeenActive || !soundIsOn()) return;
    const context = (this.#context ??= new AudioContext());
    for (const [pitch, begin, length, loud] of tones) {
      const at = context.currentTime + begin;
      const oscillator = new OscillatorNode(context, { type: "triangle", frequency: pitch });
      const gain = new GainNode(context, { gain: 0 });
      gain.gain.setValueAtTime(0, at);
      gain.gain.linearRampToValueAtTime(loud, at + 0.008);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
      oscillator.connect(gain).connect(context.destination);
      oscillator.start(at);
      oscillator.stop(at + length);
    }
  }
}

/** Did a piece leave the board? */
function lost(events: readonly Event[]): boolean {
  return events.some(({ changes }) => changes.some(({ change }) => change.case === "removed"));
}
