// Who may touch what: every operation on things of others, fields that no member may set, and counts that are raced for.
import { api } from '../src/api.ts'
import { type Contract, type Operation, placesOf } from '../src/contract/operation.ts'
import { type Attack, hold, holdEach, holdStatus, shown } from './attack.ts'
import { AGENT, signIn } from './oauth-client.ts'
import { freshEmail, freshPassword, type Person } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'
import { makeBug, makeItem, makeOrg, makeRun, workflow } from './things.ts'

const ACCESS = 'access'

const operations: [name: string, operation: Operation][] = Object.entries(api as Record<string, Contract>).flatMap(
  ([slice, contract]) =>
    Object.entries(contract).map(([verb, operation]): [string, Operation] => [`${slice}.${verb}`, operation]),
)

/** Ids of things that a member has, by the subject and the names that stand in paths. */
type Things = Record<string, Record<string, string>>

async function thingsOf(target: Target, owner: Person): Promise<Things> {
  const bug = await makeBug(owner)
  const comment = async (path: string) => String((await owner.post(path, { body: 'Mine' })).json()?.['id'])
  const feature = (await owner.post('/api/community/features', { title: 't', description: 'd' })).json()?.['id']
  const org = await makeOrg(owner)
  const { runId } = await makeRun(owner, org.id, { name: 'a.md', content: '# mine' })
  const item = await makeItem(owner, { kind: 'workflow', content: workflow({ name: `Private ${Date.now()}` }) })
  const shared = await makeItem(owner, {
    kind: 'workflow',
    content: workflow({ name: `Public ${Date.now()}` }),
    fields: { visibility: 'public' },
  })
  await signIn(target, owner, { clientId: AGENT })
  const first = async (path: string) =>
    String((((await owner.get(path)).json()?.['items'] as { id: string }[]) ?? [])[0]?.id)
  return {
    bugs: { id: bug, commentId: await comment(`/api/community/bugs/${bug}/comments`) },
    features: { id: String(feature) },
    orgs: { id: org.id, commentId: await comment(`/api/community/orgs/${org.id}/comments`) },
    orgRuns: { id: org.id, runId },
    orgImages: { id: org.id },
    library: { id: item.id, kind: 'workflow', slug: item.slug },
    shared: { id: shared.id, commentId: await comment(`/api/community/library/${shared.id}/comments`) },
    sessions: { id: await first('/api/account/sessions') },
    signIns: { id: await first('/api/account/sign-ins') },
    passkeys: { id: '00000000-0000-7000-8000-000000000000' },
    admin: { id: owner.id },
  }
}

/** What any member may do with things of others. */
const open = /^(\w+\.(vote|comment)|orgRuns\.add|feed\.|labels\.)/

/** The operations that name a thing of a member and change it or read what is private. */
const concerned = operations.filter(([name, { access, path, method }]) => {
  if (access.credential === 'none' || !path.includes('{') || open.test(name)) return false
  return method !== 'GET' || /^(library|sessions|signIns)\./.test(name)
})

async function send(person: Person, operation: Operation, ids: Record<string, string>): Promise<Reply> {
  const path = `/api${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'none'))}`
  if (operation.upload) {
    return person.upload(
      path,
      [{ field: Object.keys(operation.upload.files)[0]!, filename: 'a.md', content: workflow() }],
      { method: operation.method },
    )
  }
  const body: Record<string, unknown> = {
    name: 'Taken over',
    body: 'x',
    value: 1,
    status: 'shipped',
    role: 'admin',
    blocked: true,
    title: 'x',
    labelId: 'x',
    visibility: 'public',
  }
  const own = Object.fromEntries(
    placesOf(operation)
      .body.filter((name) => name in body)
      .map((name) => [name, body[name]]),
  )
  if (name(operation) === 'triage') own['status'] = 'resolved'
  return operation.method === 'GET' ? person.get(path) : person.json(operation.method, path, own)
}

const name = (wanted: Operation) => operations.find(([, operation]) => operation === wanted)![0].split('.')[1]

