const zh = {
  target: '译图语言',
  choose: '选择图片',
  change: '更换图片',
  drop: '拖入图片，或直接粘贴截图',
  limits: 'PNG、JPEG、WebP，最大 {{size}}，最多 {{pixels}} 像素',
  notPicture: '无法读取这个文件，请选择 PNG、JPEG 或 WebP 图片。',
  tooManyBytes: '图片超过 {{size}}，请压缩后再选。',
  tooManyPixels: '图片超过 {{pixels}} 像素，请缩小后再选。',
  resultPlaceholder: '译图会出现在这里',
  working: '已上传，正在识别文字、翻译、重绘',
  originalAlt: '原图',
  drawnAlt: '译图',
  found: '{{n}} 处文字，',
  compare: '对照原图',
  slider: '原图与译图的分界线',
  sliderAt: '左侧 {{n}}% 为原图',
  download: '下载译图',
  blocks: '图中文字',
  blocksNote: '指向一行，图中标出它的位置',
  copyAll: '复制全部译文',
  copyBlock: '复制第 {{n}} 处译文',
} as const;
export default zh;

declare module '../../../../shared/i18n/messages.js' {
  interface Messages {
    image: typeof zh;
  }
}
