// Archives with names that some system reads otherwise than another, or takes for each other: what is shown would not be
// what is installed (behaviour.md, section 4).
import { crc32 } from 'node:zlib'
import { automation, type HostileArchive, refused } from './archive-parts.ts'
import { extraField, type ZipEntry } from './zip-writer.ts'

const named = (...names: (string | Buffer)[]): ZipEntry[] => names.map((name) => ({ name }))
const unicodePath = (raw: Buffer, path: string) => {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(raw))
  return extraField(0x7075, Buffer.concat([Buffer.from([1]), checksum, Buffer.from(path)]))
}

/** Names that may not be, with what is said of them. */
const alone: Readonly<Record<string, [reason: RegExp, ...names: string[]]>> = {
  'a segment that is empty, . or ..': [
    /empty segments|without \./,
    ...[
      './automation.json',
      'scripts//list.js',
      'scripts/./list.js',
      'scripts/.',
      './',
      '.',
      'scripts//',
      '..',
      '../a',
    ],
    ...['\u2024/a.js', '\uff0e\uff0e/a.js', '\u2025/a.js'],
  ],
  'a slash in another form': [/slashes in another form/, 'a\uff0fb.js', 'a\uff3cb.js', '\u2100.js'],
  'a dot or a space at the end': [
    /end in a dot or a space/,
    ...[
      'automation.json.',
      'automation.json ',
      'scripts./list.js',
      'scripts /list.js',
      'scripts /',
      ' a.js',
      'a..',
      '...',
    ],
  ],
  'a character that Windows or a shell reads otherwise': [
    /without < > :/,
    ...['a<b', 'a>b', 'automation.json:stream', 'a"b', 'a|b', 'a?b', 'a*b', '$HOME/a', 'a`id`.js', 'scripts/CON:'],
  ],
  'a control character': [
    /control or invisible|without NUL/,
    'a\nb',
    'a\rb',
    'a\tb',
    'a\x1bb',
    'a\x7fb',
    'a\0b',
    'a\x85b',
  ],
  'a character that nobody sees': [
    /control or invisible/,
    ...['automation\u200b.json', 'gpj.\u202esj', '\ufeffa.js', 'a\u2066b', 'a\u00adb', 'a\u2028b', 'a\u{e0041}b'],
  ],
  'a device of Windows': [
    /no device/,
    ...['CON', 'nul', 'scripts/aux.js', 'COM1', 'lpt9.txt', 'PRN.tar.gz', 'com\u00b9', 'NUL .js', 'con/a.js'],
  ],
  'a short name of Windows': [/no short name/, 'AUTOMA~1.JSO', 'scripts/LIST~2', 'A~10.JS'],
  'a beginning that a shell or a program reads otherwise': [
    /not begin with/,
    '-rf',
    'scripts/--help',
    '~',
    '~/a',
    '~root/a',
  ],
  'more bytes than a file system takes': [
    /at most/,
    'a'.repeat(256),
    'é'.repeat(128),
    `${'a/'.repeat(512)}b`,
    `${'a/'.repeat(32)}b`,
    `${`${'f'.repeat(127)}/`.repeat(8)}f`,
  ],
}

/** Names that are good by themselves and may not be together. */
const together: Readonly<Record<string, [reason: RegExp, ...names: string[]]>> = {
  'another case': [/one entry of this name/, 'Automation.json'],
  'another case in a folder': [/one entry of this name|one way to write/, 'scripts/a.js', 'scripts/A.js'],
  'folders in another case': [/one way to write the folder scripts/, 'scripts/a.js', 'Scripts/b.js'],
  'a folder entry in another case': [/one way to write/, 'scripts/', 'SCRIPTS/'],
  'full case folding': [/one entry of this name/, 'straße.js', 'STRASSE.js'],
  'a final sigma': [/one entry of this name/, 'ΟΔΟΣ.js', 'οδος.js', 'οδοσ.js'],
  'a letter that only folds': [/one entry of this name/, 'ſcript.js', 'Script.js'],
  'a Kelvin sign': [/one entry of this name/, '\u212a.js', 'k.js'],
  'composed and decomposed': [/one entry of this name/, 'entr\u00e9e.json', 'entre\u0301e.json'],
  'composed and decomposed folders': [/one way to write/, '\u00e9/a', 'e\u0301/b'],
  'a ligature': [/one entry of this name/, 'ﬁle.js', 'file.js'],
  'full width': [/one entry of this name/, '\uff41.js', 'a.js'],
  'a selector that nobody sees': [/one entry of this name/, 'a.js', 'a\ufe0e.js'],
  'a file and a folder': [/file of the name of a folder/, 'scripts', 'scripts/a.js'],
  'a folder and a file': [/folder of the name of this file/, 'scripts/a.js', 'scripts'],
  'a folder entry and a file': [/folder of the name of this file/, 'scripts/', 'scripts'],
  'a folder and a file in another case': [/folder of the name of this file/, 'scripts/a/b.js', 'scripts/A'],
  'the manifest and a folder': [/file of the name of a folder/, 'automation.json/a'],
}

const Ae = Buffer.from([0x8e])

export const hostileNames: HostileArchive[] = [
  ...Object.entries(alone).flatMap(([what, [reason, ...names]]) =>
    names.map((name) =>
      refused(`${what}: ${JSON.stringify(name.slice(0, 40))}`, reason, () => automation(named(name))),
    ),
  ),
  ...Object.entries(together).map(([what, [reason, ...names]]) =>
    refused(`two that are the same but for ${what}`, reason, () => automation(named(...names))),
  ),
  refused('a path that leads out where the Unicode path field is not read', /without \.\./, () => {
    const raw = Buffer.concat([Buffer.from('../'), Ae])
    return automation([{ name: raw, extra: unicodePath(raw, 'a.js') }])
  }),
  refused('two that are the same where the Unicode path field is not read', /one entry of this name/, () => {
    const [one, other] = ['\u00e9', '\u00c9'].map((name) => Buffer.from(name))
    return automation([
      { name: one!, extra: unicodePath(one!, 'a') },
      { name: other!, extra: unicodePath(other!, 'b') },
    ])
  }),
  refused('two that are the same where unmarked names are read as UTF-8', /one entry of this name/, () =>
    automation(named(Buffer.from('\u00e9'), '\u00e9')),
  ),
  refused('another Unicode path field in the local header', /same name/, () =>
    automation([{ name: Ae, extra: unicodePath(Ae, 'Ä'), localExtra: unicodePath(Ae, 'evil') }]),
  ),
  refused('a Unicode path field in the local header alone', /same name/, () =>
    automation([{ name: Ae, localExtra: unicodePath(Ae, 'evil') }]),
  ),
  refused('another encoding of the name in the local header', /same name/, () =>
    automation([{ name: 'é', local: { flags: 0 } }]),
  ),
]
