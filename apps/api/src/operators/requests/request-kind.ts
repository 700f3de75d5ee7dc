import type { EntityManager } from '@mikro-orm/postgresql';
import type { requestChange, requestCheck, requestSummary } from '@yiqiao/contracts/operator/requests';
import { Refusal } from '@yiqiao/domain/errors';
import type { OperatorAction } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { refusalOf } from '../../platform/input-pipe.js';
import type { Actor } from '../action-log.js';

export type RequestSummary = z.input<typeof requestSummary>;
export type RequestChange = z.input<typeof requestChange>;
export type RequestCheck = z.input<typeof requestCheck>;
export type RequestOutcome = {
  changes?: RequestChange[];
  refusal?: { code: string; text: { zh: string; en: string } };
};

/** What a request would do as things are now. */
export type RequestPreview = RequestSummary & { changes: RequestChange[]; checks: RequestCheck[] };

/** What is asked for: `target` as `RequestKind.target` returned it. */
export type Asked<P> = { readonly target: string; readonly payload: P };

/** How an approved request is carried out. The action rows of the effect carry `approvalId`, `reason` and, where it has entries, `cmdId`. */
export type Approved = {
  readonly approvalId: number;
  /** The same for every attempt: under it entries of the ledger are written once. */
  readonly cmdId: string;
  /** Of the operator who approved. */
  readonly actor: Actor;
  /** Who asked; the ledger and the account log name this manager. */
  readonly maker: { readonly name: string; readonly managerId: number };
  /** Why it was asked for. */
  readonly reason: string;
};

/** One kind of request. It is listed in `operators.module.ts`. */
export type RequestKind<P = unknown> = {
  /** The action that the maker needs. */
  readonly kind: OperatorAction;
  readonly targetKind: string;
  readonly payload: z.ZodType<P>;
  /** The one name of the target, by which two requests for it are known. Throws NOT_FOUND. */
  target(em: EntityManager, given: string): Promise<string>;
  /** Throws the refusal that carrying it out would meet now. */
  preview(em: EntityManager, asked: Asked<P>): Promise<RequestPreview>;
  /** The ordinary command, wholly in the transaction of `em`. A Refusal or CommandError ends the request as failed. */
  carryOut(em: EntityManager, asked: Asked<P>, approved: Approved): Promise<void>;
};

/** Every kind of request. */
export class RequestKinds {
  readonly #kinds: ReadonlyMap<string, RequestKind>;

  constructor(kinds: readonly RequestKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  }

  /** Refuses a kind that this process does not have. */
  find(kind: string): RequestKind {
    const found = this.#kinds.get(kind);
    if (!found) throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'kind', code: 'WRONG_VALUE' }] });
    return found;
  }

  /** The payload with its defaults; refuses one that does not fit the kind. */
  read({ payload }: RequestKind, given: unknown): unknown {
    const { success, data, error } = z.object({ payload }).safeParse({ payload: given });
    if (!success) throw refusalOf(error.issues);
    return data.payload;
  }
}
