/** Everything of the client that a frontend may use. */

export { Emeth, type EmethOptions, type FollowOptions, persistently, requestId, type WatchOptions } from "./emeth.ts";
export { asEmethError, EmethError } from "./errors.ts";
export { Gateway, type GatewayLine } from "./gateway.ts";
export { Unanswered } from "./unanswered.ts";
export * from "./wire/emeth/devices/v1/connections_pb.js";
export * from "./wire/emeth/devices/v1/gateways_pb.js";
export * from "./wire/emeth/devices/v1/styluses_pb.js";
export * from "./wire/emeth/v1/actions_pb.js";
export * from "./wire/emeth/v1/analysis_pb.js";
export * from "./wire/emeth/v1/armies_pb.js";
export * from "./wire/emeth/v1/audit_pb.js";
export * from "./wire/emeth/v1/conditional_moves_pb.js";
export * from "./wire/emeth/v1/games_pb.js";
export * from "./wire/emeth/v1/history_pb.js";
export * from "./wire/emeth/v1/matches_pb.js";
export * from "./wire/emeth/v1/players_pb.js";
export * from "./wire/emeth/v1/play_pb.js";
export * from "./wire/emeth/v1/play_service_pb.js";
export * from "./wire/emeth/v1/proposals_pb.js";
export * from "./wire/emeth/v1/scenes_pb.js";
export * from "./wire/emeth/v1/statistics_pb.js";
export * from "./wire/emeth/v1/tables_pb.js";
export * from "./wire/emeth/v1/views_pb.js";
