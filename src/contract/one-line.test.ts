// Names and titles are one line, whichever door they come in by (behaviour.md, section 0).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { z } from 'zod'
import { orgFile, workflowFile } from '../../test/library.ts'
import { onEveryEngine } from '../../test/world.ts'
import { api } from '../api.ts'
import type { Contract } from './operation.ts'
import { oneLine } from './storable.ts'

const WILD = ' One\r\n\u202etwo\u2066 \u0007 three\u2028four\u0085cafe\u0301 '
const TAME = 'One two three four caf\u00e9'

describe('a text of one line', () => {
  it('has no line breaks, controls and turns of direction, in NFC; joiners stay', () => {
    assert.equal(oneLine(WILD).trim(), TAME)
    const joined = '\u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 a  b'
    assert.equal(oneLine(joined), joined)
  })

  it('is what every name and title of every operation is', () => {
    const names = new Set(['name', 'title', 'tagline', 'label', 'jobTitle', 'company'])
    // Fields of a form, as they are typed, and the name of a repository, which has a pattern.
    const others = new Set(['drafts.save', 'trackers.create'])
    const seen = []
    for (const [slice, contract] of Object.entries(api as Record<string, Contract>)) {
      for (const [verb, { input, deferredBody, method }] of Object.entries(contract)) {
        const fields = { ...input.shape, ...deferredBody?.shape } as Record<string, z.ZodType>
        for (const [field, type] of Object.entries(fields)) {
          if (!names.has(field) || method === 'GET' || others.has(`${slice}.${verb}`)) continue
          seen.push(`${slice}.${verb} ${field}`)
          assert.deepEqual(type.safeParse('a\n\u202eb').data, 'a b', `${slice}.${verb} ${field}`)
        }
      }
    }
    assert.ok(seen.length > 20, seen.join())
  })
})

onEveryEngine('a name or a title', (it) => {
  it('becomes one line, of what is typed and of what is uploaded', async ({ alice, admin }) => {
    const bug = await alice.bugs.create({ title: WILD, description: 'x\ny', severity: 'low' })
    assert.deepEqual([bug.title, bug.description], [TAME, 'x\ny'])
    const edited = await alice.bugs.edit({ id: bug.id, title: `x${WILD}` })
    assert.equal(edited.title, `x ${TAME}`)
    const { name, tagline } = await alice.profile.update({ name: WILD, tagline: WILD })
    assert.deepEqual([name, tagline], [TAME, TAME])
    const file = workflowFile({ name: WILD })
    assert.equal((await alice.library.publish({ kind: 'workflow', file, visibility: 'public' })).name, TAME)
    const org = await alice.orgs.create({ orgJson: await orgFile({ name: `${WILD}.` }).text() })
    assert.equal(org.name, ` ${TAME} .`, 'as given but for that (formats.md, section 1)')
    assert.equal((await admin.labels.create({ name: 'a\tb', color: '#123456' })).name, 'a b')
  })

  it('has its length after that, and is refused only where nothing is left', async ({ alice }) => {
    const title = `${'\u202a'.repeat(50)}${'x'.repeat(100)}${'\n'.repeat(50)}`
    const post = { body: 'x' }
    assert.equal((await alice.posts.create({ ...post, title })).title.length, 100)
    await assert.rejects(alice.posts.create({ ...post, title: 'x'.repeat(101) }), { status: 400 })
    await assert.rejects(alice.posts.create({ ...post, title: '\u202e\n\u2069' }), { status: 400 })
    const named = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: '\u202e' }) })
    assert.equal(named.name, 'Untitled workflow')
  })
})
