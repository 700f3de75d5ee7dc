// What acknowledged translations cost and count, as the answers say it.

/** What came back of a request, text by text. */
export const deliveredOf = ({ request, data }) => {
  if (!Array.isArray(request.text)) return [{ text: request.text, ...data }];
  return data.items.flatMap((item, at) => (item.success ? [{ text: request.text[at], ...item }] : []));
};

export const codePoints = (text) => [...text].length;

/**
 * @param {{account: string, asked: object}[]} workers
 * @returns {(account: string) => {charged: number, used: number, lines: number}} an answer that delivered nothing makes no line
 */
export const spentOf = (workers) => (account) => {
  const total = { charged: 0, used: 0, lines: 0 };
  for (const { asked } of workers.filter((worker) => worker.account === account))
    for (const entry of asked.tally().acknowledged) {
      const delivered = deliveredOf(entry);
      total.charged += entry.data.charged;
      total.used += delivered.reduce((sum, { text }) => sum + codePoints(text), 0);
      total.lines += delivered.length > 0 ? 1 : 0;
    }
  return total;
};
