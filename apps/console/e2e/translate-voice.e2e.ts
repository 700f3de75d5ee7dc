import { afterEach, describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { ownQuota, postAs } from './support/api.js';
import { seriousViolations } from './support/axe.js';
import { journey, withBrowser, type Language } from './support/browser.js';
import { dropFirstResponse, fakeMicrophone, makeRecording } from './support/media.js';
import { pickLanguage } from './support/controls.js';
import { newMember, overflowsOnPhone, waitForText, openPageAs, type SignedIn } from './support/members.js';
import { takeVendor } from './support/vendors.js';

const TRIAL = 20;
const CHATGPT_ID = 7;
const SAID = '样品今天寄出，大概五天到。';
const HEARD = 'who are the three got you do';

const SAYS = {
  zh: {
    record: '开始录音',
    live: '正在录音，说完请停止',
    stop: '停止录音',
    play: '播放原声',
    transcribe: '识别文字',
    transcript: '识别出的文字',
    translate: '翻译',
    charged: /^用时 .+ 秒，扣 1 次语音$/,
    playSpeech: '播放译文语音',
    download: '下载译文语音',
    history: '本次测试记录',
    ledger: '账变日志',
    done: '翻译成功',
    row: '−1 次语音',
    channel: '通道',
    source: '原文语言',
    target: '译文语音',
    offline: '离线引擎',
    unclear: '没有听清这段录音，识别结果不可靠，本次未扣费。',
    heard: '听到的可能是：who are the three got you do',
    vendors: /由厂商识别语音的通道：.*ChatGPT/,
    change: '更换通道',
    onlyUnclear: '请靠近麦克风、放慢语速再录一遍，或手动改好文字后再翻译。',
    noOther: '其他可用的通道都处理不了，需要本服务接入相应的厂商。',
    correct: '手动改文字',
    other: '换一段录音',
    doubtful: '这段文字不可靠，请逐句改好后再翻译。',
    experimental: '离线语音识别为实验功能',
    denied: '麦克风权限未开启',
    notSound: '无法读取这个文件',
    tooLong: '录音超过 30 秒',
    noSpeech: '没有识别到语音，本次未扣费。',
    network: '网络连接失败',
    retry: '重试',
  },
  en: {
    record: 'Record',
    live: 'Recording. Stop when you are done',
    stop: 'Stop recording',
    play: 'Play the recording',
    transcribe: 'Transcribe',
    transcript: 'Transcript',
    translate: 'Translate',
    charged: /^.+ s, charged 1 voice use$/,
    playSpeech: 'Play the translation',
    download: 'Download speech',
    history: 'This session',
    ledger: 'Account log',
    done: 'Translation successful',
    row: '−1 voice',
    channel: 'Channel',
    source: 'Source language',
    target: 'Language to speak',
    offline: 'Offline engine',
    unclear: 'This recording was too unclear for a reliable transcript. You were not charged.',
    heard: 'What it sounded like: who are the three got you do',
    vendors: /Channels whose vendor recognizes speech: .*ChatGPT/,
    change: 'Change the channel',
    onlyUnclear: 'Speak more clearly and closer to the microphone, or correct the text by hand.',
    noOther: 'No other channel available to you can do this. It needs a vendor that this service has not connected.',
    correct: 'Correct the text by hand',
    other: 'Another recording',
    doubtful: 'This text is unreliable. Correct every sentence before you translate.',
  },
} as const;

withBrowser();

/** Lets other journeys break ChatGPT. */
let giveBack = (): Promise<void> => Promise.resolve();
afterEach(() => giveBack());

const PAGE = '/UserCenterChangeTranslateTest?tab=voice';
const file = (page: Page): Locator => page.locator('.md-work input[type=file]');
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

/** A member of the channel whose vendor hears everything; the sandbox plays it. */
async function heardMember(): Promise<SignedIn> {
  const member = await newMember();
  await postAs(member, '/memberGroup/changeChannel', { targetChannelId: CHATGPT_ID });
  return member;
}

/** Presses record, speaks for a second and stops. */
async function speak(page: Page, lang: Language): Promise<void> {
  const say = SAYS[lang];
  await press(page, say.record);
  await waitForText(page, say.live);
  await page.locator('.vo-time', { hasText: /^0:0[1-9] \// }).waitFor();
  await press(page, say.stop);
  await page.getByRole('button', { name: say.play }).waitFor();
}

describe.each(['zh', 'en'] as const)('recordings on the translation test (%s)', (lang) => {
  const say = SAYS[lang];

  journey('records, transcribes, corrects, translates and plays', async () => {
    const member = await heardMember();
    const page = await openPageAs(member, lang);
    await fakeMicrophone(page);
    await page.goto(PAGE);
    await page.getByRole('button', { name: say.record, exact: true }).waitFor();
    await pickLanguage(page, say.source, { typed: 'zh-Hans', code: 'zh-Hans' });
    await pickLanguage(page, say.target, { typed: 'English', code: 'en' });
    await speak(page, lang);
    giveBack = await takeVendor('chatgpt');
    await press(page, say.transcribe);
    const transcript = page.getByLabel(say.transcript, { exact: true });
    await transcript.waitFor();
    expect(await transcript.inputValue()).not.toBe('');
    expect((await ownQuota(member)).usableVoiceNum).toBe(TRIAL); // reading it costs nothing

    await transcript.fill(SAID);
    // Another channel for this recording: the transcript stays, and so does the account's channel.
    await page.locator('.md-channel').click();
    await page.locator('.ant-select-dropdown:visible .md-channel-option', { hasText: say.offline }).click();
    expect(await transcript.inputValue()).toBe(SAID);
    await page.locator('.md-channel').click();
    await page.locator('.ant-select-dropdown:visible .md-channel-option', { hasText: 'ChatGPT' }).click();
    await transcript.press('Control+Enter');
    await page.getByRole('status').getByText(say.done, { exact: true }).waitFor(); // it leaves by itself
    const translated = page.getByTestId('translated');
    await translated.waitFor();
    expect(await translated.textContent()).not.toBe('');
    expect(await translated.getAttribute('lang')).toBe('en');
    expect(await page.getByTestId('charged').textContent()).toMatch(say.charged);
    expect((await ownQuota(member)).usableVoiceNum).toBe(TRIAL - 1);

    await page.getByRole('button', { name: say.playSpeech }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, say.download)]);
    expect(download.suggestedFilename()).toMatch(/^speech\.en\.(mp3|wav)$/);
    const visit = page.getByRole('region', { name: say.history }).getByRole('listitem').first();
    expect(await visit.textContent()).toContain(SAID);
    expect(await overflowsOnPhone(page)).toBe(false);
    await page.getByRole('tabpanel').getByRole('link', { name: say.ledger }).click();
    await page.waitForURL(/UserCenterAccountLog/);
    await page.locator('.ant-table-row', { hasText: say.row }).first().waitFor();
  });
});

/** Every recording is refused as unclear. */
const refuseAsUnclear = (page: Page, msg: string): Promise<unknown> =>
  page.route('**/translation/transcript', (route) =>
    route.fulfill({
      status: 422,
      json: { success: false, status: 422, code: 'SPEECH_UNCLEAR', msg, data: { transcript: HEARD } },
    }),
  );

describe.each(['zh', 'en'] as const)('a recording that is not clear (%s)', (lang) => {
  const say = SAYS[lang];

  journey('names channels that hear better, and its text is corrected by hand', async () => {
    const member = await newMember();
    const page = await openPageAs(member, lang);
    await refuseAsUnclear(page, say.unclear);
    await page.goto(PAGE);
    await file(page).setInputFiles(makeRecording(2));
    // English is all that the offline engine hears: no other language, and no detection.
    await page.getByRole('combobox', { name: say.source }).focus();
    await page.keyboard.press('ArrowDown');
    const codes = page.locator('.ant-select-dropdown:visible .tt-option code');
    await codes.first().waitFor();
    expect(new Set(await codes.allTextContents())).toEqual(new Set(['en', 'en-GB']));
    await page.keyboard.press('Escape');
    await pickLanguage(page, say.target, { typed: 'es', code: 'es' });

    await press(page, say.transcribe);
    const alert = page.locator('.tt-refusal');
    for (const text of [say.unclear, say.heard, say.vendors]) await alert.getByText(text).waitFor();
    await alert.getByRole('button', { name: say.other }).waitFor();
    await alert.getByRole('button', { name: say.change }).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
    expect(await seriousViolations(page)).toEqual([]);
    await alert.getByRole('button', { name: say.correct }).click();
    const transcript = page.getByLabel(say.transcript, { exact: true });
    expect(await transcript.inputValue()).toBe(HEARD);
    await waitForText(page, say.doubtful);
    expect((await ownQuota(member)).usableVoiceNum).toBe(TRIAL);

    await transcript.fill('The house is big.');
    await press(page, say.translate);
    await page.getByTestId('translated').getByText('La casa es grande.').waitFor();
    expect((await ownQuota(member)).usableVoiceNum).toBe(TRIAL - 1);
  });
});

describe.each(['zh', 'en'] as const)('an unclear recording where no vendor hears (%s)', (lang) => {
  const say = SAYS[lang];

  journey('offers no other channel, and says that it needs a vendor', async () => {
    const page = await openPageAs(await newMember(), lang);
    await refuseAsUnclear(page, say.unclear);
    // No vendor of this service recognizes speech.
    await page.route('**/tranChannel/media', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: { voice: { experimental: boolean } }[] };
      for (const { voice } of answer.data) voice.experimental = true;
      await route.fulfill({ response, json: answer });
    });
    await page.goto(PAGE);
    await file(page).setInputFiles(makeRecording(2));
    await press(page, say.transcribe);
    const alert = page.locator('.tt-refusal');
    for (const text of [say.onlyUnclear, say.heard, say.noOther]) await alert.getByText(text).waitFor();
    await alert.getByRole('button', { name: say.correct }).waitFor();
    expect(await alert.getByRole('button', { name: say.change }).count()).toBe(0);
    expect(await alert.textContent()).not.toContain('ChatGPT');
  });
});

