import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import { UPLOADS_AT_ONCE, UPLOADS_PER_MEMBER } from '@yiqiao/domain/limits';
import { finalize, type Observable } from 'rxjs';
import { CONTRACT, type SignedRequest } from './endpoint.js';
import { receive, type UploadRequest } from './uploads.js';

/**
 * Receives what a member uploads, after the guard and before the pipes, and removes it when the request is over: nothing is kept. So many
 * at once, of one member and of all; whoever comes then is told before a byte is read.
 */
@Injectable()
export class UploadReceiver implements NestInterceptor {
  readonly #underWay = new Map<number, number>();
  #all = 0;

  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    const request = context.switchToHttp().getRequest<SignedRequest & UploadRequest>();
    if (!contract?.upload) {
      if (contract && request.isMultipart()) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
      return next.handle();
    }
    const leave = this.#enter(request.caller?.userId ?? 0);
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

  #enter(userId: number): () => void {
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
