import { codePoints } from '@yiqiao/domain/members';
import type { RefSelectProps } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea.js';
import { useMemo, useRef, useState } from 'react';
import { useMember } from '../../shared/auth/user.js';
import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Icon } from '../../shared/ui/icon.js';
import { chosenWay, costOf, type Payer } from './cost.js';
import { History } from './history.js';
import { LanguageSelect } from './language-select.js';
import { choicesOf } from './languages.js';
import { AUTO, firstDirection, sourcesOf, swapped, targetsOf, waysOf, withSource, type Direction } from './pairs.js';
import { RefusalPane } from './refusal-pane.js';
import { Result, Waiting } from './result-pane.js';
import { SourcePane } from './source-pane.js';
import type { Catalogue } from './use-catalogue.js';
import type { Asked } from './translate-one.js';
import { useTranslate } from './use-translate.js';

/** How the signed-in account pays; a sub-account always by character (decisions §3). */
const usePayer = (): Payer & { balance: number | null } => {
  const { memberGroup, memberAccount, parentUserId, tranChannelId } = useMember();
  const mode = parentUserId === null ? memberGroup.translationBillingMode : 'char';
  return { mode, channelId: tranChannelId, balance: mode === 'time' ? null : memberAccount.usableCharNum };
};

/** The names, by code, of everything that can be a source or a target. */
const useNames = ({ languages }: Catalogue): ((code: string) => string) => {
  const names = useMemo(
    () =>
      new Map(
        [...languages.sourceList, ...languages.targetList].map((row) => [
          row.langCode,
          language === 'zh' ? row.chineseName : row.englishName,
        ]),
      ),
    [languages],
  );
  return (code) => names.get(code) ?? code;
};

/** Source left (above on a phone), 青 rule, translation right: one sentence across the waterline (DESIGN §1). */
export function Workspace({ catalogue }: { catalogue: Catalogue }) {
  const t = useTexts('translation-test');
  const { pairs, languages, channels, prices } = catalogue;
  const payer = usePayer();
  const languageName = useNames(catalogue);
  const { translation, history, wait, send, reset } = useTranslate();
  const [direction, setDirection] = useState<Direction>(() => firstDirection(pairs));
  const [text, setText] = useState('');
  const textArea = useRef<TextAreaRef>(null);
  const sourceSelect = useRef<RefSelectProps>(null);

  const { source, target } = direction;
  const sources = useMemo(() => choicesOf(languages.sourceList, sourcesOf(pairs), language), [languages, pairs]);
  const targets = useMemo(
    () => choicesOf(languages.targetList, targetsOf(pairs, source), language),
    [languages, pairs, source],
  );
  const ways = waysOf(pairs, direction);
  const way = chosenWay(ways, payer, prices);
  // From `auto` the server chooses among the member's own ways; otherwise one way is taken, and only its price counts.
  const considered = source === AUTO ? ways : way ? [way] : [];
  const cost = costOf(codePoints(text), considered, { payer, prices });
  const answer = translation.status === 'done' ? translation.done.answer : null;
  const back = swapped(pairs, direction, answer?.source ?? null);
  const channelName = (id: number): string => {
    const channel = channels.find((c) => c.id === id);
    return (language === 'zh' ? channel?.name : channel?.enName) ?? String(id);
  };
  const turn = (next: Direction): void => {
    setDirection(next);
    reset();
  };
  const ask = (): void => {
    const elsewhere = source !== AUTO && way !== undefined && way.channelId !== payer.channelId;
    send({ source, target, text, ...(elsewhere ? { channelId: way.channelId } : {}) });
  };
  const use = (asked: Asked): void => {
    turn({ source: asked.source, target: asked.target });
    setText(asked.text);
    textArea.current?.focus();
  };
  const swap = (): void => {
    if (back === null) return;
    if (answer !== null) setText(answer.translated);
    turn(back);
  };

  return (
    <>
      <section className="card tt-work" aria-label={t('workspace')}>
        <div className="tt-bar">
          <LanguageSelect
            ref={sourceSelect}
            label={t('source')}
            value={source}
            choices={sources}
            onChange={(code) => turn(withSource(pairs, direction, code))}
          />
          <button
            type="button"
            className="tt-swap"
            aria-label={t('swap')}
            title={back === null ? t('noWayBack') : t('swap')}
            disabled={back === null}
            onClick={swap}
          >
            <Icon name="swap" />
          </button>
        </div>
        <div className="tt-bar tt-bar-target">
          <LanguageSelect
            label={t('target')}
            value={target}
            choices={targets}
            onChange={(code) => turn({ source, target: code })}
          />
          <a className="tt-channel" href="#channels">
            {way ? channelName(way.channelId) : t('noChannel')}
          </a>
        </div>
        <SourcePane
          ref={textArea}
          text={text}
          lang={source}
          cost={cost}
          balance={payer.balance}
          busy={translation.status === 'busy'}
          onText={setText}
          onSend={ask}
        />
        <div className="tt-pane tt-target" aria-live="polite" aria-busy={translation.status === 'busy'}>
          {translation.status === 'idle' && <p className="tt-nothing">{t('resultPlaceholder')}</p>}
          {translation.status === 'busy' && <Waiting />}
          {translation.status === 'done' && <Result done={translation.done} languageName={languageName} />}
          {translation.status === 'refused' && (
            <RefusalPane
              refused={translation}
              languageName={languageName}
              wait={wait}
              onRetry={ask}
              onLanguage={() => sourceSelect.current?.focus()}
              onText={() => textArea.current?.focus()}
            />
          )}
        </div>
      </section>
      <History history={history} channelName={channelName} onUse={use} />
    </>
  );
}
