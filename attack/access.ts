// Who may touch what: every operation on things of others, fields that no member may set, and counts that are raced for.
import { api } from '../src/api.ts'
import { type Contract, type Operation, placesOf } from '../src/contract/operation.ts'
import { field, file } from '../test/multipart.ts'
import { type Attack, atOnce, hold, holdEach, holdRefused, refusalOf, shown, shownRefusal } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'
import { freshEmail, freshPassword, type Person } from './person.ts'
import type { Target } from './target.ts'
import { addRun, BUG, makeOrg, publish, publishToAll, workflow } from './things.ts'

const ACCESS = 'access'

const operations: [name: string, operation: Operation][] = Object.entries(api as Record<string, Contract>).flatMap(
  ([slice, contract]) =>
    Object.entries(contract).map(([verb, operation]): [string, Operation] => [`${slice}.${verb}`, operation]),
)

/** Ids of things that a member has, by the subject and the names that stand in paths. */
type Things = Record<string, Record<string, string>>

const NOTHING = '00000000-0000-7000-8000-000000000000'

async function thingsOf(target: Target, owner: Person): Promise<Things> {
  const { api } = owner
  const bug = await api.bugs.create(BUG)
  const feature = await api.features.create({ title: 't', description: 'd' })
  const org = await makeOrg(owner)
  const { runId } = await addRun(owner, org.id, { 'a.md': '# mine' })
  const item = await publish(owner, 'workflow', workflow({ name: `Private ${Date.now()}` }))
  const shared = await publishToAll(owner, { name: `Public ${Date.now()}` })
  await signIn(target, owner)
  const body = 'Mine'
  const comment = await api.bugs.comment({ id: bug.id, body })
  const first = ({ items }: { items: { id: string }[] }) => items[0]?.id ?? ''
  return {
    bugs: { id: bug.id, commentId: comment.id },
    comments: { id: comment.id },
    features: { id: feature.id },
    orgs: { id: org.id, commentId: (await api.orgs.comment({ id: org.id, body })).id },
    orgRuns: { id: org.id, runId },
    orgImages: { id: org.id },
    library: { id: item.id, kind: 'workflow', slug: item.slug },
    shared: {
      id: shared.id,
      kind: 'workflow',
      slug: shared.slug,
      commentId: (await api.library.comment({ id: shared.id, body })).id,
    },
    sessions: { id: first(await api.sessions.list()) },
    signIns: { id: first(await api.signIns.list()) },
    passkeys: { id: NOTHING },
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

const WANTED: Readonly<Record<string, unknown>> = {
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

/** Calls an operation with the ids of these things, and what an attacker wants in its body. */
function call(person: Person, name: string, operation: Operation, ids: Record<string, string>): Promise<unknown> {
  const [slice = '', verb = ''] = name.split('.')
  const { path, body } = placesOf(operation)
  const wanted = body.filter((one) => one in WANTED).map((one) => [one, WANTED[one]])
  const input = Object.fromEntries([...path.map((one) => [one, ids[one] ?? 'none']), ...wanted])
  if (verb === 'triage') input['status'] = 'resolved'
  if (operation.upload) input[Object.keys(operation.upload.files)[0] ?? ''] = Buffer.from(workflow())
  const slices = person.api as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
  return slices[slice]?.[verb]?.(input) ?? Promise.reject(new Error(`The client has no ${name}`))
}

async function holdIdor(target: Target, attacker: Person, owner: Person): Promise<string> {
  const things = await thingsOf(target, owner)
  return holdEach(
    concerned,
    ([name]) => name,
    async ([name, operation]) => {
      const slice = name.split('.')[0] ?? ''
      // A private item is hidden from others; what everybody sees must not be changed either.
      const slices = slice === 'library' && operation.method !== 'GET' ? [slice, 'shared'] : [slice]
      for (const ids of slices.map((one) => things[one] ?? {})) {
        const refusal = await refusalOf(call(attacker, name, operation, ids))
        hold(refusal && [400, 401, 403, 404, 409].includes(refusal.status), refusal ? shownRefusal(refusal) : 'done')
        hold(!JSON.stringify(refusal.details).includes('Private 1'), 'a refusal names a private item')
      }
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
      const { accessToken } = await signIn(target, await target.member('alice'), { scope })
      await holdIdor(target, bearer(target, accessToken), await target.member('bob'))
      return holdIdor(target, target.anonymous(), await target.member('bob'))
    },
  },
  {
    name: 'the things of the other are as they were',
    clause: ACCESS,
    needs: ['accounts'],
    async run(target) {
      const bob = await target.member('bob')
      const orgs = (await bob.api.orgs.list({ authorId: bob.id })).items
      hold(orgs.length > 0 && orgs.every(({ name }) => name !== 'Taken over'), 'an org was renamed')
      const mine = (await bob.api.library.list({ scope: 'mine', per_page: 100 })).items
      hold(
        mine.some(({ visibility }) => visibility === 'private'),
        'a private item was published or is gone',
      )
      hold(await bob.isSignedIn(), 'a session was ended')
      return `${orgs.length} orgs and ${mine.length} items`
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
      const { api } = person
      const account = { name: 'x', email: freshEmail(), password: freshPassword() }
      const up = await person.post('/api/auth/sign-up/email', { ...power, ...account })
      const user = up.json()?.['user'] as Record<string, unknown>
      hold(user['role'] === 'member' && user['id'] !== 'mine', `sign-up: ${up.text}`)
      const bug = await person.post('/api/community/bugs', { ...power, ...BUG })
      hold(bug.json()?.['authorId'] === user['id'] && bug.json()?.['status'] === 'open', shown(bug))
      await person.post('/api/community/profile', { ...power, name: 'x' }, {}, 'PATCH')
      const session = await api.accounts.getSession()
      hold(session?.user.role === 'member', `profile: ${JSON.stringify(session)}`)
      const org = await makeOrg(person)
      const changed = await person.post(`/api/community/orgs/${org.id}`, { ...power, name: 'y' }, {}, 'PATCH')
      const read = await api.orgs.get({ id: org.id })
      hold(read.authorId === user['id'] && read.slug === org.slug && read.score === 0, shown(changed))
      const fields = ['ownerId', 'score', 'slug'].map((name) => field(name, '9'))
      const form = [field('kind', 'workflow'), ...fields, file('file', 'file', workflow())]
      const made = await person.upload('/api/library/items', form)
      const item = made.json() as { id: string; slug: string; owner: { id: string } }
      hold(item.owner?.id === user['id'] && item.slug !== '9', shown(made))
      const official = api.library.update({ id: item.id, visibility: 'official' })
      await holdRefused(official, [403], 'official')
      return 'at sign-up, profile, bug, org and item'
    },
  },
  {
    name: 'a moderator decides no report of their own thing',
    clause: ACCESS,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [moderator, reporter] = [await target.withRole('moderator'), await target.newcomer()]
      const { id: targetId } = await moderator.api.posts.create({ title: 'Mine', body: 'Mine' })
      await reporter.api.reports.create({ targetType: 'post', targetId, reason: 'spam' })
      const cases = () => target.own.query('select id, state from "moderationCase" where "targetId" = ?', targetId)
      const id = String((await cases())[0]?.['id'])
      const decision = { id, action: 'dismiss', rule: 'spam', reason: 'It is mine' } as const
      await holdRefused(moderator.api.moderation.decide(decision), [403], 'the decision')
      hold((await cases())[0]?.['state'] === 'open', 'the case is closed')
      return 'it waits for another one'
    },
  },
  {
    name: 'a moderator cannot block admins or themselves, or give roles',
    clause: '14 text',
    needs: ['roles'],
    async run(target) {
      const [moderator, admin] = [await target.withRole('moderator'), await target.withRole('admin')]
      const bob = await target.member('bob')
      const { block, setRole, listUsers } = moderator.api.admin
      await holdRefused(block({ id: moderator.id, blocked: true }), [409], 'themselves')
      await holdRefused(block({ id: admin.id, blocked: true }), [403], 'an admin')
      await holdRefused(setRole({ id: bob.id, role: 'admin' }), [403], 'a role')
      await holdRefused(setRole({ id: moderator.id, role: 'admin' }), [403], 'their own role')
      await holdRefused(listUsers(), [403], 'the list of users')
      return 'refused each'
    },
  },
  {
    name: 'a block ends everything at once, also what is asked for in the same moment',
    clause: ACCESS,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [admin, person] = [await target.withRole('admin'), await target.newcomer()]
      const { accessToken } = await signIn(target, person)
      const again = Array.from({ length: 8 }, () => person.elsewhere())
      await Promise.all([
        admin.api.admin.block({ id: person.id, blocked: true }),
        ...again.map((browser) => refusalOf(browser.signIn())),
      ])
      for (const browser of [person, ...again]) hold(!(await browser.isSignedIn()), 'a session lives on')
      await holdRefused(bearer(target, accessToken).api.profile.me(), [401, 403], 'its token')
      await holdRefused(person.elsewhere().signIn(), [403], 'its password')
      return '8 sign-ins at the same time are out'
    },
  },
  {
    name: 'one vote a member, however many come at once; one username, one version, one slug',
    clause: ACCESS,
    needs: ['newcomers'],
    async run(target) {
      const [alice, bob] = [await target.member('alice'), await target.member('bob')]
      const { id } = await bob.api.bugs.create(BUG)
      await atOnce(30, () => alice.api.bugs.vote({ id, value: 1 }))
      const { score } = await alice.api.bugs.get({ id })
      hold(score === 1, `score ${score}`)
      const people = await Promise.all(Array.from({ length: 6 }, () => target.newcomer()))
      const username = `race-${Date.now() % 1_000_000}`
      const named = await atOnce(people.length, async (n) => people[n]?.api.profile.setUsername({ username }))
      hold(named.answers.length === 1, `${named.answers.length} got a username`)
      const item = await publish(alice, 'workflow', workflow({ name: `Race ${Date.now()}` }))
      const newer = { id: item.id, version: '2.0.0', file: Buffer.from(workflow()) }
      const versions = await atOnce(12, () => alice.api.library.publishVersion(newer))
      hold(versions.answers.length === 1, `${versions.answers.length} made a version`)
      return 'one each'
    },
  },
]
