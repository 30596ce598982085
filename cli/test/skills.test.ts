// Skills at the command line: written, checked, packed, published, put where agents read them, updated and taken away.
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { skillFile, skillFiles, tarOf, zipOf } from '../../test/skills.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { guildhall } from './run-cli.ts'
import { onTerminal, type Terminal } from './terminal.ts'

it('new, lint and pack make a skill that is valid; its folder has its name', async (t) => {
  const home = await temporaryDirectory(t)
  const run = (...words: string[]) => guildhall(words, { home, folder: home })
  assert.equal((await run('new', 'skill', 'Count words', '--output', join(home, 'count-words'))).code, 0)
  const valid = await run('lint', join(home, 'count-words'))
  assert.match(valid.output, /count-words: valid, skill count-words 0\.1\.0\n/)
  const packed = join(home, 'count-words.zip')
  assert.equal((await run('pack', join(home, 'count-words'), '--output', packed)).code, 0)
  assert.match((await run('lint', packed)).output, /valid, skill count-words 0\.1\.0/)
  await rename(join(home, 'count-words'), join(home, 'other'))
  const wrong = await run('lint', join(home, 'other'))
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /error: name: expected other, the name of the folder/)
})

const publish = async ({ world: { alice } }: Terminal, bytes: Uint8Array) =>
  alice.library.publish({ kind: 'skill', visibility: 'public', file: skillFile(bytes) })

async function project(
  terminal: Terminal,
  ...agents: string[]
): Promise<{ folder: string; environment: Record<string, string> }> {
  const folder = join(terminal.home, 'project')
  await mkdir(folder)
  for (const agent of agents) await mkdir(join(folder, agent), { recursive: true })
  await terminal.run(['init'], { folder })
  return { folder, environment: { GUILDHALL_URL: terminal.server } }
}

onTerminal(
  'install puts a skill where the agents of the project read it, and remove takes it away',
  async (terminal) => {
    await publish(terminal, await tarOf({ ...skillFiles(), 'run.sh': '#!/bin/sh\n' }))
    const at = await project(terminal, '.codex/skills', '.github/skills')
    const { folder } = at
    await terminal.run(['install', 'skill/pdf-tools'], at)
    for (const agent of ['.codex', '.github']) {
      const skill = join(folder, agent, 'skills/pdf-tools')
      assert.equal(await readFile(join(skill, 'SKILL.md'), 'utf8'), skillFiles()['SKILL.md'])
      assert.deepEqual((await readdir(skill)).sort(), ['SKILL.md', 'references', 'run.sh', 'scripts'])
      assert.notEqual((await stat(join(skill, 'run.sh'))).mode & 0o100, 0)
    }
    const lock = JSON.parse(await readFile(join(folder, 'guildhall.lock'), 'utf8'))
    assert.deepEqual(lock.items['skill/pdf-tools'].folders, ['.codex/skills/pdf-tools', '.github/skills/pdf-tools'])
    await terminal.run(['remove', 'skill/pdf-tools'], at)
    await assert.rejects(stat(join(folder, '.codex/skills/pdf-tools')), { code: 'ENOENT' })
    await assert.rejects(stat(join(folder, '.github/skills/pdf-tools')), { code: 'ENOENT' })
  },
)

onTerminal(
  'install puts a skill where it is told to, for Claude where nothing is, and nowhere outside',
  async (terminal) => {
    await publish(terminal, zipOf(skillFiles()))
    const at = await project(terminal)
    const { folder } = at
    await terminal.run(['install', 'skill/pdf-tools'], at)
    assert.ok(await stat(join(folder, '.claude/skills/pdf-tools/SKILL.md')))
    await terminal.run(['install', 'skill/pdf-tools', '--agent', 'codex', '--dir', 'agents/own'], at)
    assert.ok(await stat(join(folder, '.codex/skills/pdf-tools/SKILL.md')))
    assert.ok(await stat(join(folder, 'agents/own/pdf-tools/SKILL.md')))
    const wrong = { ...at, expected: 2 }
    assert.match(
      (await terminal.run(['install', 'skill/pdf-tools', '--dir', '..'], wrong)).errors,
      /--dir is a folder in/,
    )
    assert.match(
      (await terminal.run(['install', 'skill/pdf-tools', '--agent', 'emacs'], wrong)).errors,
      /--agent is one of/,
    )
    const path = join(folder, 'guildhall.lock')
    const text = await readFile(path, 'utf8')
    for (const elsewhere of ['../pdf-tools', '/tmp/pdf-tools', 'a/../../pdf-tools', 'a//b', 'C:\\\\x']) {
      await writeFile(path, text.replace('agents/own/pdf-tools', elsewhere))
      assert.match(
        (await terminal.run(['install'], { ...at, expected: 1 })).errors,
        /folders of skill\/pdf-tools is not right/,
      )
    }
  },
)

onTerminal('update replaces a skill whole, and asks before it loses what a person changed', async (terminal) => {
  const { id } = await publish(terminal, zipOf({ ...skillFiles(), 'old.md': 'old' }))
  const at = await project(terminal)
  const { folder } = at
  await terminal.run(['install', 'skill/pdf-tools'], at)
  const skill = join(folder, '.claude/skills/pdf-tools')
  await terminal.world.alice.library.publishVersion({
    id,
    file: skillFile(zipOf({ ...skillFiles(), 'new.md': 'new' })),
  })
  await terminal.run(['update'], at)
  assert.deepEqual((await readdir(skill)).sort(), ['SKILL.md', 'new.md', 'references', 'scripts'])
  await terminal.world.alice.library.publishVersion({ id, file: skillFile(zipOf(skillFiles())) })
  await writeFile(join(skill, 'SKILL.md'), 'mine')
  assert.match((await terminal.run(['update'], { ...at, expected: 1 })).errors, /\.claude\/skills\/pdf-tools/)
  assert.equal(await readFile(join(skill, 'SKILL.md'), 'utf8'), 'mine', 'nothing was changed')
  assert.match((await terminal.run(['remove', 'skill/pdf-tools'], { ...at, expected: 1 })).errors, /pdf-tools/)
  await terminal.run(['update', '--force'], at)
  assert.equal(await readFile(join(skill, 'SKILL.md'), 'utf8'), skillFiles()['SKILL.md'])
})

onTerminal('publish sends the folder of a skill, and knows its next version by its name', async (terminal) => {
  const folder = join(terminal.home, 'pdf-tools')
  for (const [path, text] of Object.entries(skillFiles({ metadata: '{ version: "1.0.0" }' }))) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await terminal.login()
  await terminal.run(['publish', folder, '--visibility', 'public'])
  await writeFile(join(folder, 'SKILL.md'), skillFiles({ metadata: '{ version: "1.1.0" }' })['SKILL.md']!)
  assert.match((await terminal.run(['publish', folder])).output, /Published skill\/pdf-tools 1\.1\.0/)
})
