import { MAX_MESSAGE_BYTES, MessageAllowance, TOO_LONG, TOO_MANY } from './message-allowance.js';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * `fetch` with an end to what a server may send: the SDK reads answers whole, however long they are. A stream of
 * events is measured event by event, anything else as one message.
 * @param onExcess told once of each answer that was cut off, and why
 */
export function boundedFetch(onExcess: (reason: string) => void): Fetch {
  const allowance = new MessageAllowance();
  return async (url, init) => {
    const answer = await fetch(url, init);
    if (answer.body === null) return answer;
    const isStream = answer.headers.get('content-type')?.includes('text/event-stream') === true;
    const meter = isStream ? meterEvents(allowance) : meterWhole();
    const body = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const excess = meter(chunk);
          if (excess === undefined) return controller.enqueue(chunk);
          controller.error(new Error(excess));
          onExcess(excess);
        },
      }),
    );
    // What was decoded on the way here has another length, and is not encoded any more.
    const headers = new Headers(answer.headers);
    headers.delete('content-encoding');
    headers.delete('content-length');
    const { status, statusText } = answer;
    return new Response(body, { status, statusText, headers });
  };
}

type Meter = (chunk: Uint8Array) => string | undefined;

function meterWhole(): Meter {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    return bytes > MAX_MESSAGE_BYTES ? TOO_LONG : undefined;
  };
}

/** An empty line ends an event; lines end in LF, CR or both. Comments without an event keep a connection alive. */
function meterEvents(allowance: MessageAllowance): Meter {
  let bytes = 0;
  let lineBytes = 0;
  let previous = 0;
  return (chunk) => {
    for (const byte of chunk) {
      const isSecondOfPair = byte === LINE_FEED && previous === CARRIAGE_RETURN;
      previous = byte;
      if (isSecondOfPair) continue;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        bytes += 1;
        lineBytes += 1;
        if (bytes > MAX_MESSAGE_BYTES) return TOO_LONG;
        continue;
      }
      if (lineBytes === 0) {
        if (bytes > 0 && !allowance.take()) return TOO_MANY;
        bytes = 0;
      }
      lineBytes = 0;
    }
    return undefined;
  };
}
