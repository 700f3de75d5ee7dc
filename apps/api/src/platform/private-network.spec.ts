import { describe, expect, it } from '@jest/globals';
import { isPrivateHost, isPublicAddress } from './private-network.js';

describe('an address of the public Internet', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2400:3200::1',
    '2001:4860:4860::8888',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['unspecified', '0.0.0.0'],
    ['unspecified', '::'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['metadata in it', '100.100.100.200'],
    ['link-local', '169.254.0.1'],
    ['metadata', '169.254.169.254'],
    ['metadata', 'fd00:ec2::254'],
    ['metadata', '168.63.129.16'],
    ['metadata', '192.0.0.192'],
    ['link-local', 'fe80::1'],
    ['link-local with its zone', 'fe80::1%eth0'],
    ['a zone', '2606:4700::1111%eth0'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fdff::1'],
    ['site-local', 'fec0::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.255'],
    ['multicast', 'ff02::1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['benchmarks', '198.19.0.1'],
    ['Teredo', '2001::1'],
    ['6to4 of a private address', '2002:0a00:0001::1'],
    ['mapped private', '::ffff:10.0.0.1'],
    ['mapped loopback', '::ffff:7f00:1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['discard', '100::1'],
    ['no address', 'localhost'],
    ['no address', '127.1'],
    ['no address', '2130706433'],
    ['no address', ''],
  ])('is not %s %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

it('the operator’s own networks are what they were', () => {
  for (const host of ['127.0.0.1', '[::1]', '10.1.1.1', '172.20.0.1', '192.168.0.1', 'fd00::1', 'redis', 'a.internal'])
    expect([host, isPrivateHost(host)]).toEqual([host, true]);
  for (const host of ['1.1.1.1', '100.64.0.1', '169.254.0.1', 'a.example', '2606:4700::1111'])
    expect([host, isPrivateHost(host)]).toEqual([host, false]);
});
