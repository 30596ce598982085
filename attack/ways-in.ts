// Settings that close ways in: where the external provider is the only one, every other is tried; where roles need a passkey, what moderators and
// admins do is tried without one. Both are of an admin, and are set back.
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../src/api.ts'
import type { Contract, Operation } from '../src/contract/operation.ts'
import { Authenticator } from '../test/authenticator.ts'
import { type Attack, hold, holdEach, holdRefused, holdStatus, shown } from './attack.ts'
import { AGENT, bearer, signIn } from './oauth-client.ts'
import { freshEmail, type Person } from './person.ts'
import type { Target } from './target.ts'

const KNOWN_MILLISECONDS = 1_000
const ISSUER = 'https://sso.attacked.example'
const NOTHING = '00000000-0000-7000-8000-000000000000'

async function set(admin: Person, changes: Record<string, string | null>): Promise<void> {
  await admin.api.settings.change({ changes })
  await sleep(KNOWN_MILLISECONDS)
}

/** Does it while these settings hold. */
async function whileSet<Result>(admin: Person, changes: Record<string, string>, work: () => Promise<Result>) {
  await set(admin, changes)
  try {
    return await work()
  } finally {
    await set(admin, Object.fromEntries(Object.keys(changes).map((name) => [name, null])))
  }
}

/** Connects an external account to that of an admin, or signs in with it, as at the provider. */
async function connect(target: Target, { id }: Person): Promise<void> {
  // By the time of the server, which may be ahead of that of this process.
  const [last] = await target.own.query('select max("changedAt") as "changedAt" from "settingChange"')
  const now = String(last?.['changedAt'])
  const used = 'update "externalIdentity" set "lastUsedAt" = ?, "userId" = ? where "issuer" = ? returning "id"'
  if ((await target.own.query(used, now, id, ISSUER)).length > 0) return
  const columns = '"id", "issuer", "subject", "userId", "createdAt"'
  const values = [NOTHING, ISSUER, 'the-admin', id, now]
  await target.own.query(`insert into "externalIdentity" (${columns}) values (?, ?, ?, ?, ?) returning "id"`, ...values)
}

/** Operations for moderators and admins alone, with an id for each name in their paths. */
const powerful = Object.values(api as Record<string, Contract>)
  .flatMap((contract) => Object.values<Operation>(contract))
  .filter(({ access }) => access.roles)
  .map(({ method, path, access }) => ({ method, access, path: `/api${path.replace(/\{\w+\}/g, NOTHING)}` }))

const waysIn = (email: string, password: string): [path: string, body: object, status: number][] => [
  ['sign-up/email', { name: 'A member', email, password }, 403],
  ['sign-in/email', { email, password }, 403],
  ['sign-in/code', { email }, 403],
  ['sign-in/code/verify', { email, code: '123456' }, 403],
  ['forgot-password', { email }, 403],
  ['reset-password', { email, code: '123456', password }, 403],
  ['sign-in/passkey/options', {}, 403],
  ['sign-in/passkey', {}, 403],
  ['agent/claim', { email, client_id: AGENT }, 400],
  ['agent/claim/verify', { email, code: '123456', client_id: AGENT }, 400],
]

export const closedWays: Attack[] = [
  {
    name: 'where the external provider is the only way in, no other opens a session or mails a code',
    clause: 'access',
    needs: ['newcomers', 'mail', 'roles', 'files'],
    async run(target) {
      const [member, admin] = [await target.member('alice'), await target.withRole('admin')]
      const provider = { OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'guildhall' }
      const before = await target.codesMailed(member.email)
      // The provider as it is set was used by an admin: else it cannot be the only way in.
      await set(admin, provider)
      await connect(target, admin)
      await whileSet(admin, { ...provider, SIGN_IN: 'external' }, async () => {
        for (const email of [member.email, freshEmail(), admin.email]) {
          const ways = waysIn(email, member.password)
          await holdEach(
            ways,
            ([path]) => path,
            async ([path, body, status]) => {
              const person = target.anonymous()
              holdStatus(await person.post(`/api/auth/${path}`, body), [status], path)
              hold(!(await person.isSignedIn()), 'it is signed in')
            },
          )
        }
        const form = { email: member.email, password: member.password, how: 'password' }
        const page = await target.anonymous().form('/oauth/sign-in', form)
        hold(page.status === 403 && page.cookies.length === 0, `the page on the way to an app: ${shown(page)}`)
      })
      hold((await target.codesMailed(member.email)) === before, 'a code was mailed')
      return '10 ways, for a member, a stranger and an admin'
    },
  },
  {
    name: 'where roles need a passkey, a password or a token does nothing that a moderator or an admin may',
    clause: 'access',
    needs: ['newcomers', 'roles'],
    async run(target) {
      const admin = await target.withRole('admin')
      const device = new Authenticator()
      const options = await admin.api.passkeys.beginRegistration()
      const passkey = await admin.api.passkeys.register({ response: device.create(options, { origin: target.origin }) })
      const scope = 'community:read community:write library:read library:write offline_access'
      const token = bearer(target, (await signIn(target, admin, { scope })).accessToken)
      const thief = Object.assign(target.anonymous(), { email: admin.email, password: admin.password })
      await whileSet(admin, { ROLES_NEED_PASSKEY: 'on' }, async () => {
        await thief.signIn()
        for (const person of [thief, token]) {
          await holdEach(
            powerful,
            ({ method, path }) => `${method} ${path}`,
            async ({ method, path }) => {
              const reply = await (method === 'GET' ? person.get(path) : person.post(path, {}, {}, method))
              holdStatus(reply, [401, 403], 'it is answered')
            },
          )
        }
        await holdRefused(thief.api.passkeys.beginRegistration(), [403], 'a passkey of the thief')
        await holdRefused(thief.api.passkeys.remove({ id: passkey.id }), [403], 'the end of the passkey')
        await holdRefused(admin.api.passkeys.remove({ id: passkey.id }), [409], 'the end of the last passkey')
      })
      await admin.api.passkeys.remove({ id: passkey.id })
      return `${powerful.length} operations, by a session and a token`
    },
  },
]
