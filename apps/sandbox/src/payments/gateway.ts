import type { FastifyInstance } from 'fastify';

import type { Site } from '../server/sandbox-module.js';
import type { Notification, GatewayName, Trade } from './trade.js';

/** What a gateway sends to the merchant: the exact bytes and the headers that vouch for them. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A wish of the switches about one message. `amount` in fen: what it says was paid. */
export interface Tampering {
  readonly amount: number;
  readonly signature: 'right' | 'wrong';
}

/** One gateway: the protocol it speaks when asked, and when it speaks first. */
export interface PaymentGateway {
  readonly name: GatewayName;
  /** Serves its addresses in a scope of its own, whose bodies are raw bytes. */
  routes(scope: FastifyInstance, site: Site): void;
  /** Seconds from one try of a notification to the next. */
  readonly schedule: readonly number[];
  /** Composed and signed anew for every try. */
  message(trade: Trade, notification: Notification, tampering: Tampering): Message;
  /** Where the buyer is led after paying; null for a gateway whose buyers hold a telephone. */
  returnAddress(trade: Trade): string | null;
  /** Whether the merchant's answer ends the tries. */
  accepts(answer: { readonly status: number; readonly body: string }): boolean;
}
