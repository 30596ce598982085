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
