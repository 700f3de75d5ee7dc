import { FORMS, type Case, type Load, type Runner } from './pgbench.js';
import type { Setting } from './verdicts.js';

const CLIENTS = { hot: [1, 4, 8], spread: [8, 16, 32] };

/** The best rate that PostgreSQL reaches with one transaction per charge, in charges per second; null without pgbench. */
export type Yardstick = { best: (seconds: number) => Promise<number | null> };

/** A short try of every form and number of clients; the rounds then repeat the best two and count the better one. */
export async function yardstickOf(runner: Runner | null, load: Load, { scale, say }: Setting): Promise<Yardstick> {
  if (!runner) return { best: () => Promise.resolve(null) };
  const tried: { which: Case; rate: number }[] = [];
  for (const form of FORMS)
    for (const clients of CLIENTS[load]) {
      const which = { load, form, clients };
      tried.push({ which, rate: await runner.run(which, scale) });
    }
  tried.sort((a, b) => b.rate - a.rate);
  const rates = tried.map(({ which, rate }) => `${which.form}×${which.clients} ${Math.round(rate)}`);
  say(`pgbench ${load}: ${rates.join(' · ')}`);
  const cases = tried.slice(0, 2).map(({ which }) => which);
  return {
    best: async (seconds) => {
      let best = 0;
      for (const which of cases) best = Math.max(best, await runner.run(which, seconds));
      return best;
    },
  };
}
