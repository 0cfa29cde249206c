/** From one scene to the next, by the changes of an event. */

import { create } from "@bufbuild/protobuf";
import { type Piece, type Scene, type SceneChange, TrackSchema } from "./wire/emeth/v1/scenes_pb.js";

/**
 * The scene after an event: that before it, with the event's `changes` applied one after the other. It shares with
 * the scene before what did not change. Throws an Error for the changes of another scene.
 */
export function applyChanges(before: Scene, changes: readonly SceneChange[]): Scene {
  const next = { ...before };
  for (const { change } of changes) {
    switch (change.case) {
      case "moved":
      case "changed":
        next.pieces = replaced(next.pieces, change.value.piece, change.value.now);
        break;
      case "removed":
        next.pieces = without(next.pieces, change.value.piece);
        break;
      case "appeared":
        next.pieces = put(next.pieces, change.value.now);
        break;
      case "counted": {
        const { track, end } = change.value;
        const was = next.tracks.find(({ id }) => id === track);
        next.tracks = put(next.tracks, was && create(TrackSchema, { ...was, value: end }));
        break;
      }
      case "space":
        next.spaces = put(next.spaces, change.value);
        break;
      case "zone":
        next.zones = put(next.zones, change.value);
        break;
      case "track":
        next.tracks = put(next.tracks, change.value);
        break;
      case "partRemoved": {
        const { part, id } = change.value;
        if (part === "spaces") next.spaces = without(next.spaces, id);
        else if (part === "zones") next.zones = without(next.zones, id);
        else next.tracks = without(next.tracks, id);
        break;
      }
      case "rearranged": {
        const { part, ids } = change.value;
        if (part === "spaces") next.spaces = arranged(next.spaces, ids);
        else if (part === "pieces") next.pieces = arranged(next.pieces, ids);
        else if (part === "zones") next.zones = arranged(next.zones, ids);
        else next.tracks = arranged(next.tracks, ids);
        break;
      }
      case "scene":
        next.caption = change.value.caption ?? next.caption;
        next.attributes = change.value.attributes?.values ?? next.attributes;
        next.attributeOrder = change.value.attributes?.order ?? next.attributeOrder;
        next.marks = change.value.marks?.marks ?? next.marks;
        next.legend = change.value.legend?.lines ?? next.legend;
        next.sides = change.value.sides?.sides ?? next.sides;
        next.counters = change.value.counters?.counters ?? next.counters;
        next.phases = change.value.phases?.phases ?? next.phases;
        next.theme = change.value.theme ?? next.theme;
        if (change.value.prompt) next.prompt = change.value.prompt.heading ? change.value.prompt : undefined;
        break;
      // What a later service adds is not known here.
      default:
    }
  }
  return next;
}

interface Part {
  id: string;
}

function found<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("these are the changes of another scene");
  return part;
}

/** The part in the place of the one with its id, or last. */
function put<T extends Part>(list: readonly T[], part: T | undefined): T[] {
  const now = found(part);
  return list.some(({ id }) => id === now.id) ? list.map((each) => (each.id === now.id ? now : each)) : [...list, now];
}

/** A piece with another in its place, which may have another id. */
function replaced(pieces: readonly Piece[], id: string, piece: Piece | undefined): Piece[] {
  const now = found(piece);
  found(pieces.find((each) => each.id === id));
  if (now.id !== id && pieces.some((each) => each.id === now.id)) found(undefined);
  return pieces.map((each) => (each.id === id ? now : each));
}

function without<T extends Part>(list: readonly T[], id: string): T[] {
  found(list.find((each) => each.id === id));
  return list.filter((each) => each.id !== id);
}

function arranged<T extends Part>(list: readonly T[], ids: readonly string[]): T[] {
  return ids.map((id) => found(list.find((each) => each.id === id)));
}
