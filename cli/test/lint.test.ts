// lint, pack and new: what they say is what the library does.
import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hostileArchives } from '../../test/corpus/hostile-archives.ts'
import { fileOf } from '../../test/library.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { onEveryEngine } from '../../test/world.ts'
import { guildhall } from './run-cli.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url))

interface Linted {
  valid: boolean
  files: {
    kind: string | null
    errors: { path: string; line: number | null; message: string }[]
    warnings: { path: string; line: number | null; message: string }[]
  }[]
}

it('lint accepts the real files, and tells their warnings with lines', async (t) => {
  const home = await temporaryDirectory(t)
  const names = ['org-invoice-desk.json', 'org-minimal.json', 'workflow-morning-digest.json', 'automation.json']
  const sound = await guildhall(['lint', ...names.map(fixture)], { home })
  assert.equal(sound.code, 0, sound.errors)
  assert.match(sound.output, /org-invoice-desk\.json: valid, org invoice-desk\n/)
  assert.match(sound.output, /automation\.json: valid, manifest Harbor Board 0\.2\.0\n/)
  const warned = await guildhall(['lint', fixture('org-support-mesh.json')], { home })
  assert.equal(warned.code, 0)
  assert.match(
    warned.output,
    /org-support-mesh\.json:16 warning: roles\.1\.reports_to: no role has the id "nobody-here"/,
  )
})

it('lint ends with 1 and names file, line, path and reason of what the library refuses', async (t) => {
  const home = await temporaryDirectory(t)
  const refused: [name: string, text: string | Buffer, line: number | null, path: string, message: RegExp][] = [
    ['id.json', '{"name": "x",\n"roles": [{"id": "a"},\n{"id": ""}]}', 3, 'roles.1.id', /at least 1 character/],
    ['gone.json', '{"name": "x",\n"roles":\n[{}]}', 3, 'roles.0.id', /at least 1 character/],
    ['cut.json', '{"roles": [\n{"id": "a"}],\n,}', 3, '', /breaks off/],
    ['type.json', '{"nodes": [{"type": "a"},\n3]}', 2, 'nodes.1', /expected an object/],
    ['automation.json', '{"schema": "x",\n"actions": []}', 1, 'schema', /monoagent\.automation\/v1/],
    ['none.json', '{"a": 1}', 1, '', /expected an org/],
    ['bytes.json', Buffer.from([0x7b, 0xff, 0x7d]), 1, '', /breaks off/],
    ['big.json', `{"roles":[{"id":"a"}],"name":"${'x'.repeat(500_000)}"}`, 1, '', /500,000 bytes/],
    ['no.mpkg', 'PK no', null, '', /expected/],
  ]
  for (const [name, text, line, path, message] of refused) {
    const file = join(home, name)
    await writeFile(file, text)
    const { code, output } = await guildhall(['lint', '--json', file], { home })
    assert.equal(code, 1, name)
    const { valid, files }: Linted = JSON.parse(output)
    assert.equal(valid, false)
    const [error] = files[0]!.errors
    assert.deepEqual([error?.line, error?.path], [line, path], name)
    assert.match(error!.message, message)
  }
  const words = await guildhall(['lint', join(home, 'id.json')], { home })
  assert.match(words.output, /id\.json:3 error: roles\.1\.id: expected/)
  assert.match(words.errors, /1 of 1 would be refused/)
  assert.equal((await guildhall(['lint', join(home, 'absent.json')], { home })).code, 1)
  assert.equal((await guildhall(['lint', '--kind', 'x', join(home, 'id.json')], { home })).code, 2)
  assert.equal((await guildhall(['lint'], { home })).code, 2)
})

it('lint tells names that stand twice, and refuses every hostile archive', async (t) => {
  const home = await temporaryDirectory(t)
  const twice = join(home, 'twice.json')
  await writeFile(twice, '{"name": "a", "roles": [{"id": "a",\n"id": "b"}]}')
  const { output } = await guildhall(['lint', '--json', twice], { home })
  const [{ warnings }] = (JSON.parse(output) as Linted).files as [Linted['files'][number]]
  assert.deepEqual(warnings, [{ path: 'id', line: 2, message: 'stands twice in one object; the last one counts' }])
  for (const { name, bytes } of hostileArchives) {
    const file = join(home, 'hostile.mpkg')
    await writeFile(file, bytes)
    assert.equal((await guildhall(['lint', file], { home })).code, 1, name)
  }
})

it('pack leaves hidden files out, makes the same bytes each time, and refuses links', async (t) => {
  const home = await temporaryDirectory(t)
  const folder = join(home, 'board')
  assert.equal((await guildhall(['new', 'automation', 'Board', '--output', folder], { home })).code, 0)
  await writeFile(join(folder, '.env'), 'SECRET=1')
  const [one, two] = [join(home, 'one.mpkg'), join(home, 'two.mpkg')]
  const { output } = await guildhall(['pack', folder, '--output', one, '--json'], { home })
  assert.deepEqual(JSON.parse(output).files, ['README.md', 'actions/read_title.json', 'automation.json', 'CHECKSUMS'])
  await guildhall(['pack', folder, '--output', two], { home })
  assert.deepEqual(await readFile(one), await readFile(two))
  await symlink('/etc/passwd', join(folder, 'passwd'))
  const linked = await guildhall(['pack', folder], { home })
  assert.equal(linked.code, 1)
  assert.match(linked.output, /passwd: expected a plain file/)
  await mkdir(join(home, 'empty'))
  assert.equal((await guildhall(['pack', join(home, 'empty')], { home })).code, 1)
})

onEveryEngine('guildhall new', (test) => {
  test('writes files that lint and the library accept at once, without a warning', async ({ alice }) => {
    const home = join('/tmp', `new-${process.pid}-${Math.random().toString(36).slice(2)}`)
    await mkdir(home)
    for (const kind of ['workflow', 'org', 'automation'] as const) {
      const path = join(home, kind)
      const made = await guildhall(['new', kind, 'Nächtlicher Dienst', '--output', path], { home })
      assert.equal(made.code, 0, made.errors)
      const linted = await guildhall(['lint', '--json', path], { home })
      const { valid, files }: Linted = JSON.parse(linted.output)
      assert.equal(valid, true, linted.output)
      assert.deepEqual(files[0]!.warnings, [])
      if (kind === 'automation') await guildhall(['pack', path, '--output', `${path}.mpkg`], { home })
      const bytes = await readFile(kind === 'automation' ? `${path}.mpkg` : path)
      const item = await alice.library.publish({ kind, file: fileOf(bytes, kind), visibility: 'public' })
      assert.equal(item.name, 'Nächtlicher Dienst')
      assert.equal('warnings' in item, false)
      const again = await guildhall(['new', kind, 'Nächtlicher Dienst', '--output', path], { home })
      assert.equal(again.code, 1, 'nothing is written over')
      assert.equal((await guildhall(['new', kind, ' '], { home })).code, 2)
      assert.equal((await guildhall(['new', kind, 'x'.repeat(101)], { home })).code, 2)
    }
    assert.equal((await guildhall(['new', 'team', 'x'], { home })).code, 2)
    const schema = ['new', 'org', 'x', '--output', join(home, 'x.json'), '--server', 'https://guildhall.example']
    await guildhall(schema, { home })
    const text = await readFile(join(home, 'x.json'), 'utf8')
    assert.equal(JSON.parse(text).$schema, 'https://guildhall.example/schemas/org/v1.json')
  })
})
