/** The board and its parts, for pages of any kind. */

export * from "../client/index.ts";
export { EmethBoard } from "./emeth_board.ts";
export { EmethDrawing } from "./emeth_drawing.ts";
export { EmethPanel } from "./emeth_panel.ts";
export { type Line, MatchView, type Preview, type Shown } from "./match_view.ts";
export { Narrowing, type Pick, type Spot } from "./narrowing.ts";
export { type BackTo, ServiceSource, type Watching } from "./service_source.ts";
export * from "./words.ts";
