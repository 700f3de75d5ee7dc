import { useTexts } from '../../shared/i18n/texts.js';

const STEPS = [
  ['step1', 'step1Text'],
  ['step2', 'step2Text'],
  ['step3', 'step3Text'],
] as const;

/** Three steps from here to a translated sentence and the ledger row that explains it. */
export function Start() {
  const t = useTexts('home');
  return (
    <section className="sec tight">
      <div className="wrap">
        <div className="sh">
          <h2>{t('startTitle')}</h2>
          <p>{t('startLead')}</p>
        </div>
        <ol className="start">
          {STEPS.map(([title, text], index) => (
            <li key={title}>
              <span className="n">{index + 1}</span>
              <div>
                <b>{t(title)}</b>
                <p>{t(text)}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
