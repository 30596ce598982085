// Where backups are kept: pieces of bytes under their hash, each once, in a folder or a bucket. What a backup shares with an earlier one
// costs nothing. With a passphrase everything but the size and time of a piece is sealed, the hashes too. With a key alone the lists of
// pieces are signed: who may write there can put nothing into a restored server. With neither it cannot be known who wrote them.
import { hash, randomBytes, scryptSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { mac, sameHash } from '../runtime/hash.ts'
import { jsonIn } from '../runtime/json.ts'
import { sealBytes, unsealBytes } from '../runtime/seal.ts'
import type { NamedObjects } from '../storage/blobs.ts'
import { openBlobs } from '../storage/open-blobs.ts'

/** A piece is read, hashed and sealed as a whole, so this is about the memory that a backup takes; 16 are on their way at once. */
export const PIECE_BYTES = 256 * 1024
/** OWASP's parameters for scrypt (Password Storage Cheat Sheet): 64 MB. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 2, maxmem: 256 * 1024 * 1024 } as const
const FORMAT_KEY = 'repository'
/** What a signed list begins with, before its HMAC-SHA256. */
const SIGNED = Buffer.from('GHS1')
const MAC_BYTES = 32

interface Format {
  format: 'guildhall-backup'
  version: 1
  /** In hex; missing when nothing is sealed. */
  salt?: string
  /** A known text under the key: tells a wrong passphrase. */
  check?: string
  /** The same under the key by which lists are signed; missing when they are not. */
  signed?: string
}

interface Keys {
  /** Seals everything. */
  sealing?: Buffer
  /** Signs what has a name of its own. */
  signing?: Buffer
  /** What is there has signatures; without the key they are not looked at. */
  isSigned: boolean
}

export interface Repository {
  isSealed: boolean
  /** Whether what it gives was written by who has the passphrase or the key. */
  isAuthentic: boolean
  /** Keeps a piece, unless it is there; resolves with its name, by which `piece` finds it. */
  keep(bytes: Uint8Array): Promise<string>
  /** Forgets which pieces are there: another process may have removed some. The next to be kept lists them again. */
  forget(): void
  /** The same place, for what goes on for weeks, in which others remove pieces: each is kept again, unless it was kept before by this. */
  beside(): Repository
  /** @throws Error when it is missing or damaged. */
  piece(name: string): Promise<Buffer>
  /** Keeps something under a name of its own. */
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** The names below a folder, in order. */
  list(folder: string): Promise<string[]>
  remove(key: string): Promise<void>
  /** Removes every piece from before a moment that is not among the used ones; returns their number. */
  prune(used: ReadonlySet<string>, before: Date): Promise<number>
  close(): void
}

export interface RepositoryOptions {
  passphrase: string | undefined
  /** Signs the lists of backups that are not sealed. */
  backupKey?: string | undefined
  /** Reads signed backups without their key. */
  isUnauthenticated?: boolean
  /** Whether an empty place becomes a repository; otherwise nothing is made there. */
  mayBegin: boolean
}

/** Opens the repository at `file:<folder>` or `s3://...`. @throws Error when there is none, or the passphrase is missing or wrong */
export async function openRepository(url: string, opening: RepositoryOptions): Promise<Repository> {
  const { mayBegin } = opening
  if (!mayBegin && isMissing(url)) throw noBackupAt(url)
  const blobs = await openBlobs(url)
  try {
    const { objects } = blobs
    const format = (await findFormat(objects)) ?? (mayBegin ? await begin(objects, opening) : undefined)
    if (!format) throw noBackupAt(url)
    const keys = keysOf(format, opening)
    return repositoryOf({ objects, keys, close: () => blobs.close() })
  } catch (error) {
    blobs.close()
    throw error
  }
}

const noBackupAt = (url: string) => new Error(`there is no backup at ${url}`)

/** Whether it names a folder without anything of a store: to open that would make one. */
const isMissing = (url: string) =>
  url.startsWith('file:') &&
  !existsSync(join(url.startsWith('file:/') ? fileURLToPath(url) : url.slice('file:'.length), 'objects'))

async function findFormat(objects: NamedObjects): Promise<Format | undefined> {
  const found = await objects.get(FORMAT_KEY)
  if (found) {
    const format = jsonIn(found.bytes.toString()) as Partial<Format> | undefined
    if (format?.format !== 'guildhall-backup' || format.version !== 1) {
      throw new Error('what is there is not a backup that this version of Guildhall can read')
    }
    return format as Format
  }
  // A repository without its description is damaged, or it is something else: a new description would make it unreadable.
  for await (const _ of objects.list()) throw new Error('what is there is not a backup: name an empty place')
  return undefined
}

async function begin(objects: NamedObjects, { passphrase, backupKey }: RepositoryOptions): Promise<Format> {
  const format: Format = { format: 'guildhall-backup', version: 1 }
  if (passphrase !== undefined) {
    format.salt = randomBytes(16).toString('hex')
    format.check = checkOf(derive(passphrase, format.salt))
  } else if (backupKey !== undefined) format.signed = checkOf(signingKeyOf(backupKey))
  await objects.put(FORMAT_KEY, Buffer.from(JSON.stringify(format)), 'application/json')
  return format
}

function keysOf(format: Format, opening: RepositoryOptions): Keys {
  const { salt, check } = format
  const { passphrase } = opening
  if (salt === undefined) {
    if (passphrase === undefined) return signingOf(format, opening)
    throw new Error('the backups there are not encrypted: unset BACKUP_PASSPHRASE, or name another place')
  }
  if (passphrase === undefined) throw new Error('the backups there are encrypted: set BACKUP_PASSPHRASE')
  const key = derive(passphrase, salt)
  if (checkOf(key) !== check) throw new Error('BACKUP_PASSPHRASE is not the one of the backups there')
  return { sealing: key, isSigned: false }
}

function signingOf({ signed }: Format, { backupKey, isUnauthenticated }: RepositoryOptions): Keys {
  if (signed === undefined) {
    if (backupKey === undefined) return { isSigned: false }
    throw new Error('the backups there are not signed: unset BACKUP_KEY, or name another place')
  }
  if (backupKey === undefined) {
    if (isUnauthenticated) return { isSigned: true }
    throw new Error('the backups there are signed: set BACKUP_KEY')
  }
  const signing = signingKeyOf(backupKey)
  if (checkOf(signing) !== signed) throw new Error('BACKUP_KEY is not the one of the backups there')
  return { signing, isSigned: true }
}

const signingKeyOf = (key: string) => mac('guildhall-backup-lists', key)
const derive = (passphrase: string, salt: string) => scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, SCRYPT)
const checkOf = (key: Buffer) => mac(key, 'guildhall-backup').toString('hex')

