/** Runs a command in this process with the locale of a terminal; returns its exit code and its output. */
export async function runCommand(
  run: () => Promise<number>,
  locale = 'en_US.UTF-8',
): Promise<{ code: number; out: string; err: string }> {
  const streams = { out: process.stdout, err: process.stderr };
  const text = { out: '', err: '' };
  const { LC_ALL: before } = process.env;
  process.env['LC_ALL'] = locale;
  const restore: (() => void)[] = [
    () => void (before === undefined ? delete process.env['LC_ALL'] : (process.env['LC_ALL'] = before)),
  ];
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
