// Agents below agents: more than the one above has, a longer life, a sixth below, another parent, and the token of one that has ended.
import { type Attack, atOnce, hold, holdEach, holdRefused, refusalOf } from './attack.ts'
import { AGENT, bearer, grant, handedOn, register, signIn, works } from './oauth-client.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'

const CLAUSE = 'tokens'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

const details = (bounds: object) => ({
  authorization_details: JSON.stringify([{ type: 'guildhall_bounds', ...bounds }]),
})

/** What an exchange gives for a token and more of its form. */
const exchanged = (target: Target, token: string, more: Record<string, string> = {}, clientId = AGENT) =>
  grant(target, clientId, {
    grant_type: EXCHANGE,
    subject_token: token,
    subject_token_type: ACCESS_TOKEN,
    ...more,
  })

const post = (target: Target, token: string) => bearer(target, token).api.posts.create({ title: 'a', body: 'b' })

/** The one app of an account, with its helpers. */
async function appOf(person: Person) {
  const [app] = (await person.api.signIns.list()).items
  if (!app) throw new Error('It has no app')
  return app
}

export const helpers: Attack[] = [
  {
    name: 'a helper gets no more bounds and no longer life than the one above it, whatever it asks for, and all share one budget',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const more = details({ writes: 3, kinds: ['posts'], expires_in: 300 })
      const { accessToken: own } = await signIn(target, person, { more })
      const greedy = details({ writes: 100_000, kinds: ['posts', 'votes', 'library'], expires_in: 31_536_000 })
      const first = await exchanged(target, own, greedy)
      const second = await exchanged(target, first.accessToken, greedy)
      for (const { expiresAt } of [first, second])
        hold(expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() + 301_000, 'it lives longer than the agent')
      const { id } = await post(target, second.accessToken)
      await holdRefused(bearer(target, second.accessToken).api.posts.vote({ id, value: 1 }), [403], 'another kind')
      const tokens = [own, first.accessToken, second.accessToken]
      const { answers } = await atOnce(9, (index) => post(target, tokens[index % 3] ?? own))
      hold(answers.length === 2, `${answers.length + 1} of 3 writes`)
      const shapes = ['[{"type":"guildhall_bounds","writes":-1}]', '[[[[', '{}', '[{"type":"payment"}]']
      await holdEach(shapes, String, async (authorization_details) =>
        holdRefused(exchanged(target, own, { authorization_details }), [400], 'bounds of another shape'),
      )
      return 'three writes for the whole tree'
    },
  },
  {
    name: 'no sixth helper is below a fifth, also as a JWT, and none gets another parent',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const person = await target.newcomer()
      let { accessToken: last } = await signIn(target, person, { scope: 'community:read' })
      const first = last
      for (let depth = 1; depth <= 5; depth++) last = await handedOn(target, last)
      const ways: Record<string, string>[] = [
        {},
        { resource: `${target.origin}/api/mcp` },
        { resource: `${target.origin}/api` },
        { helper_name: 'sixth' },
      ]
      await holdEach(ways, JSON.stringify, (more) => holdRefused(exchanged(target, last, more), [400], 'a sixth'))
      const parents: Record<string, string>[] = [
        { actor_token: first, actor_token_type: ACCESS_TOKEN },
        { act: JSON.stringify({ sub: AGENT }) },
        { helper_id: '00000000-0000-7000-8000-000000000000' },
      ]
      await holdEach(parents, JSON.stringify, (more) =>
        holdRefused(exchanged(target, last, more), [400], 'another parent'),
      )
      const names = ['Reader\nAdministrator', '\u202eredaeR', 'x'.repeat(10_000)]
      for (const helper_name of names) await exchanged(target, first, { helper_name })
      const { handedOn: open } = await appOf(person)
      hold(open.filter(({ depth }) => depth > 5).length === 0, 'one is deeper than five')
      hold(
        open.every(({ name }) => name === null || (name.length <= 60 && !/[\n\u202e]/.test(name))),
        'a name has more than one line, or what is not seen',
      )
      return 'five deep'
    },
  },
  {
    name: 'a helper that was ended ends with all below it, whatever they hand on at that moment, and no other account or token ends one',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [person, other] = [await target.newcomer(), await target.newcomer()]
      const { accessToken: own } = await signIn(target, person, { scope: 'community:read library:read' })
      const parent = await handedOn(target, own)
      const app = await appOf(person)
      const end = { id: app.id, helperId: app.handedOn[0]?.id ?? '' }
      await holdRefused(other.api.signIns.endHelper(end), [404], 'by another account')
      await holdRefused(bearer(target, own).api.signIns.endHelper(end), [401], 'by the agent itself')
      await holdRefused(bearer(target, parent).api.signIns.endHelper(end), [401], 'by the helper')
      const children = () => atOnce(6, () => handedOn(target, parent))
      const [before, , after] = await Promise.all([children(), person.api.signIns.endHelper(end), children()])
      for (const token of [parent, ...before.answers, ...after.answers])
        hold(!(await works(target, token)), 'one goes on after the end')
      await holdRefused(handedOn(target, parent), [400], 'the token of one that has ended')
      hold(await works(target, own), 'the agent has ended too')
      return `${before.answers.length + after.answers.length} children`
    },
  },
  {
    name: 'the token of another account is exchanged by no client but its own, and what is made is of that account',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [person, other] = [await target.newcomer(), await target.newcomer()]
      const exchanges = { grant_types: ['authorization_code', EXCHANGE] }
      const [one, two] = [await register(target, exchanges), await register(target, exchanges)]
      const { accessToken } = await signIn(target, person, { clientId: one, scope: 'library:read' })
      const { accessToken: mine } = await signIn(target, other, { clientId: two, scope: 'library:read' })
      await holdRefused(exchanged(target, accessToken, {}, two), [400], 'by another client')
      const withActor = { actor_token: mine, actor_token_type: ACCESS_TOKEN }
      await holdRefused(exchanged(target, accessToken, withActor, one), [400], 'with the actor of another account')
      const made = await exchanged(target, accessToken, {}, one)
      const me = await bearer(target, made.accessToken).api.library.me()
      hold(me.user.id === person.id, 'it is of another account')
      const { handedOn: none } = await appOf(other)
      hold(none.length === 0, 'it is below the app of another account')
      const [helper] = (await appOf(person)).handedOn
      const foreign = { id: (await appOf(other)).id, helperId: helper?.id ?? '' }
      hold((await refusalOf(other.api.signIns.endHelper(foreign)))?.status === 404, 'another account ended it')
      return 'two accounts, two clients'
    },
  },
]
