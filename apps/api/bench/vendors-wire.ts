/**
 * The far side of the vendors' bench, raw and light: vendors that take exactly 100 ms, and the bare proxy that stands for the least that
 * anybody could put in front of one. `node vendors-wire.js vendor | proxy <url>`; tells its parent where it listens.
 *
 * Google's wire under /language/…, Microsoft's under /translate, OpenAI's under /v1/chat/completions. What begins with /dead is taken and never answered.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const VENDOR_MS = 100;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Everything becomes the same sentence, with the marks for what must survive. */
const translationOf = (text: string): string =>
  `Hello, do you still have this shirt, and when will it be sent? ${(text.match(/\{\d+\}/g) ?? []).join(' ')}`;

type Google = { q: string[] };
type Microsoft = { Text: string }[];
type OpenAi = { model: string; messages: { content: string }[] };
type Said = Google | Microsoft | OpenAi;

function answerTo(said: Said): unknown {
  if ('q' in said) return { data: { translations: said.q.map((text) => ({ translatedText: translationOf(text) })) } };
  if (!('messages' in said))
    return said.map(({ Text }) => ({ translations: [{ text: translationOf(Text), to: 'en' }] }));
  const message = { role: 'assistant', content: translationOf(said.messages.at(-1)?.content ?? '') };
  return {
    ...{ id: 'bench', object: 'chat.completion', created: 0, model: said.model },
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 },
  };
}

function vendor(request: IncomingMessage, response: ServerResponse): void {
  const arrived = Date.now();
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/dead')) return;
    const answer = JSON.stringify(answerTo(JSON.parse(body) as Said));
    const headers = { ...JSON_TYPE, 'content-length': Buffer.byteLength(answer) };
    setTimeout(() => response.writeHead(200, headers).end(answer), VENDOR_MS - (Date.now() - arrived));
  });
}

function proxyTo(origin: string): (request: IncomingMessage, response: ServerResponse) => void {
  const pool = new Pool(origin, { connections: 256 });
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await pool.request({
      path: request.url ?? '/',
      method: 'POST',
      headers: JSON_TYPE,
      body: request,
    });
    response.writeHead(answer.statusCode, JSON_TYPE);
    answer.body.pipe(response);
  };
  return (request, response) => void forward(request, response).catch(() => response.destroy());
}

const [kind, target = ''] = process.argv.slice(2);
const server = createServer(kind === 'proxy' ? proxyTo(target) : vendor).listen(0, '127.0.0.1', () => {
  process.send?.({ listening: (server.address() as AddressInfo).port });
});
// Whoever started this is gone: so is the reason to go on.
process.once('disconnect', () => process.exit());
