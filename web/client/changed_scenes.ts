/** Checks `applyChanges` on recorded events: `node client/changed_scenes.ts FILE`. Each line has the scenes before and after. */

import { readFileSync } from "node:fs";
import { equals, fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { applyChanges } from "./scene_changes.ts";
import { MatchEventSchema } from "./wire/emeth/v1/match_views_pb.js";
import { SceneSchema } from "./wire/emeth/v1/scenes_pb.js";

let scene = undefined;
let checked = 0;
for (const line of readFileSync(process.argv[2] ?? "", "utf8").split("\n").filter(Boolean)) {
  const { event, view } = fromJsonString(MatchEventSchema, line);
  const after = view?.scene;
  if (!event || !after) throw new Error("a line has an event and a scene");
  // A match begins with its first event.
  if (event.version > 1 && scene) {
    const reached = applyChanges(scene, event.changes);
    if (!equals(SceneSchema, reached, after)) {
      throw new Error(`event ${event.version} leads to ${toJsonString(SceneSchema, reached)}`);
    }
    checked += 1;
  }
  scene = after;
}
console.log(`${checked} scenes reached`);
