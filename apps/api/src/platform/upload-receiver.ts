import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import { UPLOADS_AT_ONCE, UPLOADS_PER_MEMBER } from '@yiqiao/domain/limits';
import { finalize, type Observable } from 'rxjs';
import { CONTRACT } from './contract-of.js';
import { receive, type UploadRequest } from './uploads.js';

/** Places for uploads: so many at once, of one member and of all. Whoever comes then is told before a byte is read. */
@Injectable()
export class UploadPlaces {
  readonly #underWay = new Map<number, number>();
  #all = 0;

  /** Answers how to leave again. */
  enter(userId: number): () => void {
    const mine = this.#underWay.get(userId) ?? 0;
    if (mine >= UPLOADS_PER_MEMBER) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 3 });
    if (this.#all >= UPLOADS_AT_ONCE) throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 3 });
    this.#underWay.set(userId, mine + 1);
    this.#all++;
    return () => {
      this.#all--;
      const left = (this.#underWay.get(userId) ?? 1) - 1;
      if (left > 0) this.#underWay.set(userId, left);
      else this.#underWay.delete(userId);
    };
  }
}

/** Receives what a member uploads, after the guards and before the pipes, and removes it when the request is over: nothing is kept. */
@Injectable()
export class UploadReceiver implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly places: UploadPlaces,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    if (!contract?.upload) return next.handle();
    const request = context.switchToHttp().getRequest<UploadRequest & { caller?: { userId: number } }>();
    const leave = this.places.enter(request.caller?.userId ?? 0);
    try {
      const { fields, upload, discard } = await receive(request, contract.upload);
      request.body = fields;
      request.upload = upload;
      return next.handle().pipe(
        finalize(() => {
          leave();
          void discard();
        }),
      );
    } catch (error) {
      leave();
      throw error;
    }
  }
}
