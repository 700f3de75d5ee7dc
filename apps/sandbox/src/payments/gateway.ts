import type { FastifyInstance } from 'fastify';

import type { Site } from '../server/sandbox-module.js';
import type { Notification, GatewayName, Trade } from './trade.js';

/** A message to the merchant: its bytes and signature headers. */
export interface NotificationMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Injected faults of one message. `amount`: the reported amount in fen. */
export interface Tampering {
  readonly amount: number;
  readonly signature: 'right' | 'wrong';
}

/** One gateway: its API and its notifications. */
export interface PaymentGateway {
  readonly name: GatewayName;
  /** Registers its routes in a scope whose bodies are raw bytes. */
  routes(scope: FastifyInstance, site: Site): void;
  /** Seconds between attempts of a notification. */
  readonly schedule: readonly number[];
  /** Built and signed for every attempt. */
  message(trade: Trade, notification: Notification, tampering: Tampering): NotificationMessage;
  /** Where the buyer returns after paying; null when paying by phone. */
  returnAddress(trade: Trade): string | null;
  /** Whether the merchant's response acknowledges the notification. */
  accepts(answer: { readonly status: number; readonly body: string }): boolean;
}
