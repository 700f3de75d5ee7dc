import type { Caller, ClientInfo } from '../platform/endpoint.js';
import type { Choice } from './channel-choice.js';
import type { AskedPair } from './resolve-languages.js';

/** A request without its texts: what is asked of which channels, by whom, under which command id. */
export type Asking = {
  readonly id: string;
  readonly pair: AskedPair;
  readonly choice: Choice;
  readonly caller: Caller;
  readonly client: ClientInfo;
  /** What is remembered does not do: it is to be translated again. */
  readonly fresh?: boolean;
};
