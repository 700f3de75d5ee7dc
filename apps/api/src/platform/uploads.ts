import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Transform } from 'node:stream';
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
import { BytePace } from './byte-pace.js';

/** A file that a request brought along. It lies at `path` for as long as the request is worked on, readable by nobody else. */
export type Upload = { readonly path: string; readonly bytes: number; readonly sha256: string };

/** A request with its upload read: the fields of the form are its `body`. */
export type UploadRequest = FastifyRequest & { upload?: Upload };

/** The file of a contract with `upload`. Using it elsewhere is a programming error. */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext): Upload => {
  const { upload } = context.switchToHttp().getRequest<UploadRequest>();
  if (!upload) throw new Error('This endpoint takes no upload.');
  return upload;
});

const PREFIX = 'yiqiao-upload-';
const FIELDS_MAX = 8;
const FIELD_BYTES = 64 * 1024;
const RECEIVE_MS = 60_000;
const SECOND_MS = 1_000;

/** Forms are read by {@link receive}, once their sender is known; a route that expects JSON refuses them. */
export const takeForms = async (fastify: FastifyInstance): Promise<void> => {
  await fastify.register(multipart, { throwFileSizeLimit: false });
  await removeLeftOvers();
};

const LEFT_OVER_MS = 3600_000;

/** What a process that was killed left behind. */
async function removeLeftOvers(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = path.join(tmpdir(), name);
    const made = await stat(folder).catch(() => null);
    if (made && Date.now() - made.mtimeMs > LEFT_OVER_MS) await rm(folder, { recursive: true, force: true });
  }
}

type Received = { fields: Record<string, string>; upload: Upload; discard: () => Promise<void> };

/**
 * Reads the form of `request` into a folder of its own and answers its texts and its file; `discard` removes the folder. Throws
 * UPLOAD_EXPECTED, FILE_TOO_LARGE, MALFORMED_UPLOAD, UPLOAD_TOO_SLOW, or VALIDATION_FAILED when the file is missing: then nothing is left behind.
 */
export async function receive(request: FastifyRequest, { maxBytes }: { maxBytes: number }): Promise<Received> {
  if (!request.isMultipart()) throw new Refusal('UPLOAD_EXPECTED');
  const tooLarge = new Refusal('FILE_TOO_LARGE', { data: { maxBytes } });
  // Said before it is sent, it need not be received.
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + FIELDS_MAX * FIELD_BYTES) throw tooLarge;
  const folder = await mkdtemp(path.join(tmpdir(), PREFIX));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const pace = watchPace(request);
  const read = readForm(request, { folder, maxBytes, tooLarge });
  try {
    return { ...(await Promise.race([read, pace.tooSlow])), discard };
  } catch (error) {
    // A form that is given up while it is read ends with its connection, and its files are closed then.
    if (error instanceof Refusal && error.code === 'UPLOAD_TOO_SLOW') void read.catch(() => undefined).finally(discard);
    await discard();
    throw error;
  } finally {
    pace.stop();
  }
}

/**
 * Watches how fast a form comes in: who sends less than UPLOAD_LEAST_BYTES_PER_SECOND over UPLOAD_SLOW_MS is refused and gives its
 * place to others, and so is who takes longer than RECEIVE_MS altogether.
 */
function watchPace({ raw }: FastifyRequest): { tooSlow: Promise<never>; stop: () => void } {
  const { promise: tooSlow, reject } = Promise.withResolvers<never>();
  tooSlow.catch(() => undefined);
  const least = (UPLOAD_LEAST_BYTES_PER_SECOND * UPLOAD_SLOW_MS) / 1_000;
  const giveUp = (): void => reject(new Refusal('UPLOAD_TOO_SLOW'));
  // What had come at each second of the window, the oldest first.
  const came = [raw.socket.bytesRead];
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket;
    if (came.push(bytesRead) <= UPLOAD_SLOW_MS / SECOND_MS) return;
    if (bytesRead - (came.shift() ?? 0) < least && !raw.complete) giveUp();
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
  // The reader refuses `constructor` and its like without saying which it was; this is where it names every part, first.
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
        upload = await keep(part.file, path.join(folder, 'file'));
        if (part.file.truncated) throw tooLarge;
      } else {
        // Nest's pipe would drop `prototype` unseen.
        if (Object.hasOwn(fields, part.fieldname) || part.fieldname === 'prototype') throw unknown(part.fieldname);
        if (typeof part.value !== 'string' || part.valueTruncated || part.fieldnameTruncated) throw malformed();
        fields[part.fieldname] = part.value;
      }
    }
    if (!upload) throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'file', code: 'FILE_REQUIRED' }] });
    return { fields, upload };
  } catch (error) {
    if (error instanceof Refusal || isOurs(error)) throw error;
    throw reserved !== undefined && isReservedName(error) ? unknown(reserved) : malformed();
  }
}

const PACE = new BytePace({ bytesPerSecond: UPLOAD_BYTES_PER_SECOND, burst: UPLOAD_BURST_BYTES });

async function keep(file: NodeJS.ReadableStream, at: string): Promise<Upload> {
  const digest = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _, done) {
      digest.update(chunk);
      bytes += chunk.length;
      const wait = PACE.take(chunk.length);
      if (wait === 0) done(null, chunk);
      else setTimeout(done, wait, null, chunk);
    },
  });
  await pipeline(file, measure, createWriteStream(at, { mode: 0o600 }));
  return { path: at, bytes, sha256: digest.digest('hex') };
}

const malformed = (): Refusal => new Refusal('MALFORMED_UPLOAD');

const unknown = (path: string): Refusal => new Refusal('UNKNOWN_FIELD', { errors: [{ path, code: 'UNKNOWN_FIELD' }] });

/** The reader met a field that every object has by its prototype. */
const isReservedName = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_PROTO_VIOLATION';

/** The disk's errors are ours to mend; everything else that goes wrong while a form is read is wrong with the form. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'ECONNRESET';
