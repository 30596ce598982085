// Automations, zip archives named `.mpkg` (formats.md section 2): read from disk as a stream, every byte of every entry verified.
// Only the manifest, the README and the list of files are stored in memory.
import { createHash, type Hash } from 'node:crypto'
import { required } from '../runtime/untyped.ts'
import { Archive } from './archive.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { changelogOf } from './changelog.ts'
import { FormatError } from './format-error.ts'
import { itemDescription, itemName } from './item-text.ts'
import { isLicenseFile, LICENSE_TITLE_BYTES, licenseOf, licenseOfFile } from './license.ts'
import { descriptionOf, MANIFEST, MAX_MANIFEST_BYTES, metaOf, permissionsOf, readManifest } from './manifest.ts'
import { namedItems } from './named-items.ts'
import { decodeUtf8 } from './text.ts'

// CHECKSUMS of an automation: one `<sha256 hex><two spaces><path>` line for every other file (formats.md section 2).

const NAME = 'CHECKSUMS'
const LINE = /^([0-9a-fA-F]{64}) {2}(.+)$/s

/** Maximum bytes of a line for each of these files: digest, two spaces, path, and a line end of one byte or two. */
function mostChecksumsBytes(paths: Iterable<string>): number {
  let bytes = 0
  for (const path of paths) bytes += 64 + 2 + Buffer.byteLength(path) + 2
  return bytes
}

/**
 * Compares CHECKSUMS with the files of the archive. A line either belongs to a file that has none yet or is the last line to be read,
 * so the work is bounded by the number of files, regardless of the text.
 *
 * @param digests SHA-256 in lower-case hex by path, of every file but CHECKSUMS itself
 * @throws FormatError
 */
function verifyChecksums(bytes: Buffer, digests: ReadonlyMap<string, string>): void {
  const text = decodeUtf8(bytes, NAME)
  const missing = new Set(digests.keys())
  for (let at = 0, number = 1; at < text.length; number += 1) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const [, digest, path] = LINE.exec(text.slice(at, end).replace(/\r$/, '')) ?? []
    if (digest === undefined || path === undefined) {
      throw new FormatError(`expected "<sha256>  <path>" in line ${number}`, NAME)
    }
    if (!missing.delete(path))
      throw new FormatError(`expected one line for each other file, line ${number} is not`, NAME)
    if (digests.get(path) !== digest.toLowerCase())
      throw new FormatError('expected content that matches CHECKSUMS', path)
    at = end + 1
  }
  for (const path of missing) throw new FormatError('expected a line of this file in CHECKSUMS', path)
}

const CHECKSUMS = 'CHECKSUMS'
const README = 'README.md'
const CHANGELOG = 'CHANGELOG.md'
const TEXTS = new Set([MANIFEST, README, CHECKSUMS, CHANGELOG])

/** How much of a longer README or changelog is read. */
const MAX_README_BYTES = 1024 * 1024

/**
 * Reads an automation from disk and verifies all of it: structure, bounds, CRC-32, CHECKSUMS and manifest.
 *
 * @param path of a file with any content; it is not changed
 * @throws FormatError with the problem, for everything formats.md section 2 refuses
 */
export async function readAutomation(path: string) {
  await using archive = await Archive.open(path)
  const files = archive.entries.filter((entry) => !entry.isFolder)
  assertSizes(files)
  const { texts, digests } = await inflateAll(archive)
  const checksums = texts.get(CHECKSUMS)
  if (checksums) verifyChecksums(checksums, digests)
  const manifest = readManifest(required(texts.get(MANIFEST)))
  return {
    manifest,
    meta: metaOf(manifest),
    slug: manifest.id,
    /** trimmed, at most 100 characters */
    name: itemName(manifest.name, manifest.id),
    /** at most 2,000 characters, `''` when it has none */
    description: itemDescription(descriptionOf(manifest)),
    /** semantic version, as the manifest gives it */
    version: manifest.version,
    filename: `${manifest.id}-${manifest.version}.mpkg`,
    /** every file in the order of the archive; sizes in bytes, inflated */
    files: files.map(({ path, size }) => ({ path, size })),
    /** README.md as text, its first 1 MiB; null when there is none */
    readme: textOf(texts.get(README)),
    permissions: permissionsOf(manifest),
    /** what CHANGELOG.md tells of this version; null for nothing */
    changelog: changelogOf(textOf(texts.get(CHANGELOG)) ?? '', manifest.version),
    /** other items that the manifest names */
    names: namedItems(manifest),
    /** of the manifest, or else of a licence file; null where neither tells */
    license: licenseOf(manifest['license']) ?? licenseIn(texts),
  }
}

/** What the first licence file that is clear says. */
function licenseIn(texts: ReadonlyMap<string, Buffer>): string | null {
  for (const [path, bytes] of texts) {
    const license = isLicenseFile(path) ? licenseOfFile(path, textOf(bytes) ?? '') : null
    if (license) return license
  }
  return null
}

/** Checks of the sizes alone, before anything is inflated. */
function assertSizes(files: ArchiveEntry[]): void {
  const sizeOf = (path: string) => files.find((file) => file.path === path)?.size
  const manifestSize = sizeOf(MANIFEST)
  if (manifestSize === undefined) throw new FormatError('expected at the root of the archive', MANIFEST)
  if (manifestSize > MAX_MANIFEST_BYTES) throw new FormatError('expected at most 1 MiB', MANIFEST)
  const others = files.map((file) => file.path).filter((path) => path !== CHECKSUMS)
  if ((sizeOf(CHECKSUMS) ?? 0) > mostChecksumsBytes(others)) {
    throw new FormatError('expected one line for each other file', CHECKSUMS)
  }
}

/** Inflates everything; returns the few files that are text to be read, and digests if there are CHECKSUMS to compare. */
async function inflateAll(archive: Archive) {
  const kept = new Map<string, Buffer[]>()
  const hashes = new Map<string, Hash>()
  const hasChecksums = archive.entries.some((entry) => entry.path === CHECKSUMS)
  await archive.inflate(({ path, isFolder, size }) => {
    const isLicense = isLicenseFile(path)
    const chunks = TEXTS.has(path) || isLicense ? [] : undefined
    const hash = hasChecksums && path !== CHECKSUMS && !isFolder ? createHash('sha256') : undefined
    if (chunks) kept.set(path, chunks)
    if (hash) hashes.set(path, hash)
    const keep =
      chunks &&
      keepIn(chunks, isLicense ? LICENSE_TITLE_BYTES : path === README || path === CHANGELOG ? MAX_README_BYTES : size)
    return (chunk) => {
      keep?.(chunk)
      hash?.update(chunk)
    }
  })
  return {
    texts: new Map([...kept].map(([path, chunks]) => [path, Buffer.concat(chunks)])),
    digests: new Map([...hashes].map(([path, hash]) => [path, hash.digest('hex')])),
  }
}

/** Keeps the first `limit` bytes. */
function keepIn(chunks: Buffer[], limit: number): (chunk: Buffer) => void {
  let room = limit
  return (chunk) => {
    if (room <= 0) return
    chunks.push(Buffer.from(chunk.subarray(0, room)))
    room -= chunk.length
  }
}

/** A text for people: invalid UTF-8 in it is shown as U+FFFD and the automation is accepted. */
function textOf(bytes: Buffer | undefined): string | null {
  if (!bytes) return null
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
}
