// Writes zip archives byte by byte, so that each header can say something else than the truth.
import { crc32, deflateRawSync } from 'node:zlib'

/** One entry. What is not given is derived from `data`, honestly. */
export interface ZipEntry {
  name: string | Buffer
  data?: Buffer | string
  /** 8 deflates, anything else stores */
  method?: number
  flags?: number
  /** upper 16 bits: Unix mode; lower: Windows attributes */
  attributes?: number
  /** the compressed bytes as they stand in the archive */
  packed?: Buffer
  /** lies of the central directory and of the local header alike */
  crc32?: number
  size?: number
  compressedSize?: number
  /** lies of the local header alone */
  local?: { name?: string; method?: number; flags?: number; crc32?: number; size?: number; compressedSize?: number }
  /** extra field of the central directory and of the local header */
  extra?: Buffer
  localExtra?: Buffer
  /** leaves checksum and sizes of the local header to a descriptor behind the data */
  descriptor?: boolean | Buffer
  /** points the central directory at a local header that is already there, and writes none */
  at?: number
  /** bytes between the previous entry and this one */
  gap?: Buffer
}

/** Lies of the end record, and what stands around the archive. */
export interface ZipEnd {
  entryCount?: number
  directorySize?: number
  directoryAt?: number
  diskNumber?: number
  comment?: Buffer
  /** appended to the central directory without being counted */
  hiddenEntries?: Buffer
  /** writes a zip64 end record; the values override its honest fields */
  zip64?: { entryCount?: bigint; directoryAt?: bigint; recordAt?: bigint }
}

interface Written {
  name: Buffer
  flags: number
  method: number
  crc32: number
  size: number
  compressedSize: number
  attributes: number
  extra: Buffer
  at: number
}

/** The bytes of an archive with these entries. */
export function zip(entries: ZipEntry[], end: ZipEnd = {}): Buffer {
  const parts: Buffer[] = []
  const written: Written[] = []
  let at = 0
  const append = (...buffers: Buffer[]) => {
    for (const buffer of buffers) {
      parts.push(buffer)
      at += buffer.length
    }
  }
  for (const entry of entries) {
    append(entry.gap ?? Buffer.alloc(0))
    const { header, packed } = prepare(entry, at)
    if (entry.at === undefined) append(...localParts(entry, header, packed))
    else header.at = entry.at
    written.push(header)
  }
  const directoryAt = at
  for (const header of written) append(centralHeader(header))
  append(end.hiddenEntries ?? Buffer.alloc(0))
  append(...endParts(end, written.length, directoryAt, at))
  return Buffer.concat(parts)
}

/** A central directory entry alone, for archives that hide one. */
export function centralEntry(entry: ZipEntry): Buffer {
  return centralHeader(prepare(entry, 0).header)
}

/** An extra field of a header. */
export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

/** 64-bit numbers in the order given, as zip64 fields hold them. */
export function uint64(...values: (number | bigint)[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8)
  for (const [index, value] of values.entries()) buffer.writeBigUInt64LE(BigInt(value), index * 8)
  return buffer
}

function prepare(entry: ZipEntry, at: number) {
  const data = Buffer.from(entry.data ?? '')
  const method = entry.method ?? 8
  const packed = entry.packed ?? (method === 8 ? deflateRawSync(data) : data)
  const name = Buffer.from(entry.name)
  const utf8 = name.some((byte) => byte > 127) && typeof entry.name === 'string' ? 0x800 : 0
  const header: Written = {
    name,
    flags: (entry.flags ?? utf8) | (entry.descriptor ? 0x8 : 0),
    method,
    crc32: entry.crc32 ?? crc32(data),
    size: entry.size ?? data.length,
    compressedSize: entry.compressedSize ?? packed.length,
    attributes: entry.attributes ?? 0,
    extra: entry.extra ?? Buffer.alloc(0),
    at,
  }
  return { header, packed }
}

function localParts(entry: ZipEntry, header: Written, packed: Buffer): Buffer[] {
  const { local = {}, descriptor } = entry
  const name = Buffer.from(local.name ?? header.name)
  const extra = entry.localExtra ?? header.extra
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(local.flags ?? header.flags, 6)
  head.writeUInt16LE(local.method ?? header.method, 8)
  head.writeUInt32LE(local.crc32 ?? (descriptor ? 0 : header.crc32), 14)
  head.writeUInt32LE(local.compressedSize ?? (descriptor ? 0 : header.compressedSize), 18)
  head.writeUInt32LE(local.size ?? (descriptor ? 0 : header.size), 22)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(extra.length, 28)
  const behind = descriptor === true ? honestDescriptor(header) : descriptor || Buffer.alloc(0)
  return [head, name, extra, packed, behind]
}

function honestDescriptor(header: Written): Buffer {
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  descriptor.writeUInt32LE(header.crc32, 4)
  descriptor.writeUInt32LE(header.compressedSize, 8)
  descriptor.writeUInt32LE(header.size, 12)
  return descriptor
}

function centralHeader(header: Written): Buffer {
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE((3 << 8) | 20, 4)
  head.writeUInt16LE(20, 6)
  head.writeUInt16LE(header.flags, 8)
  head.writeUInt16LE(header.method, 10)
  head.writeUInt32LE(header.crc32, 16)
  head.writeUInt32LE(header.compressedSize, 20)
  head.writeUInt32LE(header.size, 24)
  head.writeUInt16LE(header.name.length, 28)
  head.writeUInt16LE(header.extra.length, 30)
  head.writeUInt32LE(header.attributes >>> 0, 38)
  head.writeUInt32LE(header.at, 42)
  return Buffer.concat([head, header.name, header.extra])
}

function endParts(end: ZipEnd, entries: number, directoryAt: number, at: number): Buffer[] {
  const comment = end.comment ?? Buffer.alloc(0)
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(end.diskNumber ?? 0, 4)
  record.writeUInt16LE(end.entryCount ?? (end.zip64 ? 0xffff : entries), 8)
  record.writeUInt16LE(end.entryCount ?? (end.zip64 ? 0xffff : entries), 10)
  record.writeUInt32LE(end.directorySize ?? (end.zip64 ? 0xffffffff : at - directoryAt), 12)
  record.writeUInt32LE(end.directoryAt ?? (end.zip64 ? 0xffffffff : directoryAt), 16)
  record.writeUInt16LE(comment.length, 20)
  if (!end.zip64) return [record, comment]
  const zip64 = Buffer.alloc(56)
  zip64.writeUInt32LE(0x06064b50, 0)
  uint64(44).copy(zip64, 4)
  uint64(entries, end.zip64.entryCount ?? entries, at - directoryAt, end.zip64.directoryAt ?? directoryAt).copy(
    zip64,
    24,
  )
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  uint64(end.zip64.recordAt ?? at).copy(locator, 8)
  locator.writeUInt32LE(1, 16)
  return [zip64, locator, record, comment]
}
