import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const CLOCK_SKEW_MS = 15 * 60_000;
/** So few that a list has several pages. */
const KEYS_OF_A_PAGE = 3;

type Answer = { status: number; body?: string | Buffer };
const error = (status: number, code: string): Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});

/**
 * A server with one bucket, `backups`, that speaks the part of S3 that backups use: it puts, gets, deletes and lists objects, and checks the
 * signature (version 4) of every request and of its content. Written after Amazon's documentation, not with the client's code.
 */
export class Bucket {
  readonly objects = new Map<string, Buffer>();
  readonly #keyId = `AKIA${randomBytes(6).toString('hex')}`;
  readonly #secret = randomBytes(20).toString('hex');
  readonly #server: Server;
  /** So many of the next requests are refused as one too many. */
  busyFor = 0;
  /** Takes no object of such a name, as one whose quota is used up. */
  refuses: RegExp | undefined;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(): Promise<Bucket> {
    const bucket = new Bucket();
    bucket.#server.listen(0, '127.0.0.1');
    await once(bucket.#server, 'listening');
    return bucket;
  }

  get env(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return {
      BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      BACKUP_S3_KEY_ID: this.#keyId,
      BACKUP_S3_SECRET: this.#secret,
    };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const content = Buffer.concat(chunks);
    const { status, body } = this.#isSigned(request, content)
      ? this.#answer(request, content)
      : error(403, 'SignatureDoesNotMatch');
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    response.end(body);
  }

  #answer(request: IncomingMessage, content: Buffer): Answer {
    if (this.busyFor > 0) {
      this.busyFor--;
      return error(503, 'SlowDown');
    }
    const url = new URL(request.url ?? '/', 'http://bucket');
    const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    if (bucket !== 'backups') return error(404, 'NoSuchBucket');
    if (request.method === 'GET' && key === '') return this.#list(url.searchParams);
    if (request.method === 'PUT') {
      if (this.refuses?.test(key)) return error(403, 'QuotaExceeded');
      this.objects.set(key, content);
      return { status: 200 };
    }
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204 };
    }
    const body = this.objects.get(key);
    return body ? { status: 200, body } : error(404, 'NoSuchKey');
  }

  #list(query: URLSearchParams): Answer {
    if (query.get('list-type') !== '2') return error(501, 'NotImplemented');
    const after = query.get('continuation-token') ?? '';
    const found = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = found.slice(0, KEYS_OF_A_PAGE);
    const contents = page.map(
      (key) => `<Contents><Key>${key}</Key><Size>${this.objects.get(key)?.length}</Size></Contents>`,
    );
    const next = found.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const isTruncated = `<IsTruncated>${next !== ''}</IsTruncated>`;
    return { status: 200, body: `<ListBucketResult>${isTruncated}${next}${contents.join('')}</ListBucketResult>` };
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
  #isSigned({ method = '', url = '/', headers }: IncomingMessage, content: Buffer): boolean {
    const [, keyId, scope = '', signed = '', signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      ) ?? [];
    const time = String(headers['x-amz-date']);
    const digest = String(headers['x-amz-content-sha256']);
    const [day = '', region = '', service = '', end = ''] = scope.split('/');
    const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    const isFresh = Math.abs(Date.now() - at) < CLOCK_SKEW_MS && time.startsWith(day);
    if (keyId !== this.#keyId || !isFresh || digest !== sha256(content) || !signed.split(';').includes('host'))
      return false;
    const [path = '', query = ''] = url.split('?');
    const names = signed.split(';');
    const canonical = [
      method,
      path,
      query
        .split('&')
        .map((pair) => (pair === '' || pair.includes('=') ? pair : `${pair}=`))
        .sort()
        .join('&'),
      ...names.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}`),
      '',
      signed,
      digest,
    ].join('\n');
    const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
    const key = [day, region, service, end].reduce<Buffer | string>((k, part) => hmac(k, part), `AWS4${this.#secret}`);
    return hmac(key, text).toString('hex') === signature;
  }
}
