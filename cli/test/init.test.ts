// init: a guildhall.lock of a project, and which folder commands use.
import assert from 'node:assert/strict'
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'node:test'
import { homeOf } from '../src/home.ts'
import { publish } from './items.ts'
import { onTerminal, type Terminal } from './terminal.ts'

const inside = ({ server }: Terminal, folder: string, expected = 0) => ({
  environment: { GUILDHALL_URL: server },
  folder,
  expected,
})

const names = async (terminal: Terminal, folder: string) =>
  (await terminal.json<{ name: string }[]>(['list'], inside(terminal, folder))).map(({ name }) => name)

describe('init', () => {
  onTerminal('makes a lock that commands in the folder and below use', async (terminal) => {
    const { run, json, world, home } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'], '1.1.0': ['a.example'] })
    const [project, other] = [join(home, 'project'), join(home, 'other')]
    const deep = join(project, 'a/b')
    for (const folder of [deep, other]) await mkdir(folder, { recursive: true })
    assert.deepEqual(await json(['init'], inside(terminal, project)), { path: join(project, 'guildhall.lock') })
    assert.match((await run(['init'], inside(terminal, project, 1))).errors, /guildhall\.lock is there already/)
    await run(['install', 'workflow/digest@1.0.0'], inside(terminal, deep))
    await stat(join(project, 'workflows/digest/digest.json'))
    assert.equal(
      JSON.parse(await readFile(join(project, 'guildhall.lock'), 'utf8')).items['workflow/digest'].version,
      '1.0.0',
    )
    assert.deepEqual([await names(terminal, deep), await names(terminal, other)], [['workflow/digest'], []])
    assert.match((await run(['info', 'workflow/digest'], inside(terminal, deep))).output, /\ninstalled: 1\.0\.0\n/)
    await run(['verify'], inside(terminal, deep))
    await run(['remove', 'workflow/digest'], inside(terminal, deep))
    assert.deepEqual(await names(terminal, project), [])
  })

  onTerminal('changes nothing where there is no lock, or GUILDHALL_HOME is set', async (terminal) => {
    const { run, world, home } = terminal
    await publish(world.alice, { '1.0.0': ['a.example'] })
    const project = join(home, 'project')
    await mkdir(project)
    await run(['install', 'workflow/digest'], inside(terminal, project))
    await assert.rejects(stat(join(project, 'guildhall.lock')), /ENOENT/)
    await run(['init'], inside(terminal, project))
    assert.deepEqual([await names(terminal, project), await names(terminal, home)], [[], ['workflow/digest']])
    const set = { environment: { GUILDHALL_URL: terminal.server, GUILDHALL_HOME: join(home, 'set') }, folder: project }
    await run(['install', 'workflow/digest'], set)
    await stat(join(home, 'set/guildhall.lock'))
    assert.deepEqual(await names(terminal, project), [])
    assert.match((await run(['init'], { ...set, expected: 2 })).errors, /GUILDHALL_HOME is set/)
  })

  onTerminal('takes no link and no folder for a lock, and none of another user above', async ({ home }) => {
    const found = (folder: string, environment = { HOME: '/nowhere' }) => homeOf({ environment, folder })
    const deep = join(home, 'a/b')
    await mkdir(join(home, 'a/b/guildhall.lock'), { recursive: true })
    await writeFile(join(home, 'lock'), '{}')
    await symlink(join(home, 'lock'), join(home, 'a/guildhall.lock'))
    assert.ok(!found(deep).startsWith(home))
    await writeFile(join(home, 'guildhall.lock'), '{}')
    assert.equal(found(deep), home)
    const { getuid } = process
    if (!getuid) return
    const own = getuid.call(process)
    Object.assign(process, { getuid: () => own + 1 })
    try {
      assert.ok(!found(deep).startsWith(home))
      assert.equal(found(home), home)
    } finally {
      Object.assign(process, { getuid })
    }
  })
})
