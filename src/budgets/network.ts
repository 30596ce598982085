// Networks: the part of an address that one customer, or one office, holds.
import { sha256 } from '../runtime/hash.ts'
import { required } from '../runtime/untyped.ts'

const V4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i
/** An IPv4 address in an IPv6 one, written as two groups (RFC 4291, 2.5.5.2). */
const V4_AS_GROUPS = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i

function v4Of(address: string): string | undefined {
  const plain = address.match(V4)
  if (plain) return plain[1]
  const [, high, low] = address.match(V4_AS_GROUPS) ?? []
  if (high === undefined || low === undefined) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** The first groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string, count: number): string {
  const [head = '', tail] = required(address.toLowerCase().split('%')[0]).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/**
 * The part of a network address that one customer holds: an IPv4 address, or the /64 of an IPv6 one (RFC 6177).
 * Someone with a /64 has 2^64 addresses to try from.
 */
export const addressKey = (address: string): string => v4Of(address) ?? groupsOf(address, 4)

/** The network of an address: an IPv4 /24 or an IPv6 /48 (behaviour.md, section 7). */
export function networkOf(address: string): string {
  const v4 = v4Of(address)
  return v4 ? v4.split('.').slice(0, 3).join('.') : groupsOf(address, 3)
}

/** Whether an address is of this machine: a proxy on it connects for everyone. */
export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

/** The network that shares of the whole are counted by; undefined for this machine, which has all of it. */
export const sharingNetworkOf = (address: string): string | undefined =>
  isLoopback(address) ? undefined : networkOf(address)

/** An anonymous reader as the owner of work. */
export const readerAt = (address: string): { owner: string; network: string | undefined } => ({
  owner: `network ${networkOf(address)}`,
  network: sharingNetworkOf(address),
})

/** The /64 of an IPv6 address, which is one home; undefined for an IPv4 one, and for this machine. */
export const subnetOf = (address: string): string | undefined =>
  v4Of(address) || address === '::1' ? undefined : groupsOf(address, 4)

/** A network of its own for what is named, as an address that no machine has (RFC 4193): for what comes by way of the servers of others. */
export function privateAddressOf(name: string): string {
  const hash = Buffer.from(sha256(name), 'base64url').toString('hex')
  return `fd${hash.slice(0, 2)}:${hash.slice(2, 6)}:${hash.slice(6, 10)}::1`
}
