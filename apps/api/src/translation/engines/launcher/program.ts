/** The launcher's program: a small process that starts the media programs (program-launcher.ts). */
import { BoundedPrograms } from '../bounded-programs.js';
import type { LaunchMessage, LaunchReply } from './messages.js';

const programs = new BoundedPrograms();
const running = new Map<number, AbortController>();

process.on('message', (message: LaunchMessage) => {
  if ('stop' in message) return running.get(message.stop)?.abort();
  const { id, program, bounds } = message;
  const stopping = new AbortController();
  running.set(id, stopping);
  void programs.run(program, { ...bounds, signal: stopping.signal }).then((outcome) => {
    running.delete(id);
    process.send?.({ id, outcome } satisfies LaunchReply);
  });
});
// The parent has exited, so nobody reads the results.
process.on('disconnect', () => {
  programs.killAll();
  process.exit(0);
});
