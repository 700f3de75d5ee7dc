import { TEXT_MAX_CODE_POINTS } from '@yiqiao/domain/limits';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import { Input } from 'antd';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';

/** Whether a transcript may be sent as it is: the server decides about everything else. */
export const isSendable = (transcript: string): boolean =>
  hasVisible(transcript) && codePoints(transcript) <= TEXT_MAX_CODE_POINTS;

type TranscriptProps = {
  text: string;
  lang: string | undefined;
  onChange: (text: string) => void;
  onSend: () => void;
};

/** What was heard, to be read and set right before it is translated. */
export function Transcript({ text, lang, onChange, onSend }: TranscriptProps) {
  const t = useTexts('voice');
  const over = codePoints(text) - TEXT_MAX_CODE_POINTS;
  const blank = !hasVisible(text);
  return (
    <>
      <Input.TextArea
        className="tt-text"
        variant="borderless"
        aria-label={t('transcript')}
        aria-describedby="vo-check"
        aria-invalid={over > 0}
        value={text}
        lang={lang}
        dir="auto"
        autoSize={{ minRows: 3, maxRows: 12 }}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onSend();
        }}
      />
      <p id="vo-check" className={over > 0 || blank ? 'tt-warning tt-over' : 'tt-warning'}>
        {over > 0 ? t('tooMuchText', { n: grouped(over) }) : t(blank ? 'noText' : 'check')}
      </p>
    </>
  );
}
