/** How calls travel: one transport for a service and a token, with what each call needs. */

import type { DescMessage, DescService, Message } from "@bufbuild/protobuf";
import { type CallOptions, type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { typedErrors } from "./errors.ts";
import { reached } from "./reaching.ts";
import { serializable } from "./serializing.ts";

export interface EmethOptions {
  /** URL of the service's HTTP port; in a page that it serves, the page's own origin. */
  baseUrl: string;
  /** Token of a role in a match, or of a player. Public calls need none. */
  token?: string;
  /** Name and version of the frontend, which the log keeps with each action. */
  client?: string;
  /** See every request and response that goes over the network, for example to keep receipts. */
  interceptors?: readonly Interceptor[];
}

/** Opens a transport by the Connect protocol. Nothing is sent before the first call. */
export function connect({ baseUrl, interceptors = [], token }: EmethOptions): Transport {
  return createConnectTransport({
    baseUrl,
    useBinaryFormat: true,
    interceptors: [
      ...[typedErrors, reporting, identifying, jsonWriting],
      ...interceptors,
      ...(token ? [bearer(token)] : []),
    ],
  });
}

/**
 * Makes the client of one service, so that a bundle has that service alone:
 *
 *     import { serviceClient } from "@emeth/client";
 *     import { GamesService } from "@emeth/client/games";
 *     const games = serviceClient(GamesService, { baseUrl });
 */
export function serviceClient<S extends DescService>(service: S, options: EmethOptions): Client<S> {
  return clientOf(service, connect(options));
}

type StreamingCall = (request: unknown, options?: CallOptions) => AsyncIterable<unknown>;

/** Makes the client of one service. Who leaves one of its streams, for example by `break`, ends it on the wire. */
export function clientOf<S extends DescService>(service: S, transport: Transport): Client<S> {
  const client = createClient(service, transport);
  const calls = client as unknown as Record<string, StreamingCall>;
  for (const { localName, methodKind } of service.methods) {
    const call = calls[localName];
    if (methodKind !== "server_streaming" || !call) continue;
    calls[localName] = (request, options) => {
      const left = new AbortController();
      const signal = options?.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
      return untilLeft(call(request, { ...options, signal }), left);
    };
  }
  return client;
}

async function* untilLeft<T>(messages: AsyncIterable<T>, left: AbortController): AsyncIterable<T> {
  try {
    yield* messages;
  } finally {
    left.abort();
  }
}

/** Makes a new request ID: a random UUID, also on pages that are not served securely. */
export function requestId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Reports to those who wait for the service that it has answered. */
const reporting: Interceptor = (next) => async (request) => {
  const response = await next(request);
  // A stream that is open has said nothing yet.
  if (!response.stream) reached();
  return response;
};

/** Random, and the same for all calls of a page. */
let clientSecret: string | undefined;

/**
 * Sends a secret with each request that has a field for it. The service gives a response with tokens again only to the
 * same caller, and a caller without a token is known by that secret.
 */
const identifying: Interceptor = (next) => (request) => {
  if (!request.stream && "clientSecret" in request.message) {
    clientSecret ??= `${requestId()}-${requestId()}`;
    request.message.clientSecret ||= clientSecret;
  }
  return next(request);
};

/** Has `JSON.stringify` write responses. */
const jsonWriting: Interceptor = (next) => async (request) => {
  const response = await next(request);
  const { output } = request.method;
  if (response.stream) return { ...response, message: allSerializable(output, response.message) };
  serializable(output, response.message);
  return response;
};

async function* allSerializable<T extends Message>(
  output: DescMessage,
  messages: AsyncIterable<T>,
): AsyncIterable<T> {
  for await (const message of messages) yield serializable(output, message);
}

function bearer(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}
