// What is refused first (behaviour.md, section 4), and what a token may do, by every scope there is.
import assert from 'node:assert/strict'
import { Hono } from 'hono'
import { workflowFile } from '../../test/library.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { api } from '../api.ts'
import { recordVersion } from '../content/notifications/events.ts'
import type { Scope } from '../contract/operation.ts'
import { bind } from '../core/bind.ts'
import { countsOf } from '../core/call-budget.ts'
import type { Core } from '../core/call-request.ts'
import { connect } from '../surfaces/client.ts'
import { mountApi } from '../surfaces/http/http.ts'
import { type Env, pipelineOf } from '../surfaces/http/pipeline.ts'
import { addItem, changeItem } from './changing/changes.ts'
import { newPermissionsOf } from './comparing/permissions.ts'
import { items, library } from './contract.ts'
import { discussingHandlers } from './discussing.ts'
import { readFileOf } from './files/file.ts'
import { holding } from './holders/holding.ts'
import { addGalleryOrg } from './library.ts'
import { showing } from './listing/showing.ts'
import { libraryHandlers } from './operations.ts'
import { assertRoom, countUpload } from './publishing/rate.ts'
import { prepareSteps } from './publishing/steps.ts'

const gallery = {
  ...{ id: 'org-1', slug: 'desk', name: 'Desk', description: '', roleCount: 1, topology: null, size: 2 },
  ...{ sha256: 'a'.repeat(64), createdAt: '2026-01-01T00:00:00.000Z' },
}

const json = { 'Content-Type': 'application/json' }

const codeOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { code: string } }
  return `${answer.status} ${error.code}`
}

const form = (fields: Record<string, string | Blob>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return body
}

