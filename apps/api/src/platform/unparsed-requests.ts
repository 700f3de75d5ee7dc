import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { languageOf } from '@yiqiao/contracts/envelope';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import { failure } from './answers.js';
import { uuid7 } from './uuid7.js';

/** What Node's HTTP parser says of bytes that are no request that it reads. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

/** Anything else that the parser refuses is a malformed request. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  HPE_INVALID_METHOD: 'METHOD_NOT_ALLOWED',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Of a packet: more than this of the headers is not looked through for a language. */
const SEARCHED_BYTES = 64 * 1024;

/**
 * Answers what the HTTP parser refuses before there is a request, with the envelope and an id like any other answer, and closes the
 * connection (decisions §1). Node would answer an empty body. `written` is told what a log line of it says.
 */
export const refuseUnparsed =
  (headers: readonly (readonly [name: string, value: string])[], written: (line: object) => void) =>
  (error: ParserError, socket: Socket & { _httpMessage?: ServerResponse | null }): void => {
    // Gone, or in the middle of an answer: nothing can be said any more. Node's own handler asks the same.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy(error);
      return;
    }
    const requestId = uuid7();
    const refusal = new Refusal(REFUSALS[error.code ?? ''] ?? 'MALFORMED_REQUEST');
    const { http, body } = failure(refusal, languageOf(acceptedLanguage(error.rawPacket)));
    const text = JSON.stringify(body);
    const lines = [
      `HTTP/1.1 ${http} ${STATUS_CODES[http]}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ];
    written({ requestId, status: http, parser: error.code });
    socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`);
    socket.destroySoon();
  };

/** The header as far as it can be read: it may stand in a packet that came before. */
const acceptedLanguage = (packet: unknown): string | undefined =>
  /^accept-language:[ \t]*([^\r\n]*)/im.exec(
    Buffer.isBuffer(packet) ? packet.toString('latin1', 0, SEARCHED_BYTES) : '',
  )?.[1];
