// Many items at once, of an archive that an admin uploads.
import assert from 'node:assert/strict'
import { zipSync } from 'fflate'
import { skillFiles, skillText } from '../../../test/skills.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { MAX_BROUGHT } from './contract.ts'

const zip = (files: Record<string, string | Uint8Array>, name = 'all.zip') =>
  new File(
    [
      new Uint8Array(
        zipSync(
          Object.fromEntries(
            Object.entries(files).map(([path, text]) => [path, typeof text === 'string' ? Buffer.from(text) : text]),
          ),
        ),
      ),
    ],
    name,
  )
const named = (name: string) => skillText({ name })
const under = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
const workflow = (name: string) =>
  JSON.stringify({ name, nodes: [{ id: 'a', name: 'Start', type: 'n8n-nodes-base.start' }], connections: {} })

const skills = {
  ...under('skills/tools/pdf', skillFiles()),
  'skills/notes/SKILL.md': named('notes'),
  'skills/notes/.env': 'SECRET=1',
  'skills/notes/inner/SKILL.md': named('inner'),
  'skills/broken/SKILL.md': 'no frontmatter',
  'skills/.git/SKILL.md': named('hidden'),
  'skills/README.md': '# Skills',
}

onEveryEngine('an archive with many items', (it) => {
  it('is said to become items, publishes them, and then only what is new', async ({ admin }) => {
    const bring = async (tried: 'on' | 'off', files: Record<string, string> = skills) =>
      (await admin.itemImports.bring({ from: 'skills', file: zip(files), tried, visibility: 'public' })).items.map(
        ({ file, outcome, name, version, hidden }) => [file, outcome, name, version, hidden],
      )
    const left = ['broken', 'left out', null, null, 0]
    assert.deepEqual(await bring('on'), [
      left,
      ['notes', 'new', 'notes', null, 1],
      ['tools/pdf', 'new', 'pdf-tools', null, 0],
    ])
    assert.equal((await admin.library.list({ kind: 'skill' })).items.length, 0)
    const [, notes, pdf] = await bring('off')
    assert.deepEqual(
      [notes?.slice(0, 3), pdf?.slice(0, 3)],
      [
        ['notes', 'new', 'notes'],
        ['tools/pdf', 'new', 'pdf-tools'],
      ],
    )
    assert.deepEqual(
      (await bring('off')).map(([, outcome]) => outcome),
      ['left out', 'same', 'same'],
    )
    const changed = { ...skills, 'skills/notes/more.md': 'More' }
    assert.deepEqual(
      (await bring('off', changed)).map(([, outcome]) => outcome),
      ['left out', 'next', 'same'],
    )
    const { items } = await admin.library.list({ kind: 'skill' })
    assert.deepEqual(items.map(({ slug }) => slug).toSorted(), ['notes', 'pdf-tools'])
  })

  it('has workflows of n8n, in an archive or as a file; one that is none is left out, and the others come', async ({
    admin,
  }) => {
    const file = zip({ 'n8n/one.json': workflow('First flow'), 'n8n/none.json': '{"a":1}', 'n8n/x.txt': 'x' })
    const { items } = await admin.itemImports.bring({ from: 'n8n', file })
    assert.deepEqual(
      items.map(({ file: at, outcome, name }) => [at, outcome, name]),
      [
        ['one.json', 'new', 'first-flow'],
        ['none.json', 'left out', null],
      ],
    )
    const alone = new File([workflow('Second flow')], 'two.json')
    const [second] = (await admin.itemImports.bring({ from: 'n8n', file: alone })).items
    assert.deepEqual([second?.file, second?.outcome], ['two.json', 'new'])
  })

  it('has a hundred items at most, and something at all', async ({ admin }) => {
    const many = (count: number) =>
      zip(Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}/SKILL.md`, named(`skill-${n}`)])))
    const bring = (file: File) => admin.itemImports.bring({ from: 'skills', file, tried: 'on' })
    assert.equal((await bring(many(MAX_BROUGHT))).items.length, MAX_BROUGHT)
    await assert.rejects(bring(many(MAX_BROUGHT + 1)), { status: 400, message: /at most 100/ })
    await assert.rejects(bring(zip({ 'README.md': 'x' })), { status: 400, message: /expected a SKILL.md/ })
    await assert.rejects(bring(new File(['no archive'], 'a.zip')), { status: 400 })
  })

  it('is refused where a path leads out of it, or where it is a bomb', async ({ admin }) => {
    const bring = (from: 'skills' | 'n8n', file: File) => admin.itemImports.bring({ from, file })
    for (const from of ['skills', 'n8n'] as const) {
      for (const path of ['../SKILL.md', 'a/../../SKILL.md', '/etc/SKILL.md', 'a\\SKILL.md', 'C:/SKILL.md'])
        await assert.rejects(bring(from, zip({ [path]: named('out') })), { status: 400 }, path)
      await assert.rejects(bring(from, zip({ 'a/SKILL.md': named('a'), 'a/bomb': Buffer.alloc(11 * 1024 * 1024) })), {
        status: 400,
      })
      const files = Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`a/${n}.json`, 'x']))
      await assert.rejects(bring(from, zip(files)), { status: 400 })
    }
  })

  it('is for admins in a session, who get the items: one of another is not touched', async (world) => {
    const { admin, alice, moderator, anonymous } = world
    const file = () => zip({ 'notes/SKILL.md': named('notes') })
    await assert.rejects(anonymous.itemImports.bring({ from: 'skills', file: file() }), { status: 401 })
    for (const person of [alice, moderator])
      await assert.rejects(person.itemImports.bring({ from: 'skills', file: file() }), { status: 403 })
    await alice.library.publish({ kind: 'skill', visibility: 'public', file: file() })
    const [one] = (await admin.itemImports.bring({ from: 'skills', file: file() })).items
    assert.deepEqual([one?.outcome, one?.reason], ['left out', 'the name notes belongs to another item'])
  })
})
