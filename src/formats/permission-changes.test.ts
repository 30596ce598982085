// What a version may do that another may not.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { comparePermissions, covers, type Permission, type PermissionType } from './permissions.ts'

const permission = (text: string): Permission => {
  const [type = '', name = ''] = text.split(': ')
  return { type: type as PermissionType, name }
}
const compare = (from: string[], to: string[]) => {
  const changes = comparePermissions(from.map(permission), to.map(permission))
  const told = (list: Permission[]) => list.map(({ type, name }) => `${type}: ${name}`)
  return { added: told(changes.added), removed: told(changes.removed), kept: told(changes.kept) }
}

it('Tells what is added, removed and kept', () => {
  assert.deepEqual(compare(['site: a', 'step: x'], ['site: a', 'site: b']), {
    added: ['site: b'],
    removed: ['step: x'],
    kept: ['site: a'],
  })
})

it('All of a type is news, and one of it beside all is none', () => {
  assert.deepEqual(compare(['site: a'], ['site: any site']), {
    added: ['site: any site'],
    removed: [],
    kept: ['site: a'],
  })
  assert.deepEqual(compare(['site: any site'], ['site: a']), {
    added: [],
    removed: ['site: any site'],
    kept: ['site: a'],
  })
})

for (const [one, other, expected] of [
  ['site: a', 'script: a', false],
  ['site: *.a.example', 'site: b.a.example', true],
  ['site: *.a.example', 'site: *.b.a.example', true],
  ['site: *.a.example', 'site: a.example', false],
  ['site: *.a.example', 'site: xa.example', false],
  ['site: a.example', 'site: b.a.example', false],
  ['step: mcp__*', 'step: mcp__git', true],
  ['step: write file out/**', 'step: write file out/x', true],
  ['step: any step', 'step: Read', true],
  ['step: any step', 'step: git push', false],
  ['step: any step', 'step: write file *', false],
  ['step: git *', 'step: git push', true],
  ['step: *', 'step: git push', false],
  ['step: any step except Web', 'step: Read', true],
  ['step: any step except Web', 'step: Web', false],
  ['step: any step except Web', 'step: WebFetch', false],
  ['step: any step except Bash(rm:*)', 'step: Bash', false],
  ['step: any step except Web', 'step: any step', false],
  ['step: any step except Web', 'step: any step except Bash, Web', true],
  ['step: any step except Bash, Web', 'step: any step except Web', false],
  ['step: Bash except Bash(rm:*)', 'step: Bash', false],
] as const) {
  it(`${one} ${expected ? 'has' : 'has not'} ${other}`, () => {
    assert.equal(covers(permission(one), permission(other)), expected)
    assert.equal(compare([one], [other]).added.length === 0, expected)
  })
}
