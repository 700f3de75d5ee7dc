import type zh from './messages.zh.js';

export default {
  title: 'Ledger proof',
  lead: 'At the end of each day the last entries of all accounts become one Merkle root, linked to the day before, signed and published here. Whoever keeps a copy can detect any later rewriting, our own included.',
  noScript: 'Turn on JavaScript in your browser to see the list.',
  failed: 'The list of closes couldn’t be loaded',
  none: 'No close yet. Shortly after midnight the day before is closed.',
  list: 'Daily closes',
  entries: 'Entries so far',
  accounts: 'Accounts',
  root: 'Merkle root',
  previous: 'Close before',
  signature: 'Signature',
  key: 'Public key',
  more: 'Show earlier closes',
  verify: 'Verify this list in your browser',
  verifying: 'Verifying…',
  download: 'Download this list (JSON)',
  whole:
    'The {{n}} {{n, noun(one: signature is valid; many: signatures are valid)}} and the closes follow one another. Compare the public key with one that you kept.',
  broken: 'The close of {{date}}: {{why}}',
  whySignature: 'its signature is not valid',
  whyHash: 'its hash does not match its content',
  whyPrevious: 'it does not follow the close before',
  unable:
    'This browser cannot verify Ed25519 signatures. Use a newer one, or download the list and verify it yourself.',
  how: 'How to verify your own balance',
  howText:
    'Ask our service for the ledger file of your account. It has all your entries, and the place and path of your account in the last two closes: they lead from your last entry to the Merkle root published here. Accounts appear as keyed digests, so a close reveals nobody and no balance.',
  howChain: 'Each line names the hash of the line before. Keep any of them: it must still be in every later list.',
} satisfies Record<keyof typeof zh, string>;
