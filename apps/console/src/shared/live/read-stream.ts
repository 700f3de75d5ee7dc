import { eventParser, type StreamEvent } from './event-parser.js';

export type Reading = {
  body: ReadableStream<Uint8Array>;
  onEvent: (event: StreamEvent) => void;
  /** So long without a byte (a heartbeat is one too) means that nobody is there any more. */
  silenceMs: number;
};

/** Reads until the stream ends, breaks, or falls silent; then nothing of it is left open. Never throws. */
export async function readStream({ body, onEvent, silenceMs }: Reading): Promise<void> {
  const reader = body.getReader();
  const take = eventParser(onEvent);
  // Answers a read that waits, too: it then says that the stream is done.
  const giveUp = (): void => void reader.cancel().catch(() => undefined);
  let watchdog = setTimeout(giveUp, silenceMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(giveUp, silenceMs);
      take(value);
    }
  } catch {
    // The connection broke: the same as its end.
  } finally {
    clearTimeout(watchdog);
    giveUp();
  }
}
