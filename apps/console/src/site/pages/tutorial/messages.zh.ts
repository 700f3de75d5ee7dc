const zh = {
  tree: '教程目录',
  search: '搜索教程',
  found: '找到 {{n}} 节',
  notFound: '没有找到相关内容，换个词试试',
  pager: '上一节与下一节',
  previous: '上一节',
  next: '下一节',
  branch_beginners: '新手指南',
  branch_details: '功能详解',
  branch_officialConsole: '官网后台',
  branch_client: '客户端',
  branch_featured: '特色功能',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    tutorial: typeof zh;
  }
}
