/** Errors of the service, by reason. */

import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./wire/google/rpc/error_details_pb.js";

/** Codes with which networks and proxies fail, if the same call may succeed when it is made again. */
const PASSING = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Unknown, Code.Aborted]);

/** Whoever is to wait for longer is not made to wait: the error says how long it takes. */
const LONGEST_RETRY_MS = 10_000;

/** A call that failed. A rule that forbids an action is no error: that is an answer, `refused`. */
export class EmethError extends ConnectError {
  /** Why, as docs/errors.md lists them: `VERSION_STALE`. Empty if the service was not reached. */
  readonly reason: string;
  /** The figures that go with it. */
  readonly figures: Readonly<Record<string, string>>;
  /** What was wrong with which field of the request. */
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds to wait before the same call is made again, as the service asks for; 0 if it does not say. */
  readonly retryMs: number;

  constructor(cause: ConnectError) {
    super(isUnreached(cause) ? UNREACHED : cause.rawMessage, cause.code, cause.metadata, undefined, cause.cause);
    this.details = cause.details;
    const [info] = cause.findDetails(ErrorInfoSchema);
    const [wrong] = cause.findDetails(BadRequestSchema);
    const delay = cause.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.reason = info?.reason ?? "";
    this.figures = info?.metadata ?? {};
    this.fields = Object.fromEntries(
      (wrong?.fieldViolations ?? []).map((each) => [each.field, each.description]),
    );
    this.retryMs = delay ? Number(delay.seconds) * 1_000 + delay.nanos / 1e6 : 0;
  }

  // ConnectError takes its whole family for itself.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && Object.getPrototypeOf(value) === EmethError.prototype;
  }

  /** Nobody answered: the service is away, or the network. */
  get unreached(): boolean {
    return this.reason === "" && (this.code === Code.Unavailable || isUnreached(this));
  }

  /**
   * The same call may succeed soon: nobody answered in time, or the service asks for a repetition after a
   * pause of 10 seconds at most.
   */
  get passing(): boolean {
    if (this.reason === "") return PASSING.has(this.code) || CUT_OFF.test(this.rawMessage);
    if (this.reason === "DEADLINE_EXCEEDED") return true;
    return this.retryMs > 0 && this.retryMs <= LONGEST_RETRY_MS;
  }
}

/** What Connect says of a stream that ended within a message. */
const CUT_OFF = /^protocol error: (incomplete envelope|promised)/;
/** What browsers say of a network that is not there; each has words of its own. */
const OF_NETWORKS = /fetch|network|load failed/i;
const UNREACHED = "the service cannot be reached";

function isUnreached({ cause }: ConnectError): boolean {
  return cause instanceof TypeError && OF_NETWORKS.test(cause.message);
}

/** Any failure as an EmethError. */
export function asEmethError(failure: unknown): EmethError {
  return failure instanceof EmethError ? failure : new EmethError(ConnectError.from(failure));
}

/** Has every call of a transport fail with EmethError. */
export const typedErrors: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    return response.stream ? { ...response, message: typed(response.message) } : response;
  } catch (failure) {
    throw asEmethError(failure);
  }
};

async function* typed<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (failure) {
    throw asEmethError(failure);
  }
}