/** Compresses, then seals under its name, so that no piece can take another's place. */
function seal(bytes: Uint8Array, name: string, key: Buffer | undefined): Buffer {
  const compressed = zstdCompressSync(bytes)
  return key ? sealBytes(key, compressed, name) : compressed
}

function unseal(bytes: Buffer, name: string, key: Buffer | undefined): Buffer {
  try {
    return zstdDecompressSync(key ? unsealBytes(key, bytes, name) : bytes)
  } catch (error) {
    throw new Error(`the backup is damaged: ${name} cannot be read`, { cause: error })
  }
}

/** The name is part of what is signed, so that no list can take another's place. */
const macOf = (content: Uint8Array, name: string, key: Buffer) => mac(key, `${name}\n`, content)

function sign(content: Buffer, name: string, { signing }: Keys): Buffer {
  return signing ? Buffer.concat([SIGNED, macOf(content, name, signing), content]) : content
}

function unsign(bytes: Buffer, name: string, { signing, isSigned }: Keys): Buffer {
  if (!isSigned) return bytes
  const start = SIGNED.length + MAC_BYTES
  const content = bytes.subarray(start)
  const found = bytes.subarray(SIGNED.length, start)
  const isMarked = bytes.length >= start && bytes.subarray(0, SIGNED.length).equals(SIGNED)
  if (!isMarked || (signing && !sameHash(found, macOf(content, name, signing)))) {
    throw new Error(`the backup is damaged, or another wrote it: ${name} is not signed by BACKUP_KEY`)
  }
  return content
}

const TYPE = 'application/octet-stream'
const keyOfPiece = (name: string) => `pieces/${name.slice(0, 2)}/${name}`

interface RepositoryParts {
  objects: NamedObjects
  keys: Keys
  isBeside?: boolean
  close: () => void
}

function repositoryOf({ objects, keys, isBeside = false, close }: RepositoryParts): Repository {
  const { sealing: key } = keys
  const nameOf = (bytes: Uint8Array) => (key ? mac(key, bytes).toString('hex') : hash('sha256', bytes, 'hex'))
  let known = isBeside ? Promise.resolve(new Map<string, Promise<void>>()) : undefined
  const listKnown = async () => {
    const names = new Map<string, Promise<void>>()
    for await (const object of objects.list('pieces')) names.set(object.key.slice(-64), Promise.resolve())
    return names
  }
  return {
    isSealed: key !== undefined,
    isAuthentic: Boolean(key ?? keys.signing),
    async keep(bytes) {
      known ??= listKnown()
      const name = nameOf(bytes)
      const names = await known
      let kept = names.get(name)
      if (!kept) {
        kept = objects.put(keyOfPiece(name), seal(bytes, name, key), TYPE)
        names.set(name, kept)
      }
      await kept
      return name
    },
    forget() {
      known = isBeside ? Promise.resolve(new Map()) : undefined
    },
    beside: () => repositoryOf({ objects, keys, isBeside: true, close: () => {} }),
    async piece(name) {
      const object = await objects.get(keyOfPiece(name))
      if (!object) throw new Error(`the backup is not complete: the piece ${name} is missing`)
      const bytes = unseal(object.bytes, name, key)
      if (nameOf(bytes) !== name) throw new Error(`the backup is damaged: the piece ${name} has other bytes`)
      return bytes
    },
    put: (name, bytes) => objects.put(name, sign(seal(bytes, name, key), name, keys), TYPE),
    async get(name) {
      const object = await objects.get(name)
      return object && unseal(unsign(object.bytes, name, keys), name, key)
    },
    async list(folder) {
      const names: string[] = []
      for await (const object of objects.list(folder)) names.push(object.key)
      return names.sort()
    },
    remove: (name) => objects.delete(name),
    async prune(used, before) {
      let removed = 0
      for await (const { key: name, modified } of objects.list('pieces')) {
        if (modified >= before || used.has(name.slice(-64))) continue
        await objects.delete(name)
        ;(await known)?.delete(name.slice(-64))
        removed++
      }
      return removed
    },
    close,
  }
}
