// `npm run admin -- import`.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manyRecords } from '../../test/import-records.ts'
import { runCommand } from '../../test/operator.ts'
import { withFolder } from '../../test/server.ts'
import { onEveryEngine } from '../../test/world.ts'
import { importCommand } from './import.ts'

onEveryEngine('npm run admin -- import', (it) => {
  it('reads a folder, writes, gives people addresses, and takes it back', (world) =>
    withFolder(async (folder) => {
      const urls = manyRecords(20).map((one) =>
        one.type === 'thing' ? { ...one, url: `https://old.example/issues/${one.number}` } : one,
      )
      await writeFile(join(folder, 'a.jsonl'), urls.map((one) => JSON.stringify(one)).join('\n'))
      const run = async (...parameters: string[]) => {
        const { code, results, complaints } = await runCommand(importCommand, world.dependencies.config, { parameters })
        return { code, complaints, result: (results as { id: string; done: object }[])[0] }
      }
      const { result } = await run('guildhall', folder)
      const id = result?.id ?? ''
      assert.equal((await world.anonymous.bugs.list({})).total, 0)
      assert.equal((await run('start', id)).code, 0)
      assert.equal((await world.anonymous.bugs.list({})).total, 20)
      const { result: mapped } = await run('map', id)
      assert.match(JSON.stringify(mapped), /"from":"\/issues\/7","to":"\/community\/bugs\/0/)
      const people = join(folder, 'people.csv')
      await writeFile(people, `p1,First@Example.com\r\np2,${world.admin.email}\nnobody,x@example.com\nno line`)
      await world.admin.account()
      assert.deepEqual((await run('people', id, people)).result, { done: 1, left: ['p2', 'nobody'] })
      assert.equal((await world.admin.admin.listUsers({ q: 'first@example.com' })).total, 1)
      // An address that was given once stays: its owner may have entered by now.
      await writeFile(people, 'p1,other@example.com')
      assert.deepEqual((await run('people', id, people)).result, { done: 0, left: ['p1'] })
      assert.equal((await run('revert', id)).code, 0)
      assert.equal((await world.anonymous.bugs.list({})).total, 0)
    }))

  it('makes workflow files of an export of n8n, and none over another one', (world) =>
    withFolder(async (folder) => {
      const before = process.cwd()
      const node = { id: '1', name: 'Start', type: 'n8n-nodes-base.scheduleTrigger', parameters: {}, position: [0, 0] }
      const workflow = { name: 'Night shift', nodes: [node], connections: {} }
      await writeFile(join(folder, 'export.data'), JSON.stringify([workflow, workflow]))
      const run = () =>
        runCommand(importCommand, world.dependencies.config, { parameters: ['n8n', join(folder, 'export.data')] })
      process.chdir(folder)
      try {
        const { code, results } = await run()
        const files = (results[0] as { written: { file: string }[] }).written.map(({ file }) => file)
        assert.deepEqual([code, files], [0, ['night-shift-1.json', 'night-shift-2.json']])
        const file = new File([await readFile(join(folder, 'night-shift-1.json'))], 'night-shift-1.json')
        await world.alice.library.publish({ kind: 'workflow', file, visibility: 'private' })
        await assert.rejects(run(), { code: 'EEXIST' })
      } finally {
        process.chdir(before)
      }
    }))

  it('publishes workflows of n8n as items of an account, and then only what is new', (world) =>
    withFolder(async (folder) => {
      const { alice, anonymous } = world
      await alice.account()
      await alice.profile.setUsername({ username: 'alice' })
      const node = { id: '1', name: 'Start', type: 'n8n-nodes-base.scheduleTrigger', parameters: {}, position: [0, 0] }
      const secret = { ...node, parameters: { apiKey: 'hidden-value' }, credentials: { one: { id: '7' } } }
      const workflow = (name: string, more = {}) => ({ name, nodes: [node], connections: {}, ...more })
      await writeFile(
        join(folder, 'a.json'),
        JSON.stringify([workflow('Night shift'), workflow('Mail', { nodes: [secret] })]),
      )
      await writeFile(join(folder, 'b.json'), JSON.stringify(workflow('Night shift')))
      await writeFile(join(folder, 'c.json'), '{"nodes": 7}')
      const run = async (more: Record<string, string | boolean> = {}) => {
        const options = { parameters: ['n8n', folder], owner: 'alice', ...more }
        const { results } = await runCommand(importCommand, world.dependencies.config, options)
        const { items } = results[0] as { items: { folder: string; outcome: string; name?: string; reason?: string }[] }
        return items.map(({ folder: at, outcome, name, reason }) => [at, outcome, name ?? reason])
      }
      const others = [
        ['b.json', 'left out', 'the name night-shift is there twice'],
        ['c.json', 'left out', 'c.json, record 1, line 1: expected a workflow of n8n, with nodes and connections'],
      ]
      const expected = (outcome: string) => [['a.json', outcome, 'night-shift'], ['a.json', outcome, 'mail'], ...others]
      assert.deepEqual(await run({ 'dry-run': true }), expected('new'))
      assert.equal((await alice.library.list({ kind: 'workflow', scope: 'mine' })).total, 0)
      assert.deepEqual(await run({ public: true }), expected('new'))
      const item = await anonymous.library.find({ kind: 'workflow', slug: 'mail' })
      assert.deepEqual([item.owner.username, item.visibility], ['alice', 'public'])
      const file = await (await alice.library.download({ id: item.id })).text()
      assert.ok(!file.includes('hidden-value'))
      assert.deepEqual(await run(), expected('same'))
      await writeFile(join(folder, 'a.json'), JSON.stringify([workflow('Night shift'), workflow('Mail')]))
      assert.deepEqual((await run()).slice(0, 2), [
        ['a.json', 'same', 'night-shift'],
        ['a.json', 'next', 'mail'],
      ])
      assert.equal((await alice.library.list({ kind: 'workflow', scope: 'mine' })).total, 2)
    }))

  it('complains of what is not there', async (world) => {
    const run = (...parameters: string[]) => runCommand(importCommand, world.dependencies.config, { parameters })
    assert.equal((await run('jira', 'x')).code, 2)
    for (const wrong of [
      ['github'],
      ['github', '/no/such/file'],
      ['start', 'x'],
      ['map', 'x', 'y'],
      ['people', 'x', '/no'],
    ])
      assert.equal((await run(...wrong)).code, wrong[0] === 'map' ? 0 : 1, wrong.join(' '))
  })
})
