import { fillPath } from '@yiqiao/contracts/endpoint';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { openNotices } from '@yiqiao/contracts/notices';

export type Heard = { event: string; data: unknown };

/** A client of an event stream: reads with fetch and keeps the events. */
export class EventReader {
  readonly heard: Heard[] = [];
  /** Every received byte, comments included. */
  text = '';
  over = false;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;

  private constructor(readonly response: Response) {
    this.#ended = this.#read().finally(() => (this.over = true));
  }

  /** The members' stream, as the console reads it. */
  static open(url: string, clientId: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const { path } = fillPath(openNotices.path, { clientId });
    return EventReader.at(`${url}${BASE_PATH}${path}`, headers);
  }

  static async at(address: string, headers: Record<string, string>): Promise<EventReader> {
    const abort = new AbortController();
    const response = await fetch(address, { headers, signal: abort.signal });
    const reader = new EventReader(response);
    reader.#abort.signal.addEventListener('abort', () => abort.abort());
    return reader;
  }

  /** Waits for the first event of this name. */
  async event(name: string, patienceMs = 30_000): Promise<Heard> {
    const found = await until(() => this.heard.find(({ event }) => event === name), patienceMs);
    if (!found) throw new Error(`no ${name} came; there were ${JSON.stringify(this.heard)}`);
    return found;
  }

  /** Whether the server ends it within this time. */
  async endsWithin(ms: number): Promise<boolean> {
    return (await until(() => this.over || undefined, ms)) ?? false;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#ended;
  }

  async #read(): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of (this.response.body ?? []) as AsyncIterable<Uint8Array>) {
        const text = Buffer.from(chunk).toString();
        this.text += text;
        const frames = (rest + text).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) this.#take(frame);
      }
    } catch {
      // Cut off by either side.
    }
  }

  #take(frame: string): void {
    const event = /^event: (.*)$/m.exec(frame)?.[1];
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (event !== undefined) this.heard.push({ event, data: JSON.parse(data ?? 'null') });
  }
}

export async function until<T>(look: () => T | undefined, patienceMs: number): Promise<T | undefined> {
  for (const end = Date.now() + patienceMs; ;) {
    const found = look();
    if (found !== undefined || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
