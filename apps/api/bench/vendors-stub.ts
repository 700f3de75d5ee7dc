/**
 * Stub servers of the vendors bench: vendors that take exactly 100 ms, and a bare proxy as the lower bound of any service in front of them.
 * `node vendors-stub.js vendor | proxy <url>`; sends its port to the parent.
 *
 * Google's protocol under /language/…, Microsoft's under /translate, OpenAI's under /v1/chat/completions. Paths under /dead never respond.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const VENDOR_MS = 100;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Every text becomes the same sentence, with the placeholders of the source. */
const translationOf = (text: string): string =>
  `Hello, do you still have this shirt, and when will it be sent? ${(text.match(/\{\d+\}/g) ?? []).join(' ')}`;

type Google = { q: string[] };
type Microsoft = { Text: string }[];
type OpenAi = { model: string; messages: { content: string }[] };
type VendorRequest = Google | Microsoft | OpenAi;

function answerTo(request: VendorRequest): unknown {
  if ('q' in request)
    return { data: { translations: request.q.map((text) => ({ translatedText: translationOf(text) })) } };
  if (!('messages' in request))
    return request.map(({ Text }) => ({ translations: [{ text: translationOf(Text), to: 'en' }] }));
  const message = { role: 'assistant', content: translationOf(request.messages.at(-1)?.content ?? '') };
  return {
    id: 'bench',
    object: 'chat.completion',
    created: 0,
    model: request.model,
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
    const answer = JSON.stringify(answerTo(JSON.parse(body) as VendorRequest));
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
// The parent has ended.
process.once('disconnect', () => process.exit());
