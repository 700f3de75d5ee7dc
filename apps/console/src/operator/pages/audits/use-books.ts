import type { Request, Response } from '@yiqiao/contracts/endpoint';
import type { listCloses } from '@yiqiao/contracts/operator/closes';
import type { getTrialBalance, listHeldByFamily } from '@yiqiao/contracts/operator/trial-balance';
import { ENTRY_LINES, type EntryLine, type OtherLine } from '@yiqiao/domain/trial-balance';
import { useSearchParams } from 'react-router';

export type Balance = Response<typeof getTrialBalance>;
type Line = Balance['lines'][number];
export type Close = Response<typeof listCloses>['rows'][number];
/** The lines that are sums of families. */
export type FamilyLine = NonNullable<Request<typeof listHeldByFamily>['line']>;

/** What the console shows as rows of the balance. */
export const QUANTITIES = ['charNum', 'voiceNum', 'imageNum'] as const;
export type Quantity = (typeof QUANTITIES)[number];

export const VIEWS = ['columns', 'lines', 'plans', 'families'] as const;
export type View = (typeof VIEWS)[number];

const FAMILY_LINES: readonly string[] = ['held', 'frozen', 'lapsed', 'recharged'] satisfies FamilyLine[];

export const isEntryLine = (key: string | null): key is EntryLine => key !== null && Object.hasOwn(ENTRY_LINES, key);
export const isFamilyLine = (key: string | null): key is FamilyLine => key !== null && FAMILY_LINES.includes(key);

export const lineOf = ({ lines }: Balance, key: EntryLine | OtherLine): Line | undefined =>
  lines.find((line) => line.key === key);

const NAMES = ['at', 'by', 'line', 'day', 'plan', 'close'] as const;
type Name = (typeof NAMES)[number];

/** The moment, the view and what is open live in the address: a link to a balance is an argument (OPERATOR.md §2). */
export function useBooks() {
  const [params, setParams] = useSearchParams();
  const change = (values: Partial<Record<Name, string | null>>): void =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        for (const [name, value] of Object.entries(values))
          if (value) next.set(name, value);
          else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const [at, by, line, day, plan, close] = NAMES.map((name) => params.get(name));
  return {
    at: at ?? null,
    view: VIEWS.find((view) => view === by) ?? 'columns',
    line: line ?? null,
    day: day ?? null,
    plan: plan ?? null,
    close: close ?? null,
    change,
  };
}

export const atOf = (at: string | null): { at?: string } => (at === null ? {} : { at });