async function holdIdor(target: Target, attacker: Person, owner: Person): Promise<string> {
  const things = await thingsOf(target, owner)
  return holdEach(
    concerned,
    ([operation]) => operation,
    async ([full, operation]) => {
      const slice = full.split('.')[0]!
      const ids =
        (full === 'library.deleteComment' || full === 'library.comments' ? things['shared'] : things[slice]) ?? {}
      const reply = await send(attacker, operation, ids)
      hold([400, 401, 403, 404, 409].includes(reply.status), shown(reply))
      hold(!reply.text.includes('Private 1'), 'a private item is told of')
    },
  )
}

export const access: Attack[] = [
  {
    name: 'a member cannot touch what belongs to another, at any operation',
    clause: ACCESS,
    needs: ['accounts'],
    async run(target) {
      return holdIdor(target, await target.member('alice'), await target.member('bob'))
    },
  },
  {
    name: 'nor can an anonymous user, or a token with every scope',
    clause: ACCESS,
    needs: ['accounts'],
    async run(target) {
      const scope = 'openid profile email offline_access community:read community:write library:read library:write'
      const tokens = await signIn(target, await target.member('alice'), { clientId: AGENT, scope })
      const agent = target.anonymous()
      agent.token = tokens.access_token
      await holdIdor(target, agent, await target.member('bob'))
      return holdIdor(target, target.anonymous(), await target.member('bob'))
    },
  },
  {
    name: 'the things of the other are as they were',
    clause: ACCESS,
    needs: ['accounts'],
    async run(target) {
      const bob = await target.member('bob')
      const orgs = (await bob.get(`/api/community/orgs?authorId=${bob.id}`)).json() as { items: { name: string }[] }
      hold(orgs.items.length > 0 && orgs.items.every((org) => org.name !== 'Taken over'), 'an org was renamed')
      const mine = (await bob.get('/api/library/items?scope=mine&per_page=100')).json() as {
        items: { visibility: string; version: string }[]
      }
      hold(
        mine.items.some(({ visibility }) => visibility === 'private'),
        'a private item was published or is gone',
      )
      hold(await bob.isSignedIn(), 'a session was ended')
      return `${orgs.items.length} orgs and ${mine.items.length} items`
    },
  },
  {
    name: 'fields that no member may set are passed over',
    clause: ACCESS,
    needs: ['newcomers'],
    async run(target) {
      const power = {
        role: 'admin',
        roles: ['admin'],
        isAdmin: true,
        emailVerifiedAt: '2020-01-01T00:00:00.000Z',
        id: 'mine',
        blockedAt: null,
        createdAt: '2020-01-01T00:00:00.000Z',
        authorId: 'other',
        ownerId: 'other',
        score: 1000,
        status: 'resolved',
        slug: 'mine',
        visibility: 'official',
      }
      const person = target.anonymous()
      const up = await person.post('/api/auth/sign-up/email', {
        ...power,
        name: 'x',
        email: freshEmail(),
        password: freshPassword(),
      })
      const user = up.json()?.['user'] as Record<string, unknown>
      hold(user['role'] === 'member' && user['id'] !== 'mine', `sign-up: ${up.text}`)
      const bug = await person.post('/api/community/bugs', { ...power, title: 't', description: 'd', severity: 'low' })
      hold(bug.json()?.['authorId'] === user['id'] && bug.json()?.['status'] === 'open', shown(bug))
      await person.json('PATCH', '/api/community/profile', { ...power, name: 'x' })
      const session = (await person.get('/api/auth/get-session')).json()?.['user'] as Record<string, unknown>
      hold(session['role'] === 'member', `profile: ${JSON.stringify(session)}`)
      const org = await makeOrg(person)
      const changed = await person.json('PATCH', `/api/community/orgs/${org.id}`, { ...power, name: 'y' })
      const read = (await person.get(`/api/community/orgs/${org.id}`)).json()!
      hold(read['authorId'] === user['id'] && read['slug'] === org.slug && read['score'] === 0, shown(changed))
      const item = await makeItem(person, {
        kind: 'workflow',
        content: workflow(),
        fields: { ownerId: 'other', score: '9', slug: 'mine' },
      })
      hold((item['owner'] as { id: string }).id === user['id'] && item.slug !== 'mine', JSON.stringify(item))
      const official = await person.json('PATCH', `/api/library/items/${item.id}`, { visibility: 'official' })
      holdStatus(official, [403], 'official')
      return 'at sign-up, profile, bug, org and item'
    },
  },
  {
    name: 'a moderator decides no report of their own thing',
    clause: ACCESS,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [moderator, reporter] = [await target.withRole('moderator'), await target.newcomer()]
      const post = (await moderator.post('/api/community/posts', { title: 'Mine', body: 'Mine' })).json()?.['id']
      const report = { targetType: 'post', targetId: post, reason: 'spam' }
      holdStatus(await reporter.post('/api/community/reports', report), [201], 'an honest report')
      const rows = await target.own.query('select id from "moderationCase" where "targetId" = ?', String(post))
      const path = `/api/community/moderation/cases/${rows[0]?.['id']}/decision`
      const decision = { action: 'dismiss', rule: 'spam', reason: 'It is mine' }
      holdStatus(await moderator.post(path, decision), [403], 'the decision')
      const after = await target.own.query('select state from "moderationCase" where "targetId" = ?', String(post))
      hold(after[0]?.['state'] === 'open', 'the case is closed')
      return 'it waits for another one'
    },
  },
  {
    name: 'a moderator cannot block admins or themselves, or give roles',
    clause: '14 text',
    needs: ['roles'],
    async run(target) {
      const [moderator, admin, bob] = [
        await target.withRole('moderator'),
        await target.withRole('admin'),
        await target.member('bob'),
      ]
      const block = (id: string) => moderator.json('PATCH', `/api/community/admin/users/${id}/block`, { blocked: true })
      holdStatus(await block(moderator.id), [409], 'themselves')
      holdStatus(await block(admin.id), [403], 'an admin')
      holdStatus(
        await moderator.json('PATCH', `/api/community/admin/users/${bob.id}/role`, { role: 'admin' }),
        [403],
        'a role',
      )
      holdStatus(
        await moderator.json('PATCH', `/api/community/admin/users/${moderator.id}/role`, { role: 'admin' }),
        [403],
        'their own role',
      )
      holdStatus(await moderator.get('/api/community/admin/users'), [403], 'the list of users')
      return 'refused each'
    },
  },
  {
    name: 'a block ends everything at once, also what is asked for in the same moment',
    clause: ACCESS,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const admin = await target.withRole('admin')
      const person = await target.newcomer()
      const tokens = await signIn(target, person, { clientId: AGENT })
      const again = Array.from({ length: 8 }, () => person.elsewhere())
      await Promise.all([
        admin.json('PATCH', `/api/community/admin/users/${person.id}/block`, { blocked: true }),
        ...again.map((browser) => browser.signIn()),
      ])
      for (const browser of [person, ...again]) hold(!(await browser.isSignedIn()), 'a session lives on')
      const agent = target.anonymous()
      agent.token = tokens.access_token
      holdStatus(await agent.get('/api/community/me'), [401, 403], 'its token')
      holdStatus(await person.elsewhere().signIn(), [403], 'its password')
      return '8 sign-ins at the same time are out'
    },
  },
  {
    name: 'one vote a member, however many come at once; one username, one version, one slug',
    clause: ACCESS,
    needs: ['newcomers'],
    async run(target) {
      const [alice, bob] = [await target.member('alice'), await target.member('bob')]
      const bug = await makeBug(bob)
      await Promise.all(Array.from({ length: 30 }, () => alice.post(`/api/community/bugs/${bug}/vote`, { value: 1 })))
      const { score } = (await alice.get(`/api/community/bugs/${bug}`)).json() as { score: number }
      hold(score === 1, `score ${score}`)
      const people = await Promise.all(Array.from({ length: 6 }, () => target.newcomer()))
      const username = `race-${Date.now() % 1_000_000}`
      const named = await Promise.all(people.map((person) => person.post('/api/community/username', { username })))
      hold(named.filter(({ status }) => status === 200).length === 1, `a username ${named.map(({ status }) => status)}`)
      const item = await makeItem(alice, { kind: 'workflow', content: workflow({ name: `Race ${Date.now()}` }) })
      const versions = await Promise.all(
        Array.from({ length: 12 }, () =>
          alice.upload(
            `/api/library/items/${item.id}/artifact`,
            [
              { field: 'version', content: '2.0.0' },
              { field: 'file', filename: 'a', content: workflow() },
            ],
            { method: 'PUT' },
          ),
        ),
      )
      hold(
        versions.filter(({ status }) => status === 200).length === 1,
        `a version ${versions.map(({ status }) => status)}`,
      )
      return 'one each'
    },
  },
]
