const zh = {
  target: '译文语音',
  record: '开始录音',
  recordNote: '点击录音，最长 {{n}} 秒',
  asking: '请在浏览器的提示中允许使用麦克风',
  recording: '正在录音，说完请停止',
  stop: '停止录音',
  discard: '放弃',
  insecure: '当前地址不是 HTTPS，浏览器不提供麦克风。请改用 HTTPS 访问，或选择录音文件。',
  denied: '麦克风权限未开启。请在地址栏的网站设置中允许麦克风，再点一次；也可以选择录音文件。',
  missing: '没有找到麦克风。请接上麦克风后再点一次，或选择录音文件。',
  taken: '麦克风打不开，可能正被其他程序使用。关闭后再点一次，或选择录音文件。',
  choose: '选择录音文件',
  change: '更换录音',
  limits: 'WAV、MP3、M4A、OGG、WebM、FLAC，最大 {{size}}，最长 {{n}} 秒',
  notSound: '无法读取这个文件，请选择 WAV、MP3、M4A、OGG、WebM 或 FLAC 录音。',
  tooManyBytes: '录音超过 {{size}}，请剪短或压缩后再选。',
  tooLong: '录音超过 {{n}} 秒，请剪短后再选。',
  playRecording: '播放原声',
  seekRecording: '原声播放位置',
  playSpeech: '播放译文语音',
  seekSpeech: '译文语音的播放位置',
  pause: '暂停',
  cannotPlay: '浏览器无法播放',
  again: '重新录制',
  transcribe: '识别文字',
  transcribing: '识别中',
  transcribeAgain: '重新识别',
  transcriptPlaceholder: '先识别文字，核对后再翻译',
  transcript: '识别出的文字',
  check: '请核对文字，改好后再翻译。',
  noText: '没有可翻译的文字，请先填写。',
  tooMuchText: '超出 {{n}} 字符，请删减后再翻译。',
  experimental: '语音识别为实验功能，请在翻译前核对文字。',
  hearing: '已上传，正在识别语音',
  working: '已上传，正在翻译并合成译文语音',
  resultPlaceholder: '译文和译文语音会出现在这里',
  notSpoken: '译文会出现在这里；这种语言暂无译文语音',
  noSpeech: '这次只有文字，没有译文语音。',
  download: '下载译文语音',
} as const;
export default zh;

declare module '../../../../shared/i18n/messages.js' {
  interface Messages {
    voice: typeof zh;
  }
}
