import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { languageOf } from '@yiqiao/contracts/envelope';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import type { Answer, Health } from './health.js';
import { failureResponse } from './response-envelope.js';

/** The probes of a process that serves nothing else. */
export const createHealthServer = (health: Health): Server => {
  const probes: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
    '/livez': () => health.live(),
    '/readyz': () => health.ready(),
    '/health': () => health.health(),
  };
  return createServer((request, response) => {
    const probe = probes[request.url?.split('?', 1)[0] ?? ''];
    if (!probe) return refuse('NOT_FOUND', request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse('METHOD_NOT_ALLOWED', request, response.setHeader('Allow', 'GET, HEAD'));
    void Promise.resolve(probe()).then(({ status, body }) => send(response, status, body));
  });
};

function refuse(code: ErrorCode, { headers }: IncomingMessage, response: ServerResponse): void {
  const { http, body } = failureResponse(new Refusal(code), languageOf(headers['accept-language']));
  send(response, http, body);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
