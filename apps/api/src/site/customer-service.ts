import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { codeName, codeOf, listedIn, type Code } from '@yiqiao/contracts/service-codes';
import { customerService, type CustomerServiceDocument } from '@yiqiao/contracts/site-documents';
import { tidy } from '@yiqiao/domain/members';
import { CachedReads } from '../platform/cached-reads.js';
import { Site } from './site.js';

const DOCUMENT = 'CUSTOMER_SERVICE';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** The customer service accounts that operators configured (decisions §6). */
@Injectable()
export class CustomerService {
  readonly #documents: CachedReads<string, CustomerServiceDocument>;

  constructor(site: Site) {
    this.#documents = new CachedReads(async () => {
      const { data = [] } = customerService.safeParse(await site.config(DOCUMENT));
      return new Map([[DOCUMENT, data]]);
    });
  }

  /** Including accounts that are not listed. */
  async all(): Promise<CustomerServiceDocument> {
    return (await this.#documents.get(DOCUMENT)) ?? [];
  }

  /** Where this account is, as typed, letter by letter after the same normalization, so that look-alikes fail; listed or not. */
  async find(account: string): Promise<{ platform: string; accountType: number; listed: boolean }[]> {
    return (await this.all()).flatMap(({ platform, accountList }) =>
      accountList
        .filter((each) => plain(each.account) === plain(account))
        .map(({ accountType, listed }) => ({ platform, accountType, listed })),
    );
  }

  /** The code with this name; null when no listed account has it. */
  async code(name: string): Promise<Code | null> {
    for (const { accountList } of listedIn(await this.all()))
      for (const account of accountList) if (codeName(account, sha256) === name) return codeOf(account);
    return null;
  }
}

/** The normalization of the contract. */
export const plain = (text: string): string => tidy(text.normalize('NFKC'));
