import type { StreamableFile } from '@nestjs/common';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import type { Success } from '@yiqiao/contracts/envelope';
import { CsvFile } from './csv-file.js';

type Method = (...args: unknown[]) => unknown;

/**
 * Wraps what a controller's method answers in the envelope; a stream answers for itself. The response schema is the whitelist: what it does
 * not name never leaves. An interceptor could do that, too; a single one makes Nest send every answer through half a dozen observables.
 */
export const enveloped =
  (contract: Contract): MethodDecorator =>
  (_, __, descriptor) => {
    if (contract.stream) return;
    const method = descriptor.value as Method;
    const answer = contract.file ? fileOf : (data: unknown) => envelope(contract, data);
    const wrapped = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      return answer(await method.apply(this, args));
    };
    descriptor.value = wrapped as typeof descriptor.value;
  };

const envelope = (contract: Contract, data: unknown): Success<unknown> => ({
  success: true,
  data: contract.response.parse(data),
  msg: '',
});

const fileOf = (data: unknown): StreamableFile => {
  if (data instanceof CsvFile) return data.answer;
  throw new Error('This endpoint answers a file.');
};
