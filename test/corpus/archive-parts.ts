// What the archives of the corpus are made of: a sound manifest, and content of a given size.
import { createCipheriv, createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { type ZipEnd, type ZipEntry, zip } from './zip-writer.ts'

/** An archive of the corpus; `bytes` are built anew each time they are asked for, some are 20 MiB. */
export interface CorpusArchive {
  name: string
  readonly bytes: Buffer
}

/** One that has to be refused, and what the refusal has to say. */
export interface HostileArchive extends CorpusArchive {
  reason: RegExp
}

export const manifest = {
  schema: 'monoagent.automation/v1',
  id: 'harbor-board',
  name: 'Harbor Board',
  version: '0.2.0',
  actions: ['list_berths'],
}

/** The entry `automation.json`, with fields of the manifest replaced; undefined leaves one out. */
export function manifestEntry(changes: object = {}): ZipEntry {
  return { name: 'automation.json', data: JSON.stringify({ ...manifest, ...changes }) }
}

/** An archive with a sound manifest followed by these entries. */
export function automation(entries: ZipEntry[], end?: ZipEnd): Buffer {
  return zip([manifestEntry(), ...entries], end)
}

export function accepted(name: string, build: () => Buffer): CorpusArchive {
  return {
    name,
    get bytes() {
      return build()
    },
  }
}

export function refused(name: string, reason: RegExp, build: () => Buffer): HostileArchive {
  return {
    name,
    reason,
    get bytes() {
      return build()
    },
  }
}

/** Bytes that do not compress, the same every time. */
export function noise(length: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(length))
}

/** An entry of this many bytes, about a fortieth when deflated. */
export function large(name: string, length: number): ZipEntry {
  const data = Buffer.concat([noise(Math.floor(length / 40)), Buffer.alloc(length - Math.floor(length / 40))])
  return { name, data, packed: deflateRawSync(data, { level: 1 }) }
}

/** An entry of about 2 MB whose inflated size is exactly 200 times its compressed size, plus `more` bytes. */
export function atRatio(more: number): ZipEntry {
  for (let length = 10_000; ; length += 1) {
    const data = Buffer.concat([noise(4_000), Buffer.alloc(length * 200 + more - 4_000)])
    const packed = deflatedTo(length, data)
    if (packed) return { name: 'zeros.bin', data, packed }
  }
}

/** Deflated data of exactly this many bytes, made longer by empty blocks; undefined if those do not fit exactly. */
export function deflatedTo(length: number, data: Buffer): Buffer | undefined {
  const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff])
  const deflated = deflateRawSync(data)
  const blocks = (length - deflated.length) / emptyBlock.length
  if (!Number.isInteger(blocks)) return undefined
  return Buffer.concat([...Array<Buffer>(blocks).fill(emptyBlock), deflated])
}

/** CHECKSUMS for these entries. */
export function checksumsOf(entries: ZipEntry[]): ZipEntry {
  const line = ({ name, data = '' }: ZipEntry) => `${createHash('sha256').update(data).digest('hex')}  ${name}\n`
  return { name: 'CHECKSUMS', data: entries.map(line).join('') }
}
