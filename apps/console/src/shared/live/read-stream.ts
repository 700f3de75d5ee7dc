import { createParser } from 'eventsource-parser';

/** A server-sent event. Our streams have no ids, and the specification fixes when to reconnect. */
export type StreamEvent = { event: string; data: string };

export type Reading = {
  body: ReadableStream<Uint8Array>;
  onEvent: (event: StreamEvent) => void;
  /** The server is gone after this time without a byte, heartbeats included. */
  silenceMs: number;
};

/** Reads until the stream ends, breaks or falls silent, and closes it. Never throws. */
export async function readStream({ body, onEvent, silenceMs }: Reading): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ event, data }) => onEvent({ event: event || 'message', data }) });
  // Also resolves a pending read, with `done`.
  const giveUp = (): void => void reader.cancel().catch(() => undefined);
  let watchdog = setTimeout(giveUp, silenceMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(giveUp, silenceMs);
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch {
    // A broken connection counts as its end.
  } finally {
    clearTimeout(watchdog);
    giveUp();
  }
}
