let setTime: number | null = null;

/** The time of trades, in epoch ms: the machine's, unless a history is being made. Signatures and notifications always use the machine's. */
export const tradeTime = (): number => setTime ?? Date.now();

/** Null: the machine's time again. */
export const setTradeTime = (at: number | null): void => {
  setTime = at;
};
