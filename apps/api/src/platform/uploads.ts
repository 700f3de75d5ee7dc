import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import {
  UPLOAD_BURST_BYTES,
  UPLOAD_BYTES_PER_SECOND,
  UPLOAD_LEAST_BYTES_PER_SECOND,
  UPLOAD_SLOW_MS,
} from '@yiqiao/domain/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ByteRateLimiter, rateLimitedStream } from './rate-limited-stream.js';

/** An uploaded file. It exists at `path` until the request ends, readable by this process only. */
export type Upload = { readonly path: string; readonly bytes: number; readonly sha256: string };

/** A request whose form has been read: the text fields are its `body`. */
export type UploadRequest = FastifyRequest & { upload?: Upload };

/** The file of a contract with `upload`. Using it elsewhere is a programming error. */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext): Upload => {
  const { upload } = context.switchToHttp().getRequest<UploadRequest>();
  if (!upload) throw new Error('This endpoint takes no upload.');
  return upload;
});

/** Of folders, whose names go on with the id of their process. */
const PREFIX = 'yiqiao-upload-';
const FIELDS_MAX = 8;
const FIELD_BYTES = 64 * 1024;
const RECEIVE_MS = 60_000;
const SECOND_MS = 1_000;

/** Forms are read by {@link receiveUpload} once the sender is authenticated; a route that expects JSON refuses them. */
export const registerMultipart = async (fastify: FastifyInstance): Promise<void> => {
  await fastify.register(multipart, { throwFileSizeLimit: false });
  await removeStaleFolders();
};

const STALE_MS = 3600_000;

/** Removes the folders of a process that was killed. */
async function removeStaleFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = path.join(tmpdir(), name);
    const made = await stat(folder).catch(() => null);
    if (made && Date.now() - made.mtimeMs > STALE_MS) await rm(folder, { recursive: true, force: true });
  }
}

type Received = { fields: Record<string, string>; upload: Upload; discard: () => Promise<void> };

/**
 * Reads the form of `request` into a temporary folder and returns its text fields and its file; `discard` removes the folder. Throws
 * UPLOAD_EXPECTED, FILE_TOO_LARGE, MALFORMED_UPLOAD, UPLOAD_TOO_SLOW, or VALIDATION_FAILED when the file is missing, and removes the folder.
 */
export async function receiveUpload(request: FastifyRequest, { maxBytes }: { maxBytes: number }): Promise<Received> {
  if (!request.isMultipart()) throw new Refusal('UPLOAD_EXPECTED');
  const tooLarge = new Refusal('FILE_TOO_LARGE', { data: { maxBytes } });
  // Refused by its announced length, before it is received.
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + FIELDS_MAX * FIELD_BYTES) throw tooLarge;
  const folder = await mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const speed = watchSpeed(request);
  const read = readForm(request, { folder, maxBytes, tooLarge });
  try {
    return { ...(await Promise.race([read, speed.tooSlow])), discard };
  } catch (error) {
    // The abandoned read ends with its connection; only then are its files closed.
    if (error instanceof Refusal && error.code === 'UPLOAD_TOO_SLOW') void read.catch(() => undefined).finally(discard);
    await discard();
    throw error;
  } finally {
    speed.stop();
  }
}

/** Rejects an upload slower than UPLOAD_LEAST_BYTES_PER_SECOND over UPLOAD_SLOW_MS, or longer than RECEIVE_MS in total. */
function watchSpeed({ raw }: FastifyRequest): { tooSlow: Promise<never>; stop: () => void } {
  const { promise: tooSlow, reject } = Promise.withResolvers<never>();
  tooSlow.catch(() => undefined);
  const least = (UPLOAD_LEAST_BYTES_PER_SECOND * UPLOAD_SLOW_MS) / 1_000;
  const giveUp = (): void => reject(new Refusal('UPLOAD_TOO_SLOW'));
  // Bytes received at each second of the window, oldest first.
  const received = [raw.socket.bytesRead];
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket;
    if (received.push(bytesRead) <= UPLOAD_SLOW_MS / SECOND_MS) return;
    if (bytesRead - (received.shift() ?? 0) < least && !raw.complete) giveUp();
  }, SECOND_MS);
  const late = setTimeout(giveUp, RECEIVE_MS);
  return {
    tooSlow,
    stop: () => {
      clearInterval(timer);
      clearTimeout(late);
    },
  };
}

async function readForm(
  request: FastifyRequest,
  { folder, maxBytes, tooLarge }: { folder: string; maxBytes: number; tooLarge: Refusal },
): Promise<Omit<Received, 'discard'>> {
  let reserved: string | undefined;
  // The parser refuses `constructor` and the like without naming the field; it calls this function for every part first.
  const isPartAFile = (name: string | undefined, contentType: string | undefined, fileName: string | undefined) => {
    if (name !== undefined && name in Object.prototype) reserved ??= name;
    return contentType === 'application/octet-stream' || fileName !== undefined;
  };
  try {
    const fields: Record<string, string> = {};
    let upload: Upload | undefined;
    const limits = { files: 1, fields: FIELDS_MAX, fieldSize: FIELD_BYTES, parts: FIELDS_MAX + 1, fileSize: maxBytes };
    for await (const part of request.parts({ limits, isPartAFile })) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file') throw unknown(part.fieldname);
        upload = await save(part.file, path.join(folder, 'file'));
        if (part.file.truncated) throw tooLarge;
      } else {
        // Nest's pipe would silently drop `prototype`.
        if (Object.hasOwn(fields, part.fieldname) || part.fieldname === 'prototype') throw unknown(part.fieldname);
        if (typeof part.value !== 'string' || part.valueTruncated || part.fieldnameTruncated) throw malformed();
        fields[part.fieldname] = part.value;
      }
    }
    if (!upload) throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'file', code: 'FILE_REQUIRED' }] });
    return { fields, upload };
  } catch (error) {
    if (error instanceof Refusal || isServerError(error)) throw error;
    throw reserved !== undefined && isReservedName(error) ? unknown(reserved) : malformed();
  }
}

const rateLimiter = new ByteRateLimiter({ bytesPerSecond: UPLOAD_BYTES_PER_SECOND, burst: UPLOAD_BURST_BYTES });

async function save(file: NodeJS.ReadableStream, at: string): Promise<Upload> {
  const digest = createHash('sha256');
  let bytes = 0;
  const limited = rateLimitedStream(rateLimiter, (chunk) => {
    digest.update(chunk);
    bytes += chunk.length;
  });
  await pipeline(file, limited, createWriteStream(at, { mode: 0o600 }));
  return { path: at, bytes, sha256: digest.digest('hex') };
}

const malformed = (): Refusal => new Refusal('MALFORMED_UPLOAD');

const unknown = (path: string): Refusal => new Refusal('UNKNOWN_FIELD', { errors: [{ path, code: 'UNKNOWN_FIELD' }] });

/** The parser met a field name that every object inherits. */
const isReservedName = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_PROTO_VIOLATION';

/** Disk errors are server errors; any other error while a form is read means a malformed form. */
const isServerError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'ECONNRESET';
