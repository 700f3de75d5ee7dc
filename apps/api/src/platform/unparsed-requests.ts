import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { languageOf } from '@yiqiao/contracts/envelope';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import { failureResponse } from './response-envelope.js';
import { uuid7 } from './uuid7.js';

/** The error of Node's HTTP parser. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

/** Any other parser error is a malformed request. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  HPE_INVALID_METHOD: 'METHOD_NOT_ALLOWED',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Bytes of a packet that are searched for a language header. */
const SEARCHED_BYTES = 64 * 1024;

/**
 * Answers parser errors, which occur before there is a request, with the envelope and a request id like any other response, and closes the
 * connection (decisions §1). Node would send an empty body. `log` receives the log line.
 */
export const refuseUnparsed =
  (headers: readonly (readonly [name: string, value: string])[], log: (line: object) => void) =>
  (error: ParserError, socket: Socket & { _httpMessage?: ServerResponse | null }): void => {
    // Disconnected, or a response has begun: nothing can be sent. Node's own handler checks the same.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy(error);
      return;
    }
    const requestId = uuid7();
    const refusal = new Refusal(REFUSALS[error.code ?? ''] ?? 'MALFORMED_REQUEST');
    const { http, body } = failureResponse(refusal, languageOf(acceptedLanguage(error.rawPacket)));
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
    log({ requestId, status: http, parser: error.code });
    socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`);
    socket.destroySoon();
  };

/** The header, if it is in this packet: an earlier one may have contained it. */
const acceptedLanguage = (packet: unknown): string | undefined =>
  /^accept-language:[ \t]*([^\r\n]*)/im.exec(
    Buffer.isBuffer(packet) ? packet.toString('latin1', 0, SEARCHED_BYTES) : '',
  )?.[1];
