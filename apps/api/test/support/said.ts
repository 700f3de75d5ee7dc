/** Runs a command in this process and answers its exit code and what it wrote. */
export async function said(run: () => Promise<number>): Promise<{ code: number; out: string; err: string }> {
  const streams = { out: process.stdout, err: process.stderr };
  const text = { out: '', err: '' };
  const restore: (() => void)[] = [];
  for (const name of ['out', 'err'] as const) {
    const stream = streams[name];
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array) => {
      text[name] += String(chunk);
      return true;
    };
    restore.push(() => (stream.write = write));
  }
  try {
    const code = await run();
    return { code, ...text };
  } finally {
    for (const undo of restore) undo();
  }
}
