// Bodies that are cheap to send and may be expensive to read: deep, wide, long, in many parts. Sizes in bytes.
import { deflateRawSync } from 'node:zlib'
import { automation as archive, large, manifest, noise } from '../corpus/archive-parts.ts'
import { zip } from '../corpus/zip-writer.ts'
import { onePixelDeepBytes } from '../pictures.ts'

type Make = (size: number) => string

const fill = (piece: string, size: number) => piece.repeat(Math.max(1, Math.floor(size / piece.length)))

/** Values of JSON as text, about so large. */
export const jsonValues: Readonly<Record<string, Make>> = {
  'deep lists': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'deep objects': (size) => `${fill('{"a":', size)}1${'}'.repeat(size / 5)}`,
  'nothing but openings': (size) => '['.repeat(size),
  'many numbers': (size) => `[${fill('1,', size - 3)}1]`,
  'many objects': (size) => `[${fill('{},', size - 4)}{}]`,
  'many keys': (size) => `{${Array.from({ length: size / 12 }, (_, n) => `"k${n}":1`).join()}}`,
  'one key many times': (size) => `{${fill('"__proto__":1,', size - 20)}"a":1}`,
  'a long text': (size) => JSON.stringify('a'.repeat(size)),
  'a long text beyond ASCII': (size) => JSON.stringify('漢é'.repeat(size / 5)),
  'a text of escapes': (size) => `"${fill('\\u0041', size)}"`,
  'a text of surrogates': (size) => `"${fill('\\ud800', size)}"`,
  'a text of spaces': (size) => JSON.stringify(`${' '.repeat(size)}a`),
  'a text of marks': (size) => JSON.stringify('e\u0301\u0302\u0303'.repeat(size / 8)),
  'a text of dots and ats': (size) => JSON.stringify(`${fill('a.', size / 2)}@${fill('a-.', size / 2)}`),
  'a long number': (size) => '9'.repeat(size),
}

/** Texts that some Markdown parser is slow with. */
export const markdown: Readonly<Record<string, Make>> = {
  brackets: (size) => fill('[', size),
  links: (size) => fill('[a](b)', size),
  'links that do not end': (size) => fill('[a](b', size),
  pictures: (size) => `${fill('![', size / 2)}${fill('](b)', size / 2)}`,
  emphasis: (size) => fill('*a_ **b', size),
  'emphasis that does not end': (size) => fill('**a*', size),
  quotes: (size) => `${'>'.repeat(40)}a\n${fill('b\n', size)}`,
  lists: (size) => Array.from({ length: size / 60 }, (_, n) => `${'  '.repeat(n % 40)}- a`).join('\n'),
  tables: (size) => `${fill('|a', 300)}|\n${fill('|-', 300)}|\n${fill('|x\n', size)}`,
  'a wide table': (size) => `${fill('a|', size / 3)}\n${fill('-|', size / 3)}\n${fill('b|', size / 3)}`,
  code: (size) => fill('```js\nlet a = /((("\n```\n', size),
  'one block of code': (size) => `\`\`\`html\n${fill('<a "\n', size)}`,
  backticks: (size) => Array.from({ length: Math.sqrt(size * 2) }, (_, n) => '`'.repeat(n)).join('a'),
  references: (size) => Array.from({ length: size / 12 }, (_, n) => `[${n}]: /x\n`).join(''),
  'a reference used often': (size) => `[x]: /${'y'.repeat(1_000)}\n\n${fill('[x] ', size)}`,
  addresses: (size) => fill('https://a.example/(b) ', size),
  entities: (size) => fill('&#x41;', size),
  html: (size) => fill('<a href="', size),
  headings: (size) => fill('# a\n', size),
  everything: (size) => fill('*_**__~~[!['.padEnd(12), size),
}

