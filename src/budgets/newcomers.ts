// What accounts without a verified address store together, by the network from which they stored something last: those of an IPv4 /24 or
// an IPv6 /48, and of a /64 a part of that. Who makes many accounts has no more room than ten.
import { Problem } from '../contract/problem.ts'
import { lockName } from '../database/engine.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { keyedHash, type SecretFor } from '../runtime/hash.ts'
import { networkOf, subnetOf } from './network.ts'
import { findStoringPlace, type StoringPlace, sumBytesOfOthers, updateStoringPlace } from './queries.ts'
import { type Budgets, bytesInWords, HOUR } from './rules.ts'
import type { Room } from './uploads.ts'

export interface Newcomers {
  budgets: Budgets
  address: string
  secretFor: SecretFor
}

const scopes = { networkHash: 'network', subnetHash: 'subnet' } as const
const columns = ['networkHash', 'subnetHash'] as const

/** The names by which bytes of uploads are counted while they are read. */
export const groupsOf = (address: string): string[] => {
  const subnet = subnetOf(address)
  return [`newcomers ${networkOf(address)}`, ...(subnet === undefined ? [] : [`newcomers of ${subnet}`])]
}

async function placeOf({ address, secretFor }: Newcomers): Promise<StoringPlace> {
  const secret = await secretFor('networks')
  const subnet = subnetOf(address)
  return {
    networkHash: keyedHash(secret, networkOf(address), 'stored'),
    subnetHash: subnet === undefined ? null : keyedHash(secret, subnet, 'stored'),
  }
}

/** An account whose bytes become `bytes` more than `stored`. */
interface StorageChange {
  accountId: string
  stored: number
  bytes: number
}

/** Counts and refuses for the accounts of a network. */
interface SharedRoom {
  /** Throws where there is no room in one of the shares; the account is in the network from then on. Its counter is locked. */
  store(db: Transaction, storing: StorageChange): Promise<void>
}

/** The shares of the network of this call. Locks them, before any counter of stored bytes. */
export async function lockOwn(db: Transaction, newcomers: Newcomers): Promise<SharedRoom> {
  const place = await placeOf(newcomers)
  await lockName(db, `stored ${place.networkHash}`)
  return {
    async store(transaction, storing) {
      await requireRoom(transaction, { newcomers, place, isOwn: true }, storing)
      await updateStoringPlace(transaction, storing.accountId, place)
    },
  }
}

/** The shares of the network of another account, whose the bytes will be; undefined for a verified one. */
export async function lockOf(
  db: Transaction,
  newcomers: Newcomers,
  accountId: string,
): Promise<SharedRoom | undefined> {
  const place = await findStoringPlace(db, accountId)
  if (!place) return undefined
  await lockName(db, `stored ${place.networkHash}`)
  return { store: (transaction, storing) => requireRoom(transaction, { newcomers, place, isOwn: false }, storing) }
}

interface Share {
  newcomers: Newcomers
  place: StoringPlace
  isOwn: boolean
}

async function requireRoom(db: Db, { newcomers, place, isOwn }: Share, { accountId, stored, bytes }: StorageChange) {
  for (const column of columns) {
    const hash = place[column]
    if (hash === null) continue
    const most = newcomers.budgets.newcomers[scopes[column]]
    const others = await sumBytesOfOthers(db, { column, hash, accountId })
    if (others + stored + bytes > most) throw tooMuch({ bytes: others + stored, most, isOwn })
  }
}

/** How much of uploads of this network may lie on our disk, with what its accounts store where that counts. */
export async function findRooms(db: Db, newcomers: Newcomers, storing: StorageChange | undefined): Promise<Room[]> {
  const place = await placeOf(newcomers)
  const names = groupsOf(newcomers.address)
  const rooms: Room[] = []
  for (const [index, column] of columns.entries()) {
    const [hash, of] = [place[column], names[index]]
    if (hash === null || of === undefined) continue
    const most = newcomers.budgets.newcomers[scopes[column]]
    const others = storing ? await sumBytesOfOthers(db, { column, hash, accountId: storing.accountId }) : 0
    const bytes = others + (storing?.stored ?? 0)
    rooms.push({ of, bytes: most - bytes, refuse: () => tooMuch({ bytes, most, isOwn: true }) })
  }
  return rooms
}

function tooMuch({ bytes, most, isOwn }: { bytes: number; most: number; isOwn: boolean }): Problem {
  const store = `Unverified accounts of this network store ${bytesInWords(bytes)} of at most ${bytesInWords(most)} together`
  return new Problem('rate_limited', isOwn ? `${store}; verify your email for room of your own` : store, {
    retryAfterSeconds: HOUR,
    standings: [{ policy: 'bytes-network', quota: most, remaining: Math.max(0, most - bytes), unit: 'content-bytes' }],
  })
}
