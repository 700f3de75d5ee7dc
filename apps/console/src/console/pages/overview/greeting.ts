export type Greeting = 'morning' | 'noon' | 'afternoon' | 'evening';

/** What to wish at `hour` (0–23, the member's own clock): 0–10 morning, 10–14 noon, 14–18 afternoon, 18–24 evening (specification §2). */
export const greetingOf = (hour: number): Greeting => {
  if (hour < 10) return 'morning';
  if (hour < 14) return 'noon';
  return hour < 18 ? 'afternoon' : 'evening';
};
