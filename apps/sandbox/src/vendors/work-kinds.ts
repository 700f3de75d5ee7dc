/** What is worked for and paid, and may be made to fail: texts, recordings, speech, pictures. */
export const WORK_KINDS = ['translate', 'transcribe', 'speak', 'read'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export const isWork = (call: string): call is WorkKind => (WORK_KINDS as readonly string[]).includes(call);
