// Archives with an entry that may not be: its name, its kind, its size, or a local header that tells another story.
import { atRatio, automation, type HostileArchive, large, manifestEntry, refused } from './archive-parts.ts'
import { fiftyMebibytesAnd } from './sound-archives.ts'
import { extraField, type ZipEntry } from './zip-writer.ts'

const MEBIBYTE = 1024 * 1024
const script: ZipEntry = { name: 'scripts/list.js', data: 'export default 1\n' }

const one = (name: string, reason: RegExp, entry: Partial<ZipEntry>) =>
  refused(name, reason, () => automation([{ ...script, ...entry }]))

const mode = (type: number) => ((type << 16) | 0x1a40000) >>> 0

export const hostileEntries: HostileArchive[] = [
  one('no name', /to have a name/, { name: '' }),
  one('a NUL in a name', /without NUL/, { name: 'a\0.js' }),
  one('a name that claims to be UTF-8', /names in UTF-8/, { name: Buffer.from([0xc3, 0x28]), flags: 0x800 }),
  one('a second name in a Unicode path field', /one name/, {
    name: 'a',
    extra: extraField(0x7075, Buffer.from([1, 0x43, 0xbe, 0xb7, 0xe8, 0x62])),
  }),
  one('an absolute path', /relative path/, { name: '/etc/passwd' }),
  one('a drive letter', /drive letter/, { name: 'C:evil.js' }),
  one('backslashes', /without backslashes/, { name: 'scripts\\list.js' }),
  one('a path that leads out', /without \.\./, { name: '../evil.js' }),
  one('a path that leads out on its way', /without \.\./, { name: 'scripts/../../evil.js' }),
  one('a path that ends outside', /without \.\./, { name: 'scripts/..' }),
  one('a symbolic link', /not a link/, { data: '/etc/passwd', attributes: mode(0xa000) }),
  one('a character device', /not a link or a device/, { data: '', attributes: mode(0x2000) }),
  one('a block device', /not a link or a device/, { data: '', attributes: mode(0x6000) }),
  one('a pipe', /not a link or a device/, { data: '', attributes: mode(0x1000) }),
  one('a socket', /not a link or a device/, { data: '', attributes: mode(0xc000) }),
  one('a Windows reparse point', /not a link or a device/, { attributes: 0x400 }),
  one('a folder named like a file', /plain file or folder/, { data: '', attributes: mode(0x4000) }),
  one('a folder with content', /folder to be empty/, { name: 'scripts/' }),
  one('an encrypted entry', /not encrypted/, { flags: 0x1 }),
  one('a strongly encrypted entry', /strong encryption/, { flags: 0x41 }),
  one('an encrypted directory', /not encrypted/, { flags: 0x2000 }),
  one('encryption in the local header alone', /same flags/, { local: { flags: 1 } }),
  ...[1, 6, 9, 12, 14, 93, 95, 98, 99].map((method) =>
    one(`compression method ${method}`, /stored or deflated/, { method }),
  ),
  refused('one name twice', /one entry of this name/, () => automation([script, { ...script, data: 'other' }])),
  refused('a second manifest', /one entry of this name/, () => automation([manifestEntry({ id: 'other' })])),
  refused('an entry over 10 MiB', /at most 10 MiB/, () => automation([large('a.bin', 10 * MEBIBYTE + 1)])),
  refused('over 50 MiB in all', /at most 50 MiB/, () => fiftyMebibytesAnd(1)),
  refused('a ratio over 200:1 over 1 MiB', /at most 200:1/, () => automation([atRatio(1)])),
  one('a ratio of 1,000:1 just over 1 MiB', /at most 200:1/, { data: Buffer.alloc(MEBIBYTE + 1) }),
  one('another name in the local header', /same name/, { local: { name: 'scripts/evil.js' } }),
  one('another method in the local header', /same method/, { local: { method: 0 } }),
  one('another checksum in the local header', /same checksum and sizes/, { local: { crc32: 1 } }),
  one('another size in the local header', /same checksum and sizes/, { local: { size: 1 } }),
  one('another compressed size in the local header', /same checksum and sizes/, { local: { compressedSize: 1 } }),
  one('a data descriptor of other figures', /same checksum and sizes/, { descriptor: Buffer.alloc(16, 1) }),
]
