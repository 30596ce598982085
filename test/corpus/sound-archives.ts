// Archives that have to be accepted: what real programs write, and everything that stays just within a limit.
import {
  accepted,
  atRatio,
  automation,
  type CorpusArchive,
  checksumsOf,
  large,
  manifestEntry,
  noise,
} from './archive-parts.ts'
import { extraField, uint64, type ZipEntry, zip } from './zip-writer.ts'

const MEBIBYTE = 1024 * 1024

const script: ZipEntry = { name: 'scripts/list.js', data: 'export default 1\n' }
const unicodePath = extraField(0x7075, Buffer.from([1, 0x24, 0x32, 0x7e, 0xff, 0xc3, 0xa9]))

/** An archive of exactly this many bytes, made so by a stored entry and padding of the manifest's size. */
function archiveOf(length: number): Buffer {
  const filling = (bytes: number) => [
    { name: 'a.bin', data: noise(10 * MEBIBYTE), method: 0 },
    { name: 'b.bin', data: noise(bytes), method: 0 },
  ]
  const around = automation(filling(0)).length
  return automation(filling(length - around))
}

export const archiveOfTwentyMebibytesAnd = (more: number) => archiveOf(20 * MEBIBYTE + more)

export const soundArchives: CorpusArchive[] = [
  accepted('a manifest alone', () => automation([])),
  accepted('stored entries', () =>
    zip([
      { ...manifestEntry(), method: 0 },
      { ...script, method: 0 },
    ]),
  ),
  accepted('folders as entries', () => automation([{ name: 'scripts/', method: 0, attributes: 0x41ed0010 }, script])),
  accepted('Unix modes of plain files', () => automation([{ ...script, attributes: 0x81a40000 | 0 }])),
  accepted('names in UTF-8', () => automation([{ name: 'actions/entrée 船.json', data: '{}' }])),
  accepted('names in code page 437', () => automation([{ name: Buffer.from([0x82, 0x2e, 0x6a]), data: '' }])),
  accepted('a Unicode path field for a name beyond ASCII', () =>
    automation([{ name: Buffer.from([0x82]), extra: unicodePath }]),
  ),
  accepted('names that are odd and the same everywhere', () =>
    automation(
      [
        '.env',
        'a b.js',
        '(group)/[slug]/+page.js',
        "it's 100%.md",
        'a~b',
        'a-b',
        'console.js',
        'auxiliary/nulls',
        'x~y/z',
      ]
        .concat([
          '船/entrée.json',
          '何です？.md',
          `${'a.'.repeat(20)}b`,
          'e'.repeat(255),
          'com10',
          `${'abc/'.repeat(31)}d`,
          `${`${'f'.repeat(127)}/`.repeat(7)}${'f'.repeat(128)}`,
          'CON1',
          'a;b&c!#=,',
        ])
        .map((name) => ({ name })),
    ),
  ),
  accepted('names in code page 437 beside each other', () =>
    automation([0x82, 0x83, 0x84].map((byte) => ({ name: Buffer.from([byte, 0x2e, 0x6a]) }))),
  ),
  accepted('an archive comment', () => automation([script], { comment: Buffer.from('made by hand') })),
  accepted('data descriptors', () => zip([manifestEntry(), script].map((entry) => ({ ...entry, descriptor: true })))),
  accepted('a descriptor without signature', () => {
    const data = Buffer.from('abc')
    const descriptor = Buffer.from('c24124350300000003000000', 'hex')
    return automation([{ name: 'a', data, method: 0, descriptor }])
  }),
  accepted('zip64 throughout', () => {
    const data = Buffer.from('abc')
    const sizes = extraField(1, uint64(3, 3))
    const unset = 0xffffffff
    return automation([{ name: 'a', data, method: 0, extra: sizes, size: unset, compressedSize: unset }], { zip64: {} })
  }),
  accepted('space between entries', () => automation([{ ...script, gap: Buffer.alloc(64) }])),
  accepted('complete CHECKSUMS', () => automation([script, checksumsOf([manifestEntry(), script])])),
  accepted('CHECKSUMS with CRLF, upper-case digests and no last line end', () => {
    const data = String(checksumsOf([script, manifestEntry()]).data)
    const upper = data.replaceAll(/^[0-9a-f]{64}/gm, (digest) => digest.toUpperCase())
    return automation([script, { name: 'CHECKSUMS', data: upper.trimEnd().replaceAll('\n', '\r\n') }])
  }),
  accepted('2,000 entries', () => automation(Array.from({ length: 1_999 }, (_, index) => ({ name: `f${index}` })))),
  accepted('an entry of 10 MiB', () => automation([large('a.bin', 10 * MEBIBYTE)])),
  accepted('50 MiB in all', () => fiftyMebibytesAnd(0)),
  accepted('a ratio of 200:1 over 1 MiB', () => automation([atRatio(0)])),
  accepted('a ratio of 1,000:1 in 1 MiB', () => automation([{ name: 'a', data: Buffer.alloc(MEBIBYTE) }])),
  accepted('a manifest of 1 MiB', () => zip([manifestOf(MEBIBYTE)])),
  accepted('an archive of 20 MiB', () => archiveOfTwentyMebibytesAnd(0)),
]

/** A manifest padded to this many bytes, which compress badly enough. */
export function manifestOf(bytes: number): ZipEntry {
  const { data } = manifestEntry({ padding: '' })
  const padding = noise(bytes).toString('hex')
  return manifestEntry({ padding: padding.slice(0, bytes - String(data).length) })
}

/** An archive that inflates to 50 MiB, and some bytes more. */
export function fiftyMebibytesAnd(more: number): Buffer {
  const rest = 10 * MEBIBYTE - String(manifestEntry().data).length
  const names = ['a', 'b', 'c', 'd']
  return automation([...names.map((name) => large(name, 10 * MEBIBYTE)), large('e', rest + more)])
}
