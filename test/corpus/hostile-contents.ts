// Archives whose headers pass and whose data does not: damaged, longer or shorter than declared, or not what CHECKSUMS say.
import { deflateRawSync } from 'node:zlib'
import {
  automation,
  checksumsOf,
  deflatedTo,
  type HostileArchive,
  manifestEntry,
  noise,
  refused,
} from './archive-parts.ts'
import type { ZipEntry } from './zip-writer.ts'

const script: ZipEntry = { name: 'scripts/list.js', data: 'export default 1\n' }
const bomb = deflateRawSync(Buffer.alloc(100 * 1024 * 1024), { level: 1 })

const one = (name: string, reason: RegExp, entry: Partial<ZipEntry>) =>
  refused(name, reason, () => automation([{ ...script, ...entry }]))

const sums = (name: string, reason: RegExp, data: (lines: string) => string | Buffer) =>
  refused(`CHECKSUMS ${name}`, reason, () => {
    const lines = String(checksumsOf([manifestEntry(), script]).data)
    return automation([script, { name: 'CHECKSUMS', data: data(lines) }])
  })

export const hostileContents: HostileArchive[] = [
  one('a wrong CRC-32', /matches its CRC-32/, { crc32: 1 }),
  one('a wrong CRC-32 of stored data', /matches its CRC-32/, { crc32: 1, method: 0 }),
  one('data that is not deflated', /expected deflated data/, { packed: Buffer.alloc(20, 0xff) }),
  one('deflated data that breaks off', /expected deflated data/, {
    packed: deflateRawSync(noise(999)).subarray(0, 500),
    size: 999,
  }),
  one('a few bytes after the deflated data', /expected deflated data/, {
    packed: Buffer.concat([deflateRawSync(String(script.data)), Buffer.alloc(3)]),
  }),
  one('a mebibyte after the deflated data', /expected deflated data/, {
    packed: Buffer.concat([deflateRawSync(String(script.data)), noise(1024 * 1024)]),
  }),
  one('more data after deflated data of exactly one chunk', /expected deflated data/, {
    packed: Buffer.concat([deflatedTo(64 * 1024, Buffer.from('1234'))!, noise(64 * 1024)]),
    size: 4,
  }),
  one('less declared than there is', /expected 10 bytes when inflated, found more/, { size: 10 }),
  one('more declared than there is', /expected 99 bytes when inflated, found 17/, { size: 99 }),
  one('100 MiB declared as 17 bytes', /found more/, { packed: bomb }),
  one('100 MiB declared as 10 MiB', /found more/, { packed: bomb, size: 10 * 1024 * 1024 }),
  one('a folder that declares to be empty', /found more/, { name: 'scripts/', size: 0 }),
  one('a stored size that is not the size', /readable zip archive/, { method: 0, size: 5 }),
  sums('without a file', /scripts\/list\.js: expected a line/, (lines) => lines.split('\n')[0]!),
  sums('of nothing', /automation\.json: expected a line/, () => ''),
  sums('with another digest', /automation\.json: expected content that matches/, (lines) =>
    lines.replace(/^\w{8}/, '00000000'),
  ),
  sums('of a file that is not there', /line 2 is not/, (lines) => lines.replace('list.js', 'lost.js')),
  sums('with a line twice', /line 2 is not/, (lines) => `${lines.split('\n')[0]}\n`.repeat(2)),
  sums('with one space', /in line 1/, (lines) => lines.replace('  ', ' ')),
  sums('with a blank line', /in line 1/, (lines) => `\n${lines}`.trimEnd()),
  sums('that are not UTF-8', /CHECKSUMS: expected text in UTF-8/, () => Buffer.from([0xff, 0xfe])),
  sums('that are longer than they can be', /one line for each/, (lines) => lines + '\n'.repeat(9)),
]
