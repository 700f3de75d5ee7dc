import type { LockedAccount } from '../rows/account-rows.js';
import { arrayLiteral, BigintArrays, type Parameter, TextArray } from '../rows/array-parameters.js';

// Field by field, in the order of the statements: objects assembled from names would cost more than the values written into them.
export const chargeColumns = (size: number) => {
  const ints = new BigintArrays(size, 24);
  return {
    user: ints.next(),
    family: ints.next(),
    seq: ints.next(),
    type: ints.next(),
    typeSeq: ints.next(),
    at: ints.next(),
    char: ints.next(),
    voice: ints.next(),
    image: ints.next(),
    used: ints.next(),
    lastChar: ints.next(),
    lastVoice: ints.next(),
    lastImage: ints.next(),
    expireAt: ints.next(),
    channel: ints.next(),
    mode: ints.next(),
    config: ints.next(),
    usedChannel: ints.next(),
    usageSeq: ints.next(),
    holdMode: ints.next(),
    clientType: ints.next(),
    vendorAccount: ints.next(),
    vendorCost: ints.next(),
    apiKey: ints.next(),
    id: new TextArray(),
    hash: new TextArray(),
    ip: new TextArray(),
    source: new TextArray(),
    target: new TextArray(),
  };
};
export const holdColumns = (size: number) => {
  const ints = new BigintArrays(size, 11);
  return {
    user: ints.next(),
    family: ints.next(),
    kind: ints.next(),
    char: ints.next(),
    voice: ints.next(),
    image: ints.next(),
    used: ints.next(),
    mode: ints.next(),
    at: ints.next(),
    until: ints.next(),
    apiKey: ints.next(),
    id: new TextArray(),
  };
};
export const lineColumns = (size: number) => {
  const ints = new BigintArrays(size, 12);
  return {
    user: ints.next(),
    family: ints.next(),
    usageSeq: ints.next(),
    at: ints.next(),
    kind: ints.next(),
    status: ints.next(),
    free: ints.next(),
    words: ints.next(),
    mode: ints.next(),
    channel: ints.next(),
    clientType: ints.next(),
    apiKey: ints.next(),
    id: new TextArray(),
    ip: new TextArray(),
    source: new TextArray(),
    target: new TextArray(),
  };
};

export function accountColumns(accounts: LockedAccount[]): Parameter[] {
  const ints = new BigintArrays(accounts.length, 11);
  const c = {
    id: ints.next(),
    char: ints.next(),
    voice: ints.next(),
    image: ints.next(),
    heldChar: ints.next(),
    heldVoice: ints.next(),
    heldImage: ints.next(),
    used: ints.next(),
    seq: ints.next(),
    usageSeq: ints.next(),
    at: ints.next(),
    typeSeqs: new TextArray(),
    head: new TextArray(),
  };
  for (const account of accounts) {
    c.id.push(account.userId);
    c.char.push(account.state.charNum);
    c.voice.push(account.state.voiceNum);
    c.image.push(account.state.imageNum);
    c.heldChar.push(account.held.charNum);
    c.heldVoice.push(account.held.voiceNum);
    c.heldImage.push(account.held.imageNum);
    c.used.push(account.state.usedCharTotal);
    c.seq.push(account.state.seq);
    c.usageSeq.push(account.usageSeq);
    c.at.push(account.lastAt);
    c.typeSeqs.push(arrayLiteral(account.typeSeqs));
    c.head.push(account.head);
  }
  return Object.values(c);
}

export function heldColumns(accounts: LockedAccount[]): Parameter[] {
  const ints = new BigintArrays(accounts.length, 6);
  const c = {
    id: ints.next(),
    char: ints.next(),
    voice: ints.next(),
    image: ints.next(),
    usageSeq: ints.next(),
    at: ints.next(),
  };
  for (const account of accounts) {
    c.id.push(account.userId);
    c.char.push(account.held.charNum);
    c.voice.push(account.held.voiceNum);
    c.image.push(account.held.imageNum);
    c.usageSeq.push(account.usageSeq);
    c.at.push(account.lastAt);
  }
  return Object.values(c);
}
