/** Whose password: what was typed, and the address as far as the server shows it (decisions §3). */
export type Found = { account: string; email: string };