onEveryEngine('the order of refusals', (it) => {
  it('of a change or a version is what, whose, then how', async ({ alice, bob, blocked, anonymous, db }) => {
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const hidden = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    const { id: ownerId } = await bob.account()
    await db.transaction().execute((transaction) => addGalleryOrg(transaction, { ...gallery, ownerId }))
    const huge = new Blob([new Uint8Array(20 * 1024 * 1024 + 1)])
    const bad: [string, string, RequestInit][] = [
      ['PATCH', '', { headers: json, body: '{"name":""}' }],
      ['PATCH', '', { headers: json, body: 'not json' }],
      ['PATCH', '', { headers: json, body: JSON.stringify({ description: 'd'.repeat(300_000) }) }],
      ['PUT', '/artifact', { body: 'no form' }],
      ['PUT', '/artifact', { body: form({ file: huge }) }],
      ['PUT', '/artifact', { body: form({ file: workflowFile(), version: 'v1' }) }],
    ]
    const late = ['400 invalid_request', '400 invalid_request', '413 too_large']
    const ownAnswers = [...late, '400 invalid_request', '413 too_large', '400 invalid_request']
    for (const [index, [method, rest, init]] of bad.entries()) {
      const ask = (person: typeof bob, item: string) =>
        person.request(`/api/library/items/${item}${rest}`, { ...init, method })
      assert.equal(await codeOf(await ask(anonymous, id)), '401 unauthorized')
      assert.equal(await codeOf(await ask(blocked, id)), '403 blocked')
      assert.equal(await codeOf(await ask(bob, 'nothing')), '404 not_found')
      assert.equal(await codeOf(await ask(bob, hidden.id)), '404 not_found')
      assert.equal(await codeOf(await ask(alice, 'org-1')), '409 gallery_org')
      assert.equal(await codeOf(await ask(bob, id)), '403 forbidden')
      assert.equal(await codeOf(await ask(alice, id)), ownAnswers[index])
    }
    assert.equal((await alice.request(`/api/library/items/${id}`, { method: 'PUT' })).status, 405)
  })

  it('of an upload is size, form, rate, file, version', async ({ alice, admin, db, clock }) => {
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const { id: accountId } = await alice.account()
    const at = new Date(clock.now()).toISOString()
    for (let index = 0; index < 29; index++) {
      await db
        .insertInto('libraryUpload')
        .values({ id: `upload-${index}`, accountId, at })
        .execute()
    }
    const post = (fields: Record<string, string | Blob>) =>
      alice.request('/api/library/items', { method: 'POST', body: form(fields) })
    const huge = new File([new Uint8Array(20 * 1024 * 1024 + 1)], 'f')
    const broken = new File(['{'], 'f')
    const large = new File([JSON.stringify({ name: 'n', roles: [{ id: 'a' }], x: 'x'.repeat(500_000) })], 'f')
    assert.equal(await codeOf(await post({ kind: 'widget', file: huge })), '413 too_large')
    assert.equal(await codeOf(await post({ kind: 'widget', file: broken })), '400 invalid_request')
    assert.equal(await codeOf(await post({ kind: 'workflow', file: broken })), '429 rate_limited')
    assert.equal(await codeOf(await post({ kind: 'org', file: large })), '429 rate_limited')
    await db.deleteFrom('libraryUpload').execute()
    assert.equal(await codeOf(await post({ kind: 'org', file: large })), '413 too_large')
    assert.equal(await codeOf(await post({ kind: 'workflow', file: broken })), '400 invalid_artifact')
    await admin.account()
    const put = (fields: Record<string, string | Blob>) =>
      alice.request(`/api/library/items/${id}/artifact`, { method: 'PUT', body: form(fields) })
    assert.equal(await codeOf(await put({ version: '1.0.0', file: broken })), '400 invalid_artifact')
    assert.equal(await codeOf(await put({ version: '1.0.0', file: workflowFile() })), '409 version_conflict')
  })

  it('asks who may make something official before anything else of the body', async ({ alice, admin }) => {
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const huge = new File([new Uint8Array(20 * 1024 * 1024 + 1)], 'f')
    const post = (person: typeof alice, fields: Record<string, string | Blob>) =>
      person.request('/api/library/items', { method: 'POST', body: form(fields) })
    const patch = (person: typeof alice, fields: object) =>
      person.request(`/api/library/items/${id}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(fields),
      })
    const answers = async (person: typeof alice) =>
      Promise.all([
        post(person, { kind: 'widget', visibility: 'official', file: workflowFile() }).then(codeOf),
        post(person, { kind: 'workflow', visibility: 'official', version: 'v1', file: workflowFile() }).then(codeOf),
        post(person, { kind: 'workflow', visibility: 'official', file: huge }).then(codeOf),
        post(person, { kind: 'workflow', visibility: 'official' }).then(codeOf),
        patch(person, { visibility: 'official', name: '' }).then(codeOf),
      ])
    assert.deepEqual(await answers(alice), Array(5).fill('403 forbidden'))
    const bad = '400 invalid_request'
    assert.deepEqual(await answers(admin), [bad, bad, '413 too_large', bad, bad])
  })

  it('takes an org of 500,000 bytes and no more', async ({ alice }) => {
    const of = (bytes: number) => {
      const empty = JSON.stringify({ name: 'n', roles: [{ id: 'a' }], x: '' }).length
      return new File([JSON.stringify({ name: 'n', roles: [{ id: 'a' }], x: 'x'.repeat(bytes - empty) })], 'f')
    }
    assert.equal((await alice.library.publish({ kind: 'org', file: of(500_000) })).size, 500_000)
    await assert.rejects(alice.library.publish({ kind: 'org', file: of(500_001) }), { status: 413, code: 'too_large' })
  })
})

/** The library as somebody with a token of these scopes meets it. */
async function withScopes(world: World, who: World['alice'], scopes: readonly Scope[]) {
  const { id, email, username, role } = await who.account()
  const account = { id, email, username, role, verified: true, createdAt: new Date(0).toISOString() }
  const blocked = who === world.blocked
  const counting = { downloads: { count() {} } }
  const readers = { readFile: readFileOf, prepareSteps, addItem, changeItem, newPermissionsOf }
  const closing = { keep: async () => {}, close: async () => {} }
  const telling = { showing, tellVersion: recordVersion, uploads: { assertRoom, countUpload } }
  const given = { removeOrg: async () => {}, closing, ...readers, teams: holding, ...telling, ...counting }
  const app = new Hono<Env>()
  const core: Core = {
    dependencies: world.dependencies,
    ...countsOf(world.dependencies),
    authenticators: {
      session: async () => undefined,
      feed: async () => undefined,
      skills: async () => undefined,
      chat: async () => undefined,
      bearer: async ({ token }) =>
        token === 'good'
          ? { caller: { ...account, via: { scopes, clientId: 'agent', grantId: null } }, blocked, leaving: false }
          : undefined,
    },
    sessionCookie: () => '',
    foretell: async () => ({ notifications: 0, webhooks: 0 }),
    standingsOf: async () => undefined,
    boardsOf: async () => [],
    requirePowerIn: async () => undefined,
    isStaged: async () => false,
    askFirst: () => assert.fail('no write asks here'),
  }
  mountApi(app, {
    core,
    operations: bind({ library: items }, { library: { ...libraryHandlers(given), ...discussingHandlers } }),
    cookieName: 'none',
    areaOf: () => library.list.access.area,
  })
  const handle = pipelineOf(app, world.dependencies)
  const fetch = async (request: Request) => handle(request, {})
  return connect({ library: api.library }, { baseUrl: world.dependencies.config.baseUrl, token: 'good', fetch }).library
}

onEveryEngine('library tokens', (it) => {
  it('do what their scopes say to the letter', async (world) => {
    const { alice } = world
    const hidden = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    const open = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const scoped = { status: 403, code: 'insufficient_scope' }
    const writer = await withScopes(world, alice, ['library:write', 'community:read'])
    await assert.rejects(writer.get({ id: hidden.id }), { status: 404 })
    await assert.rejects(writer.list({ scope: 'mine' }), scoped)
    await assert.rejects(writer.download({ id: open.id }), scoped)
    assert.equal((await writer.list()).total, 1)
    assert.equal((await writer.publishVersion({ id: hidden.id, file: workflowFile() })).version, '1.0.1')
    assert.deepEqual((await writer.me()).scopes, ['library:write', 'community:read'])
    await assert.rejects(writer.vote({ id: open.id, value: 1 }), { status: 403 })
    const reader = await withScopes(world, alice, ['library:read', 'community:write'])
    assert.equal((await reader.get({ id: hidden.id })).id, hidden.id)
    assert.equal((await reader.list({ scope: 'mine' })).total, 2)
    assert.equal((await reader.download({ id: hidden.id })).status, 200)
    await assert.rejects(reader.delete({ id: hidden.id }), scoped)
    await assert.rejects(reader.update({ id: hidden.id, name: 'No' }), scoped)
    assert.deepEqual(await reader.vote({ id: open.id, value: 1 }), { score: 1, myVote: 1 })
  })

  it('of a blocked account browse as an anonymous user does, and nothing more', async (world) => {
    const { alice, blocked, anonymous } = world
    await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const token = await withScopes(world, blocked, ['library:read', 'library:write'])
    assert.equal((await token.list()).total, 1)
    await assert.rejects(token.list({ scope: 'mine' }), { status: 403, code: 'blocked' })
    await assert.rejects(blocked.library.list({ scope: 'mine' }), { status: 403, code: 'blocked' })
    await assert.rejects(token.publish({ kind: 'workflow', file: workflowFile() }), { status: 403, code: 'blocked' })
    await assert.rejects(blocked.library.download({ id: 'nothing' }), { status: 403, code: 'blocked' })
    await assert.rejects(blocked.library.me(), { status: 403, code: 'blocked' })
    await assert.rejects(anonymous.library.me(), { status: 401 })
  })
})
