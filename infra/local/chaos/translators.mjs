// Members who translate without pause and remember every answer they got.
import { sleep } from '../processes.mjs';
import { createAsked, differentAgain } from './asked.mjs';

const request = { source: 'zh-Hans', target: 'zh-Hant', text: '国' };
const lanes = 4;

/** @param {{account: string, call: Function}[]} members */
export function startTranslators(members) {
  let running = true;
  const workers = members.map(({ account, call }) => {
    const asked = createAsked((body, key) => call('POST', '/translation/text', body, { 'Idempotency-Key': key }));
    return { account, asked };
  });
  const work = workers.flatMap(({ asked }) =>
    Array.from({ length: lanes }, async () => {
      while (running) {
        await asked.ask(request);
        await sleep(400);
      }
    }),
  );
  return {
    workers,
    acknowledged: () => workers.reduce((sum, { asked }) => sum + asked.tally().acknowledged.length, 0),
    async end() {
      running = false;
      await Promise.all(work);
    },
    settle: () => sum(workers.map(({ asked }) => asked.settle())),
    /** Sentences about what is wrong with the answers themselves. */
    async complaints() {
      return (await Promise.all(workers.map(complaintsOf))).flat();
    },
  };
}

async function complaintsOf({ account, asked }) {
  const { acknowledged, unknown, refused } = asked.tally();
  const found = [];
  if (unknown.length) found.push(`${account}: ${unknown.length} translations stayed without an answer`);
  const reasons = [...new Set(refused.map(({ code }) => code))];
  if (refused.length) found.push(`${account}: ${refused.length} translations were refused (${reasons.join(', ')})`);
  const lost = acknowledged.filter(({ data }) => data.translated !== '國').length;
  if (lost) found.push(`${account}: ${lost} answers carry another text`);
  return [...found, ...(await differentAgain({ account, asked }))];
}

const sum = async (promises) => (await Promise.all(promises)).reduce((total, n) => total + n, 0);
