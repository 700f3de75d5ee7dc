/** The next value in [0, 1). */
export type Random = () => number;

/** The same sequence at every start (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number, both ends included. */
export const between = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

export function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

const GOODS = [
  ['折叠收纳箱', '收纳家里的衣物、玩具和杂物', '加厚环保塑料'],
  ['硅胶保鲜盒', '存放水果、剩菜和便当', '食品级硅胶'],
  ['无线蓝牙耳机', '通勤、运动和居家办公', '亲肤硅胶与耐磨外壳'],
  ['便携榨汁杯', '在办公室和健身房随手做一杯果汁', '耐热玻璃与不锈钢刀头'],
  ['宠物饮水机', '让猫咪和小型犬随时喝到流动的活水', '食品级树脂'],
  ['防滑瑜伽垫', '瑜伽、普拉提和居家健身', '天然橡胶'],
  ['补光化妆镜', '在光线不足的房间里化妆和护肤', '高清银镜与哑光底座'],
  ['真空保温杯', '上班、上学和户外徒步', '316不锈钢'],
  ['磁吸手机支架', '开车导航和桌面追剧', '铝合金'],
  ['儿童连体雨衣', '幼儿园接送和雨天出游', '轻薄防水涂层面料'],
  ['露营氛围灯', '露营、庭院聚餐和停电应急', '防摔外壳与暖光灯珠'],
  ['厨房沥水架', '沥干碗碟、刀具和砧板', '加粗碳钢'],
] as const;

const COLORS = ['米白色', '雾霾蓝', '浅灰色', '墨绿色', '樱花粉', '曜石黑'] as const;

const POINTS = [
  (material: string) => `采用${material}制作，没有异味，边角经过打磨，老人和孩子用着也放心。`,
  () => '结构简单，到手即用，不需要任何工具，一分钟就能装好。',
  () => '可以折叠收起，不占地方，出差旅行时放进行李箱也很方便。',
  () => '表面光滑，用湿布一擦就干净，也可以直接用清水冲洗。',
  () => '出厂前逐件检验，独立包装，运输途中不容易压坏。',
  () => '颜色耐看，和大多数家居风格都能搭配，送朋友也很体面。',
] as const;

/** The description of an article for a shop in Taiwan or Hong Kong, as a seller writes it in Simplified Chinese. */
export function listing(random: Random): string {
  const [goods, use, material] = pick(random, GOODS);
  const color = pick(random, COLORS);
  const first = between(random, 0, POINTS.length - 1);
  const points = [0, 1, 2].map((step) => POINTS[(first + step * 2 + 1) % POINTS.length]?.(material) ?? '');
  const [long, wide, high] = [between(random, 18, 60), between(random, 10, 40), between(random, 6, 32)];
  const sku = `YQ-${between(random, 1_000, 9_999)}`;
  return [
    `【${color}】${goods}，适合${use}。`,
    ...points,
    `规格：${long}×${wide}×${high}厘米，货号${sku}，每箱${between(random, 12, 60)}件，净重约${between(random, 180, 900)}克。`,
    `现货${between(random, 60, 900)}件，${between(random, 1, 3)}天内从深圳仓发出，签收后七天内可以无理由退换。`,
  ].join('\n');
}

/** Sentences of the phrasebook: what a shop answers its customers. */
export const ANSWERS = [
  '有现货，今天下单今天就能发。',
  '美国仓没有库存了。',
  '这款跟您要的差不多，而且有现货。',
  '偏小，建议您拍大一码。',
  '这款是亚洲尺码。',
  '可以退，但是运费要您自己出。',
  '我们来承担退货运费。',
  '退款已经给您办理了。',
  '已经给您退款了。',
  '保修期一年。',
  '一年之内有质量问题免费换新。',
  '可以修，但是需要收取配件费和运费。',
  '没有起订量要求。',
  '一件也可以。',
  '可以开发票。',
  '价格已经含税了。',
  '关税要您自己付。',
  '在的，请问有什么可以帮您？',
  '如果您满意，麻烦给个五星好评。',
  '麻烦您确认收货并给个好评。',
  '您的评价对我们小店非常重要。',
  '欢迎下次光临！',
] as const;

/** What customers ask. */
export const QUESTIONS = [
  'Is it still in stock?',
  'How soon can you ship it?',
  'When will my order ship?',
  "Why hasn't my order shipped yet?",
  'How much is it including shipping?',
  'The price is a bit over my budget.',
  'Can you make it a little cheaper?',
  'What size should I choose?',
  'Can I return it if it doesn’t fit?',
  "I'd like to request a refund.",
  'How long does the refund take to arrive?',
  'The refund still hasn’t arrived.',
  'How long is the warranty?',
  'What payment methods do you accept?',
  'Can I pay with PayPal?',
  "What's the minimum order quantity?",
  'Can I mix colors?',
  'Do you have a catalog?',
  'Do you have any discounts?',
  'Can you issue an invoice?',
  'The item I received is broken.',
  'The box was crushed and the item inside was damaged too.',
  'You sent the wrong color.',
  'Do I have to pay the customs duty myself?',
] as const;

/** What the phrasebook does not have: it is glossed word by word, free of charge. */
export const UNUSUAL = ['这盏灯的亮度可以跟着音乐变化。', '新款比上一代轻了三分之一。'] as const;

/** Japanese, taken for Chinese by whoever pasted it: the engine refuses it, and nothing is charged. */
export const MISTAKEN = [
  'ご注文ありがとうございます。商品はいつ届きますか。',
  'サイズが合わないので交換してください。',
] as const;
