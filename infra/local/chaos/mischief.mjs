// Makes the sandbox's vendors misbehave at random: one account, one fault at a time, for a few requests or until it is switched off.
import { sleep } from '../processes.mjs';

const vendors = ['google', 'microsoft', 'tencent', 'youdao', 'deepl', 'chatgpt', 'libretranslate'];
const accounts = vendors.flatMap((vendor) => [1, 2].map((n) => `sandbox-${vendor}-${n}`));
const kinds = [
  ...['delay', 'hang', 'drop', 'cut', 'rate', 'quota', 'auth', 'error', 'empty'],
  ...['malformed', 'count', 'echo', 'script', 'lose', 'lines', 'block'],
];

/** @param {{sandbox: string, dice: object}} options where the switches are */
export function startMischief({ sandbox, dice }) {
  let running = true;
  let made = 0;
  const url = `${sandbox}/vendors/switches`;
  const send = (to, init) => fetch(to, { ...init, signal: AbortSignal.timeout(5_000) });
  // A sandbox that was just killed has forgotten its switches, too.
  const tried = (to, init) =>
    send(to, init).then(
      (answer) => answer.ok,
      () => false,
    );
  const work = (async () => {
    while (running) {
      const account = dice.pick(accounts);
      const kind = dice.pick(kinds);
      const fault = {
        kind,
        ...(dice.between(1, 4) > 1 && { times: dice.between(1, 8) }),
        ...(kind === 'delay' && { ms: dice.between(50, 6_000) }),
      };
      const body = JSON.stringify({ account, fault });
      if (await tried(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })) made++;
      await sleep(dice.between(200, 800));
      if (dice.between(1, 2) === 1) await tried(`${url}?account=${dice.pick(accounts)}`, { method: 'DELETE' });
    }
  })();
  return {
    made: () => made,
    /** Every vendor behaves again. */
    async end() {
      running = false;
      await work;
      const answer = await send(url, { method: 'DELETE' });
      if (!answer.ok) throw new Error(`the vendors' switches cannot be reset: ${answer.status}`);
    },
  };
}
