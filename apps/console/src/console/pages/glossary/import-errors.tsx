import type { FieldError } from '@yiqiao/contracts/envelope';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';

/** What will not do in a file: `path` begins with the number of the line; `lines` of them in all. */
export type LineErrors = { readonly errors: readonly FieldError[]; readonly lines: number };

/** The lines that have to be corrected, and why. */
export function ImportErrors({ invalid: { errors, lines } }: { invalid: LineErrors }) {
  const t = useTexts('glossary');
  return (
    <div className="gl-errors" role="alert">
      <b>{t('invalidTitle', { n: lines })}</b>
      <ul>
        {errors.map(({ path, msg }, at) => (
          <li key={at}>
            <span className="num">{t('invalidLine', { line: path.split('.', 1)[0] ?? '' })}</span>
            <span>{msg}</span>
          </li>
        ))}
      </ul>
      {errors.length < lines && <small className="faint">{t('invalidMore', { n: grouped(errors.length) })}</small>}
    </div>
  );
}
