/** What one clause of the agreement says, in one language. */
export type Clause = { title: string; paragraphs: readonly string[] };
