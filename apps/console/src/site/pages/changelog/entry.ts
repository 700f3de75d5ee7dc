/** What one update changed. `date`: `YYYY-MM-DD`. */
export type Entry = { readonly date: string; readonly changes: readonly string[] };
