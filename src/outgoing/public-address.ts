// Which network addresses are public. URLs from anonymous callers are fetched from public addresses only.
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IANA's registries of special-purpose addresses (RFC 6890), multicast and reserved ranges. */
const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Of IPv6 only 2000::/3 is given out, and these parts of it are special: tunnels that lead to IPv4, and documentation. */
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const blockedV4 = blockList(specialV4, 'ipv4')
const blockedV6 = blockList(specialV6, 'ipv6')
const givenOutV6 = blockList(['2000::/3'], 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blockedV4.check(address, 'ipv4')
  return isIPv6(address) && givenOutV6.check(address, 'ipv6') && !blockedV6.check(address, 'ipv6')
}
