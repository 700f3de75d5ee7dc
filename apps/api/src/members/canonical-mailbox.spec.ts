import { describe, expect, it } from '@jest/globals';
import { canonicalMailbox } from './canonical-mailbox.js';

describe('canonicalMailbox', () => {
  it.each([
    ['Li.Lan@Example.com', 'li.lan@example.com'],
    ['lilan+shop@example.com', 'lilan@example.com'],
    ['li-lan@example.com', 'li-lan@example.com'],
    ['lilan+shop@outlook.com', 'lilan@outlook.com'],
    ['lilan+shop+two@icloud.com', 'lilan@icloud.com'],
    ['li.l.an+x@gmail.com', 'lilan@gmail.com'],
    ['LiLan@GoogleMail.com', 'lilan@gmail.com'],
    ['+shop@example.com', '+shop@example.com'],
    ['lilan@protonmail.com', 'lilan@proton.me'],
    ['Li.La-n+x@pm.me', 'lilan@proton.me'],
    ['lilan@me.com', 'lilan@icloud.com'],
    ['lilan+1@mac.com', 'lilan@icloud.com'],
    ['lilan+1@hotmail.co.uk', 'lilan@hotmail.co.uk'],
    ['lilan+1@msn.com', 'lilan@msn.com'],
    ['lilan@hotmail.com', 'lilan@hotmail.com'],
    ['lilan-shop@yahoo.com', 'lilan@yahoo.com'],
    ['lilan-shop@yahoo.co.jp', 'lilan@yahoo.co.jp'],
    ['lilan+1@zohomail.com', 'lilan@zoho.com'],
    ['li-lan+1@ya.ru', 'li.lan@yandex.ru'],
    ['10001+1@foxmail.com', '10001@qq.com'],
    ['lilan+1@例子.中国', 'lilan@xn--fsqu00a.xn--fiqs8s'],
  ])('%s is %s', (address, mailbox) => {
    expect(canonicalMailbox(address)).toBe(mailbox);
  });
});
