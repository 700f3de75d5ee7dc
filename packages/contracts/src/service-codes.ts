/** Codes of the customer service as everybody gets them: pictures on this origin (decisions §9). */
import type { Response } from './endpoint.js';
import type { Sha256 } from './signing.js';
import type { listCustomerService } from './site.js';
import type { CustomerServiceDocument } from './site-documents.js';

type Account = CustomerServiceDocument[number]['accountList'][number];

/** A QR code: an operator's picture (a data URL), else the text to encode. */
export type Code = { readonly picture: string; readonly text: string };

/** In pixels. */
export type CodeSize = { readonly width: number; readonly height: number };

export const codeOf = ({ qr, referUrl, account }: Account): Code => ({ picture: qr, text: referUrl || account });

/** Derived from the content, so an address can be cached permanently. 24 characters of hex. */
export function codeName(account: Account, sha256: Sha256): string {
  const { picture, text } = codeOf(account);
  return sha256(JSON.stringify([picture, text])).slice(0, 24);
}

const codePath = (name: string, { width, height }: CodeSize): string => `/qr/${name}-${width}x${height}.png`;

/** Those accounts that are shown, on the platforms that have any. */
export const listedIn = (document: CustomerServiceDocument): CustomerServiceDocument =>
  document
    .map(({ platform, accountList }) => ({ platform, accountList: accountList.filter(({ listed }) => listed) }))
    .filter(({ accountList }) => accountList.length > 0);

/** `document` in the format of `customer-service/list`. */
export const serviceRows = (
  document: CustomerServiceDocument,
  size: CodeSize,
  sha256: Sha256,
): Response<typeof listCustomerService> =>
  listedIn(document).map(({ platform, accountList }) => ({
    platform,
    accountList: accountList.map((each) => ({
      accountType: each.accountType,
      qrCode: codePath(codeName(each, sha256), size),
      referUrl: each.referUrl,
      account: each.account,
    })),
  }));
