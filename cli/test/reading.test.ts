// download and info: the file of a version, and what it may do.
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { automationFile, orgFile } from '../../test/library.ts'
import { fileFor, publish, sha256 } from './items.ts'
import { onTerminal } from './terminal.ts'

describe('download', () => {
  onTerminal('writes a version where it is wanted, and replaces nothing unless told', async (terminal) => {
    const { world, run, json, home, server } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['b.example'] })
    const path = join(home, 'copy.json')
    const words = ['download', 'workflow/digest@1.0.0', '--server', server]
    const { output } = await run([...words, '-o', path])
    const [old, latest] = [await fileFor('a.example').text(), await fileFor('b.example').text()]
    assert.equal(await readFile(path, 'utf8'), old)
    assert.match(output, /^workflow\/digest 1\.0\.0 .*copy\.json \(\d+ bytes, sha256 [0-9a-f]{64}\)\n$/)
    await writeFile(path, 'mine')
    assert.match((await run([...words, '-o', path], 1)).errors, /is there already: --force replaces it/)
    assert.equal(await readFile(path, 'utf8'), 'mine')
    const read = await json<object>(['-o', path, '--force', 'download', 'workflow/digest', '--server', server])
    assert.deepEqual(read, {
      name: 'workflow/digest',
      version: '1.1.0',
      path,
      sha256: sha256(latest),
      size: Buffer.byteLength(latest),
    })
    assert.equal(await readFile(path, 'utf8'), latest)
    assert.deepEqual((await readdir(home)).filter((name) => name !== 'config').sort(), ['copy.json'])
  })

  onTerminal('writes to the standard output alone with -o -', async ({ world, run, server }) => {
    await publish(world.alice, { '1.0.0': ['a.example'] })
    const words = ['download', 'workflow/digest', '-o', '-', '--server', server]
    assert.equal((await run(words)).output, await fileFor('a.example').text())
    const both = await run([...words, '--json'], 2)
    assert.equal(both.output, '')
    assert.equal(JSON.parse(both.errors).error.code, 'usage')
  })

  onTerminal(
    'of what is not there, or not for the caller, leaves nothing',
    async ({ world, run, login, home, server }) => {
      const file = automationFile()
      await world.alice.library.publish({ kind: 'automation', visibility: 'private', file })
      const path = join(home, 'board.mpkg')
      const words = ['download', 'automation/harbor-board', '-o', path]
      for (const other of [words, ['download', 'workflow/none', '-o', path]])
        assert.match((await run([...other, '--server', server], 1)).errors, /not there, or not for you/)
      await run(['download', 'harbor-board', '-o', path, '--server', server], 2)
      await assert.rejects(readFile(path), /ENOENT/)
      await login()
      await run(words)
      assert.deepEqual(await readFile(path), Buffer.from(await file.arrayBuffer()))
    },
  )
})

describe('info', () => {
  onTerminal('shows what the version that is meant may use', async ({ world, run, json, server }) => {
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example', 'b.example'] })
    const shown = async (...words: string[]) => (await run(['info', ...words, '--server', server])).output
    assert.match(await shown('workflow/digest'), /\nmay use: site:a\.example, site:b\.example, step:http\.get\n/)
    assert.match(await shown('workflow/digest@1.0.0'), /\nmay use: site:a\.example, step:http\.get\n/)
    const { may_do } = await json<{ may_do: object[] }>(['info', 'workflow/digest@1.0.0', '--server', server])
    assert.deepEqual(may_do, [
      { type: 'site', name: 'a.example' },
      { type: 'step', name: 'http.get' },
    ])
    const file = orgFile({ name: 'Desk' })
    await world.alice.library.publish({ kind: 'org', visibility: 'public', file })
    assert.match(await shown('org/desk'), /\nmay use: /)
  })
})