describe('recordings that do not work', () => {
  const say = SAYS.zh;

  journey('show the reason, cost nothing, and offer the next step', async () => {
    const member = await newMember();
    const page = await openPageAs(member, 'zh');
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    });
    await page.goto(PAGE);
    await waitForText(page, say.experimental);
    await press(page, say.record);
    await waitForText(page, say.denied);

    await file(page).setInputFiles({ name: 'a.wav', mimeType: 'audio/wav', buffer: Buffer.from('not a recording') });
    await waitForText(page, say.notSound);
    await file(page).setInputFiles(makeRecording(31));
    await waitForText(page, say.tooLong);
    await file(page).setInputFiles(makeRecording(3, 0, 'silence.wav'));
    await waitForText(page, 'silence.wav');
    await press(page, say.transcribe);
    await waitForText(page, say.noSpeech);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, say.other)]);
    await chooser.setFiles(makeRecording(2, 0.5, 'tone.wav'));
    await page.getByText(say.noSpeech).waitFor({ state: 'detached' }); // it was about the recording before
    expect((await ownQuota(member)).usableVoiceNum).toBe(TRIAL);
  });

  journey('keep the corrected transcript after a network failure, and are charged once', async () => {
    const member = await heardMember();
    const page = await openPageAs(member, 'zh');
    const keys = await dropFirstResponse(page, '/translation/voice');
    await page.goto(PAGE);
    await file(page).setInputFiles(makeRecording(2));
    giveBack = await takeVendor('chatgpt');
    await press(page, say.transcribe);
    const transcript = page.getByLabel(say.transcript, { exact: true });
    await transcript.fill(SAID);
    await press(page, say.translate);
    await waitForText(page, say.network);
    expect(await transcript.inputValue()).toBe(SAID);
    await press(page, say.retry);
    await page.getByTestId('translated').waitFor();
    expect(keys[0]).toBeDefined();
    expect(keys[1]).toBe(keys[0]);
    expect((await ownQuota(member)).usableVoiceNum).toBe(TRIAL - 1);
  });
});
