// The actions of the audit log: each is declared once, is in the list that pages read, and has a title there.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it as alone } from 'node:test'
import { auditActions } from '../src/api.ts'
import { AuditAction } from '../src/contract/audit.ts'
import { onEveryEngine } from './world.ts'

const isAction = (value: unknown): value is AuditAction =>
  typeof value === 'object' && value !== null && AuditAction.isDeclared(value)

/** Every action that a file exports, in groups of one subject. */
async function actionsIn(path: string): Promise<AuditAction[]> {
  const exported: Record<string, unknown> = await import(`../${path}`)
  return Object.values(exported)
    .filter((value) => typeof value === 'object' && value !== null)
    .flatMap((group) => Object.values(group as object).filter(isAction))
}

alone('every action that is declared is in the list, with a title of its own', async () => {
  const places = globSync('src/**/*.ts').filter((path) => /auditActions\('/.test(readFileSync(path, 'utf8')))
  const declared = (await Promise.all(places.map(actionsIn))).flat()
  assert.ok(declared.length > 25, `${declared.length} actions`)
  for (const action of declared) assert.equal(auditActions.get(action.name), action, action.name)
  assert.equal(auditActions.size, declared.length)
  assert.equal(new Set(declared.map(({ title }) => title)).size, declared.length)
})

alone('actions are declared in contracts, subjects and audit-actions.ts alone', () => {
  const places = globSync('src/**/*.ts').filter((path) =>
    /auditActions\(|new AuditAction\(/.test(readFileSync(path, 'utf8')),
  )
  const others = places.filter(
    (path) => !/(contract|audit-actions|subject)\.ts$|\.test\.ts$|^src\/contract\/audit\.ts$/.test(path),
  )
  assert.deepEqual(others, [])
})

onEveryEngine('the page of the audit log', (it) => {
  it('filters by every action, and calls each by its title', async ({ admin, alice }) => {
    const { id } = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'high' })
    await admin.bugs.triage({ id, status: 'wontfix' })
    await admin.bugs.delete({ id })
    const page = await (await admin.request('/admin/audit')).text()
    for (const { name, title } of auditActions.values()) {
      assert.ok(page.includes(`value="${name}"`) && page.includes(`>${title}<`), name)
    }
    assert.match(page, /<td class="act">Deleted a bug/)
    const { items } = await admin.admin.listAudit({})
    for (const { action } of items) assert.ok(auditActions.has(action), action)
  })
})
