import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { customerService, type CustomerServiceDocument } from '@yiqiao/contracts/site-documents';
import { RememberedReads } from '../platform/remembered-reads.js';
import { Site } from './site.js';

type Account = CustomerServiceDocument[number]['accountList'][number];

/** What a code shows: a picture that an operator gave (a data URL), else the text that is drawn as one. */
export type Code = { readonly picture: string; readonly text: string };

const DOCUMENT = 'CUSTOMER_SERVICE';

/** Whom visitors may write to, as operators configured it (decisions §6). Nobody, when nothing is configured. */
@Injectable()
export class CustomerService {
  readonly #documents: RememberedReads<string, CustomerServiceDocument>;

  constructor(site: Site) {
    this.#documents = new RememberedReads(async () => {
      const { data = [] } = customerService.safeParse(await site.config(DOCUMENT));
      return new Map([[DOCUMENT, data]]);
    });
  }

  async all(): Promise<CustomerServiceDocument> {
    return (await this.#documents.get(DOCUMENT)) ?? [];
  }

  /** Those that are shown, with the platforms that have any. */
  async listed(): Promise<CustomerServiceDocument> {
    const all = (await this.all()).map(({ platform, accountList }) => ({
      platform,
      accountList: accountList.filter(({ listed }) => listed),
    }));
    return all.filter(({ accountList }) => accountList.length > 0);
  }

  /** The code with this name; null when none is shown (any more). */
  async code(name: string): Promise<Code | null> {
    for (const { accountList } of await this.listed())
      for (const account of accountList) if (codeName(account) === name) return codeOf(account);
    return null;
  }
}

const codeOf = ({ qr, referUrl, account }: Account): Code => ({ picture: qr, text: referUrl || account });

/** By what it shows: another code has another address, so an address may be kept for ever. */
export function codeName(account: Account): string {
  const { picture, text } = codeOf(account);
  return hash('sha256', JSON.stringify([picture, text]), 'hex').slice(0, 24);
}
