/**
 * The uploads of the bench, in a separate process, so that sending pictures does not delay the measured texts. Runs one `Uploads` after
 * another from its parent and replies with the number of responses by status.
 */
import { readFile } from 'node:fs/promises';
import { Agent } from 'undici';

/** One upload after another for each of `headers`, for `seconds`. */
export type Uploads = {
  url: string;
  headers: readonly Record<string, string>[];
  fields: Readonly<Record<string, string>>;
  /** Path of the picture. */
  file: string;
  seconds: number;
};

/** The number of responses by status. */
export type Answered = Record<string, number>;

const agent = new Agent({ headersTimeout: 90_000, bodyTimeout: 90_000 });
const BOUNDARY = 'the-uploads-bench';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** Built once: assembling megabytes per upload would cost more than receiving them. */
async function formOf({ fields, file }: Uploads): Promise<Buffer> {
  const head = (name: string): string => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${name}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${head(`name="${name}"`)}\r\n${value}\r\n`);
  const begin = `${texts.join('')}${head('name="file"; filename="file"')}content-type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([Buffer.from(begin), await readFile(file), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

async function upload(uploads: Uploads): Promise<Answered> {
  const { origin, pathname } = new URL(uploads.url);
  const body = await formOf(uploads);
  const answered: Answered = {};
  const end = performance.now() + uploads.seconds * 1_000;
  const one = async (headers: Record<string, string>): Promise<void> => {
    while (performance.now() < end) {
      const request = { origin, path: pathname, method: 'POST', headers: { ...FORM, ...headers }, body } as const;
      const answer = await agent.request(request);
      await answer.body.dump();
      answered[answer.statusCode] = (answered[answer.statusCode] ?? 0) + 1;
    }
  };
  await Promise.all(uploads.headers.map(one));
  return answered;
}

process.on('message', (uploads: Uploads) => {
  void upload(uploads).then((answered) => process.send?.(answered));
});
process.once('disconnect', () => process.exit());
