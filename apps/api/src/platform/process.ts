/** Ends the process with what went wrong: the message alone when it is meant for a person, the stack otherwise. */
export function dieWith(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const plain = error instanceof Error && error.message.startsWith('The environment is not complete');
  process.stderr.write(`${plain ? error.message : text}\n`);
  process.exit(1);
}
