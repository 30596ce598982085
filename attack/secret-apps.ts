// Apps with a secret: the secret of another one, a public client with one, stolen assertions, two ways at once, and secrets that were replaced or ended.
import { randomUUID } from 'node:crypto'
import { identityAssertion, JWT_BEARER, keyClient } from './assertions.ts'
import { type Attack, hold, holdRefused, holdStatus } from './attack.ts'
import { bearer, register, registration, signIn, TOKEN } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

const CLAUSE = 'tokens'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const basicOf = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

interface App {
  id: string
  secret: string
}

/** An assertion of the provider for an app, of a new person. */
async function assertionFor(target: Target, { id: clientId }: Pick<App, 'id'>): Promise<string> {
  const iat = await target.seconds()
  const claims = { sub: `app-${randomUUID()}`, iat, exp: iat + 60 }
  return identityAssertion(target, { clientId } as never, { claims })
}

interface Showing {
  assertion?: string
  basic?: App
  form?: Record<string, string>
}

/** Shows an assertion for the app, new unless one is given. */
async function show(target: Target, app: Pick<App, 'id'>, { assertion, basic, form = {} }: Showing): Promise<Reply> {
  const body = { grant_type: JWT_BEARER, assertion: assertion ?? (await assertionFor(target, app)), ...form }
  return target.anonymous().send({
    ...{ method: 'POST', path: TOKEN, body: new URLSearchParams(body).toString() },
    headers: { ...FORM, ...(basic && { Authorization: basicOf(basic.id, basic.secret) }) },
  })
}

function holdNoToken(reply: Reply, what: string): void {
  holdStatus(reply, [400, 401, 429], what)
  hold(!reply.text.includes('access_token'), `${what}: a token`)
}

/** Does it with an admin who may register apps; those that are made end with it. */
async function registering(target: Target, work: (make: () => Promise<App>, admin: Person) => Promise<string>) {
  const admin = (await target.withRole('admin')).elsewhere()
  await admin.signIn()
  const made: App[] = []
  const make = async () => {
    const app = await admin.api.secretClients.create({ name: 'Attacked' })
    made.push(app)
    return app
  }
  try {
    return await work(make, admin)
  } finally {
    for (const { id } of made) await admin.api.secretClients.end({ id }).catch(() => undefined)
  }
}

export const secretApps: Attack[] = [
  {
    name: 'an app with a secret is let in by its own secret, in its own way, with an assertion for itself',
    clause: CLAUSE,
    needs: ['process', 'newcomers', 'roles'],
    run: (target) =>
      registering(target, async (make) => {
        const [app, other] = [await make(), await make()]
        const keyed = await keyClient(target)
        const open = await register(target, { grant_types: ['authorization_code', JWT_BEARER] })
        const stolen = await assertionFor(target, app)
        const inForm = { client_id: app.id, client_secret: app.secret }
        const tries: Record<string, Showing> = {
          'no secret': { form: { client_id: app.id } },
          'an empty secret': { basic: { id: app.id, secret: '' } },
          'a stolen assertion with a wrong secret': {
            assertion: stolen,
            basic: { id: app.id, secret: 'gclient_wrong' },
          },
          'a stolen assertion with the secret of another app': { assertion: stolen, basic: other },
          'a stolen assertion under the name of another app': {
            assertion: stolen,
            basic: { ...app, secret: other.secret },
          },
          'the other way': { form: inForm },
          'both ways at once': { basic: app, form: inForm },
          'two secrets': { form: { ...inForm, client_secret: `${app.secret}\n${other.secret}` } },
          'a public client with it': { basic: { id: open, secret: app.secret } },
          'a client with keys with it': { basic: { id: keyed.clientId, secret: app.secret } },
          'two names': { basic: app, form: { client_id: other.id } },
        }
        for (const [what, showing] of Object.entries(tries)) holdNoToken(await show(target, app, showing), what)
        holdNoToken(await show(target, app, { assertion: stolen, basic: other }), 'for another app')
        holdStatus(await show(target, app, { assertion: stolen, basic: app }), [200], 'its own')
        return `${Object.keys(tries).length + 1} tries`
      }),
  },
  {
    name: 'a secret that was replaced or ended opens nothing, and neither do the tokens of an app that ended',
    clause: CLAUSE,
    needs: ['process', 'newcomers', 'roles'],
    run: (target) =>
      registering(target, async (make, admin) => {
        const app = await make()
        const rotated = await admin.api.secretClients.rotate({ id: app.id, overlapHours: 0 })
        holdNoToken(await show(target, app, { basic: app }), 'replaced')
        const given = await show(target, app, { basic: rotated })
        holdStatus(given, [200], 'the new one')
        const token = String(given.json()?.['access_token'])
        const tries = Array.from({ length: 8 }, () => show(target, app, { basic: rotated }))
        const [answers] = await Promise.all([Promise.all(tries), admin.api.secretClients.end({ id: app.id })])
        for (const answer of [given, ...answers]) {
          const own = String(answer.json()?.['access_token'] ?? token)
          holdStatus(await bearer(target, own).get('/api/library/me'), [401], 'a token of an app that ended')
        }
        holdNoToken(await show(target, app, { basic: rotated }), 'ended')
        return `${answers.length} exchanges during its end`
      }),
  },
  {
    name: 'only an admin registers an app with a secret, and no registration gives or takes one',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const { accessToken } = await signIn(target, person, { scope: 'community:read community:write' })
      for (const caller of [target.anonymous(), person, bearer(target, accessToken)]) {
        await holdRefused(caller.api.secretClients.list(), [401, 403], 'a list')
        await holdRefused(caller.api.secretClients.create({ name: 'Mine' }), [401, 403], 'a new app')
        await holdRefused(caller.api.secretClients.rotate({ id: 'x' }), [401, 403], 'a new secret')
        await holdRefused(caller.api.secretClients.end({ id: 'x' }), [401, 403], 'an end')
      }
      for (const method of ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']) {
        const more = { token_endpoint_auth_method: method, client_secret: 'mine', grant_types: [JWT_BEARER] }
        const reply = await registration(target, more)
        holdStatus(reply, [201, 400, 429], method)
        hold(!reply.text.includes('client_secret'), `${method}: a secret`)
      }
      return '3 callers, 3 methods'
    },
  },
]
