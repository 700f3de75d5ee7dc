/**
 * `ask` for something that is kept, where several may ask side by side: an answer that comes after one to a later question is given to
 * whoever asked, and not kept, because it tells of an earlier time.
 */
export function keepNewest<T>(ask: () => Promise<T>, keep: (answer: T) => void): () => Promise<T> {
  let asked = 0;
  let kept = 0;
  return async () => {
    const mine = ++asked;
    const answer = await ask();
    if (mine > kept) {
      kept = mine;
      keep(answer);
    }
    return answer;
  };
}