const BOUNDARY = 'b'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const part = (head: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const closed = (body: string) => Buffer.from(`${body}--${BOUNDARY}--\r\n`)

/** Bodies of multipart/form-data that are larger in number than in content. */
export const forms: Readonly<Record<string, (field: string) => Buffer>> = {
  'many parts': () => closed(part('name="a"', '').repeat(100_000)),
  'many parts without a name': () => closed(`--${BOUNDARY}\r\nX: y\r\n\r\n\r\n`.repeat(150_000)),
  'many files': (field) => closed(part(`name="${field}"; filename="a.md"`, 'x').repeat(50_000)),
  'a part with many headers': () => closed(`--${BOUNDARY}\r\n${'X: y\r\n'.repeat(200_000)}\r\n\r\n`),
  'headers without end': () => Buffer.from(`--${BOUNDARY}\r\nX: ${'y'.repeat(2_000_000)}`),
  'a long name': () => closed(part(`name="${'n'.repeat(1_000_000)}"`, '')),
  'a long file name': (field) => closed(part(`name="${field}"; filename="${'../'.repeat(300_000)}a.md"`, 'x')),
  'almost a boundary': (field) => closed(part(`name="${field}"; filename="a.md"`, '\r\n--'.repeat(400_000))),
  'a long field': () => closed(part('name="label"', 'x'.repeat(2_000_000))),
  'an empty body': () => Buffer.alloc(0),
}

const deepJson = (size: number) => jsonValues['deep lists']!(size)

/** Files for every upload: compressed, nested, many, large. */
export const files: Readonly<Record<string, () => Buffer>> = {
  'an archive of 50 MB': () => archive(Array.from({ length: 4 }, (_, n) => large(`${n}.bin`, 10 * 1024 * 1024))),
  'an archive of 50 MB in 50 KB': () =>
    archive(Array.from({ length: 49 }, (_, n) => ({ name: `${n}.bin`, data: Buffer.alloc(1024 * 1024) }))),
  'an archive of too much': () =>
    archive([
      { name: 'a', data: Buffer.alloc(9 * 1024 * 1024), packed: deflateRawSync(Buffer.alloc(9 * 1024 * 1024)) },
    ]),
  'an archive of 2,000 long names': () =>
    archive(Array.from({ length: 1_999 }, (_, n) => ({ name: `${`${'é'.repeat(15)}/`.repeat(30)}${n}` }))),
  'an archive of 2,000 names to fold': () =>
    archive(Array.from({ length: 1_999 }, (_, n) => ({ name: `${'ﷺ'.repeat(80)}${n}` }))),
  'an archive with a deep manifest': () => zip([{ name: 'automation.json', data: deepJson(1_000_000) }]),
  'an archive with a wide manifest': () =>
    zip([{ name: 'automation.json', data: JSON.stringify({ ...manifest, actions: Array(60_000).fill('action') }) }]),
  'an archive with many checksums': () =>
    archive([{ name: 'CHECKSUMS', data: `${'0'.repeat(64)}  a\n`.repeat(100_000) }]),
  'a workflow of 20 MB of brackets': () => Buffer.from(deepJson(20 * 1024 * 1024)),
  'a workflow of many nodes': () => Buffer.from(`{"nodes":[${'{"type":"a"},'.repeat(700_000)}{"type":"b"}]}`),
  'an org of many roles': () => Buffer.from(`{"name":"x","roles":[${'{"id":"a"},'.repeat(45_000)}{"id":"b"}]}`),
  'an org of deep roles': () => Buffer.from(`{"name":"x","roles":[{"id":"a","x":${deepJson(400_000)}}]}`),
  'an org of many links': () =>
    Buffer.from(
      `{"name":"x","roles":[{"id":"a"}],"communication":[${'{"from":"a","to":"b"},'.repeat(20_000)}{"from":"a","to":"a"}]}`,
    ),
  'a large picture': () => onePixelDeepBytes(5_000, 5_000),
  'a huge picture': () => onePixelDeepBytes(30_000, 30_000),
  'noise of 20 MB': () => noise(20 * 1024 * 1024),
}
