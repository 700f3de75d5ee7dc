import { hash } from 'node:crypto';
import { fillPath, type Endpoint, type Request as Sent, type Response as Received } from '@yiqiao/contracts/endpoint';
import { BASE_PATH, type Envelope } from '@yiqiao/contracts/envelope';
import { signedHeaders, tokenOf } from '@yiqiao/contracts/signing';
import supertest from 'supertest';

export type Session = { userId: number; sk: string };
export type Reply<E extends Endpoint> = {
  status: number;
  headers: Record<string, string>;
  body: Envelope<Received<E>>;
};

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** The headers of a client with `session` at this moment (decisions §2). */
export const headersOf = (session: Session, timestamp = Date.now()): Record<string, string> =>
  signedHeaders(tokenOf(session.sk, session.userId, sha256), timestamp, sha256);

const VERBS = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

/** Calls endpoints of the API at `url`; signed when there is a session. */
export class TestClient {
  constructor(
    readonly url: string,
    readonly session: Session | null = null,
    readonly extra: Record<string, string> = {},
  ) {}

  as(session: Session): TestClient {
    return new TestClient(this.url, session, this.extra);
  }

  with(headers: Record<string, string>): TestClient {
    return new TestClient(this.url, this.session, { ...this.extra, ...headers });
  }

  /** Sends any input, valid or not. */
  async send<E extends Endpoint>(endpoint: E, input: unknown): Promise<Reply<E>> {
    const { path: filled, rest } = fillPath(endpoint.path, input as Record<string, unknown>);
    const path = `${endpoint.base ?? BASE_PATH}${filled}`;
    // Anything but an object is sent as it is.
    const given = filled === endpoint.path ? input : rest;
    const call = supertest(this.url)[VERBS[endpoint.method]](path).set(this.extra);
    if (this.session) void call.set(headersOf(this.session));
    const sent = endpoint.method === 'GET' ? call.query(given as object) : call.send(given as object);
    const answer = await sent;
    return { status: answer.status, headers: answer.headers, body: answer.body as Reply<E>['body'] };
  }

  /** Sends a form with `file` to an upload endpoint. */
  async upload<E extends Endpoint>(endpoint: E, fields: Record<string, string>, file: Buffer): Promise<Reply<E>> {
    const call = supertest(this.url).post(`${BASE_PATH}${endpoint.path}`).set(this.extra);
    if (this.session) void call.set(headersOf(this.session));
    for (const [name, value] of Object.entries(fields)) void call.field(name, value);
    const answer = await call.attach('file', file, 'file');
    return { status: answer.status, headers: answer.headers, body: answer.body as Reply<E>['body'] };
  }

  /** Sends a valid request and returns `data`; throws with the whole response if it was refused. */
  async call<E extends Endpoint>(endpoint: E, input: Sent<E>): Promise<Received<E>> {
    const { status, body } = await this.send(endpoint, input);
    if (!body.success) throw new Error(`${endpoint.path} answered ${status} ${JSON.stringify(body)}`);
    return body.data;
  }
}
