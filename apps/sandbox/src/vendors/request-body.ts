import type { FastifyRequest } from 'fastify';

export type Json = Readonly<Record<string, unknown>>;

/** The raw body of a request. */
export const bytesOf = (request: FastifyRequest): Buffer =>
  Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);

/** Parses JSON; undefined when it is invalid or not UTF-8. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A header as one string, '' when missing. */
export function headerOf(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** The query as sent. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const { url = '' } = request.raw;
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
}

/** Whether the Content-Type is this media type. */
export const isOfType = (request: FastifyRequest, type: string): boolean =>
  headerOf(request, 'content-type').split(';', 1)[0]?.trim().toLowerCase() === type;
