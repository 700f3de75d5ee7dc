/** The blocks of the developers' page. In texts, `code` stands between back quotes, and {{origin}} is the address of this site. */
import type { TextBlock } from '../../shared/doc/doc.js';
import type { CallName, CodeLanguage } from './calls.js';

export type DevBlock =
  | TextBlock
  | { readonly heading: string }
  /** Method and path of a call, above its example in every language. */
  | { readonly call: CallName }
  /** `name`: what the copy button copies. */
  | { readonly code: string; readonly name: string }
  /** The same in several languages. */
  | { readonly codes: Readonly<Partial<Record<CodeLanguage, string>>>; readonly title: string }
  /** `title`: of its part, unless it says otherwise. */
  | { readonly title?: string; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  /** The text about webhooks (webhooks/load.ts). */
  | { readonly webhooks: true }
  | { readonly tryIt: true };

export type DevPart = { readonly title: string; readonly blocks: readonly DevBlock[] };

export type DevDoc = { readonly lead: string; readonly parts: readonly DevPart[] };
