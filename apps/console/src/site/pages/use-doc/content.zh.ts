import type { Doc } from '../../shared/doc/doc.js';

const content: Doc = {
  lead: '从注册到看见第一句译文，读完三部分就能用。',
  parts: [
    {
      title: '注册',
      blocks: [
        {
          steps: [
            '打开注册页，填写邮箱。只能用邮箱注册，不限邮箱类型。',
            '点「发送验证码」，到邮箱查看。没有收到时，请先看垃圾邮件箱；60 秒后可以重发。',
            '设置用户名与密码。用户名 2–32 位，由字母、数字或中文组成；密码 6–32 位。',
            '读完用户协议，滚动到末尾后勾选，完成注册。',
          ],
        },
        { note: '新账号有 1 个月免费试用。通过邀请链接注册，另赠 10,000 字符。' },
        { to: '/login?type=2', text: '免费注册' },
      ],
    },
    {
      title: '操作',
      blocks: [
        {
          steps: [
            '以用户名或邮箱登录，进入会员中心。',
            '在「总览」查看剩余额度与翻译通道；主账号可以更换通道。',
            '在「翻译测试」选择语言，输入文字，点「翻译」。语音与图片各有一页。',
            '额度不够时，主账号到「充值」选套餐；子账号请主账号分配。',
            '每一笔额度的来去都在「账变日志」，每次翻译的通道与费用都在「翻译日志」。',
          ],
        },
        '要在社交应用里翻译，请下载客户端：添加应用，为联系人设好两种语言，收发消息时双向翻译。',
        { to: '/download', text: '打开下载页' },
      ],
    },
    {
      title: '翻译截图',
      blocks: [
        '原文在上，译文在下，中间一条线。发出的消息译成对方的语言：',
        {
          source: '您要的颜色有货，今天就能发出。',
          translation: 'The color you want is in stock and ships today.',
          languages: ['zh-CN', 'en'],
        },
        '收到的消息译成你的语言：',
        { source: '¿Cuánto tarda el envío a México?', translation: '发到墨西哥要多久？', languages: ['es', 'zh-CN'] },
        {
          screen: {
            alt: '「翻译测试」的截图：通道 DeepL，原文在上，译文在下，用掉 14 字符。',
            title: '翻译测试',
            rows: [
              { fact: '通道', value: 'DeepL' },
              {
                source: '样品三天内寄出，运费我们出。',
                translation: 'Samples ship within three days, and we cover the shipping.',
                languages: ['zh-CN', 'en'],
              },
              { fact: '本次用量', value: '14 字符' },
              { button: '复制译文' },
            ],
          },
        },
        '图片里的文字也能译：在「翻译测试」选「图片」，译文写回原来的位置，可与原图对照。',
        { note: '译文由机器生成。合同、法律、医疗等重要内容，请由专业人员核对。' },
        { to: '/productDesc', text: '逐项了解：产品教程' },
      ],
    },
  ],
};
export default content;
