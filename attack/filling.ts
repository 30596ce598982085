// Threats 4 and 5: many small writes, many bytes, many mails, and small requests with huge answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { onePixelDeepPng } from '../test/pictures.ts'
import { type Attack, atOnce, hold, holdStatus, refusalOf, shownRefusal } from './attack.ts'
import { AGENT, registration } from './oauth-client.ts'
import { freshEmail, type Person } from './person.ts'
import type { Target } from './target.ts'
import { addRun, BUG, makeOrg, publish, workflow } from './things.ts'

const BUDGETS = '4 budgets'
const ANSWERS = '5 answers'

type Write = (n: number) => Promise<unknown>

/** Sends `most` and 15 more at once: exactly `most` may pass, the others are 429 with what a client needs to wait. */
async function holdBudget(most: number, write: Write): Promise<string> {
  const { answers, refusals } = await atOnce(most + 15, (n) => untilTaken(() => write(n)))
  const other = refusals.find(({ status }) => status !== 429)
  hold(!other, `${other && shownRefusal(other)}`)
  hold(answers.length === most, `${answers.length} passed where ${most} may`)
  for (const { headers, retryAfterSeconds } of refusals) {
    hold(retryAfterSeconds, 'no Retry-After')
    hold(headers.has('ratelimit') && headers.has('ratelimit-policy'), 'no RateLimit and RateLimit-Policy')
  }
  return `${answers.length} of ${most + 15} passed`
}

/** A busy server takes no more of a network for a while; what is counted is what it takes. */
async function untilTaken(write: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1; tries < 20; tries++) {
    const call = write()
    if ((await refusalOf(call))?.status !== 503) return call
    await sleep(500)
  }
  return write()
}

/** What an account with an unverified address may do in an hour (behaviour of the product, Budgets). */
const writes: [name: string, most: number, prepare: (target: Target, person: Person) => Promise<Write>][] = [
  [
    'bugs, features and posts',
    5,
    async (_, { api }) => {
      const title = 'One of many'
      const kinds: Write[] = [
        () => api.bugs.create(BUG),
        () => api.features.create({ title, description: 'd' }),
        () => api.posts.create({ title, body: 'b' }),
      ]
      return async (n) => kinds[n % 3]?.(n)
    },
  ],
  [
    'comments',
    20,
    async (target, { api }) => {
      const { id } = await (await target.member('alice')).api.bugs.create(BUG)
      return (n) => api.bugs.comment({ id, body: `c${n}` })
    },
  ],
  [
    'votes',
    100,
    async (target, { api }) => {
      const { id } = await (await target.member('alice')).api.bugs.create(BUG)
      return (n) => api.bugs.vote({ id, value: n % 2 ? 1 : -1 })
    },
  ],
  ['org uploads', 3, async (_, person) => (n) => makeOrg(person, { name: `Desk ${n}` })],
  [
    'run uploads',
    5,
    async (target, person) => {
      const { id } = await makeOrg(await target.member('alice'))
      return () => addRun(person, id, { 'a.md': '# a' })
    },
  ],
  [
    'pictures',
    5,
    async (_, person) => {
      const { id } = await makeOrg(person)
      return () => person.api.orgImages.add({ id, image: onePixelDeepPng(4, 4) })
    },
  ],
]

const budgets: Attack[] = writes.map(([name, most, prepare]) => ({
  name: `an unverified account gets ${most} ${name} an hour, however many come at once`,
  clause: BUDGETS,
  limited: true,
  needs: ['networks', 'newcomers'],
  run: async (target) => holdBudget(most, await prepare(target, await target.newcomer())),
}))

export const filling: Attack[] = [
  ...budgets,
  {
    name: 'a budget counts whichever way the writes come: API, site, tool call',
    clause: BUDGETS,
    limited: true,
    needs: ['networks', 'newcomers'],
    async run(target) {
      const person = await target.newcomer()
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          n % 2
            ? person.form('/community/bugs/new?/create', BUG, { Accept: 'text/html' })
            : person.post('/api/community/bugs', BUG),
        ),
      )
      const { items } = await person.api.bugs.list({ authorId: person.id })
      hold(items.length <= 5, `${items.length} were stored by API and forms together`)
      const fault = replies.find(({ status }) => status >= 500)
      hold(!fault, `${fault?.status}`)
      return `${items.length} stored`
    },
  },
  {
    name: 'many accounts of one network get ten times the budget of one, and no more',
    clause: BUDGETS,
    limited: true,
    needs: ['networks', 'newcomers', 'load'],
    async run(target) {
      const network = target.network()!
      const near = (n: number) => network.replace(/\d+$/, String(n + 10))
      const people = (await atOnce(4, (n) => target.newcomer({ network: near(n) }))).answers
      const { answers } = await atOnce(15, async (n) => makeOrg(people[n % 4]!, { name: `Many ${n}` }))
      hold(answers.length <= 12, `${answers.length} orgs of 4 accounts`)
      return `${answers.length} of 4 accounts`
    },
  },
  {
    name: 'an unverified account stores 20 MB at most, also when uploads race',
    clause: BUDGETS,
    limited: true,
    needs: ['networks', 'newcomers', 'load'],
    async run(target) {
      const { id } = await makeOrg(await target.member('alice'))
      const person = await target.newcomer()
      const content = 'x'.repeat(2 * 1024 * 1024 - 1)
      const files = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`${n}.md`, content]))
      const { answers } = await atOnce(4, () => addRun(person, id, files))
      hold(answers.length <= 1, `${answers.length} runs of 12 MB each were stored`)
      const settings = await person.get('/settings', { Accept: 'text/html' })
      hold(/ MB/.test(settings.text), '/settings does not show what is stored')
      return `${answers.length} of 4 runs of 12 MB`
    },
  },
  {
    name: 'mails: five an hour to one address, and three for agents',
    clause: BUDGETS,
    limited: true,
    needs: ['networks', 'newcomers', 'mail'],
    async run(target) {
      const email = freshEmail('flooded')
      await target.newcomer({ email })
      const asking = () => target.anonymous().api
      await atOnce(16, (n) => asking().accounts[n % 2 ? 'forgotPassword' : 'sendCode']({ email }))
      const codes = await target.codesMailed(email)
      hold(codes <= 5, `${codes} mails came`)
      // An agent's claim has a limit of its own: codes for a person do not keep an agent out.
      await atOnce(12, () => asking().claims.claim({ email, client_id: AGENT, scope: 'community:read' }))
      const mailed = await target.codesMailed(email)
      hold(mailed <= codes + 3, `${mailed - codes} mails for agents came`)
      return `${mailed} mails`
    },
  },
  {
    name: 'mails: twenty an hour that one network causes',
    clause: BUDGETS,
    limited: true,
    needs: ['networks', 'mail'],
    async run(target) {
      const network = target.network()!
      const emails = Array.from({ length: 30 }, (_, n) => freshEmail(`spread${n}`))
      await atOnce(emails.length, (n) => {
        const person = target.anonymous(network.replace(/\d+$/, String(n + 1)))
        return person.api.accounts.sendCode({ email: emails[n] ?? '' })
      })
      const mailed = await Promise.all(emails.map((email) => target.codesMailed(email)))
      const all = mailed.reduce((sum, count) => sum + count, 0)
      hold(all <= 20, `${all} mails left`)
      return `${all} mails`
    },
  },
  {
    name: 'a network registers 500 clients an hour, and others go on',
    clause: '10 registration',
    limited: true,
    needs: ['networks', 'load'],
    async run(target) {
      const network = target.network()!
      let limited = 0
      for (let round = 0; round < 13; round++) {
        const near = Array.from({ length: 40 }, (_, n) => target.anonymous(network.replace(/\d+$/, String(n + 1))))
        const replies = await Promise.all(near.map((person) => registration(target, {}, person)))
        limited += replies.filter(({ status }) => status === 429).length
      }
      hold(limited >= 20, `${520 - limited} of 520 passed`)
      holdStatus(await registration(target, {}), [201], 'another network')
      return `${520 - limited} of 520 passed`
    },
  },
  {
    name: 'admins are exempt, and ordinary use meets no budget',
    clause: BUDGETS,
    limited: true,
    needs: ['networks', 'roles'],
    async run(target) {
      const admin = await target.withRole('admin')
      const posts = async ({ api }: Person, count: number) =>
        (await atOnce(count, (n) => api.posts.create({ title: `t${n}`, body: 'b' }))).answers.length
      const [all, few] = [await posts(admin, 40), await posts(await target.verified(), 10)]
      hold(all === 40, `${all} of 40 posts of an admin`)
      hold(few === 10, `${few} of 10 posts of a member`)
      return '40 of an admin, 10 of a member'
    },
  },
  {
    name: 'items with much in them make no huge lists',
    clause: ANSWERS,
    needs: ['accounts', 'load'],
    async run(target) {
      const alice = await target.member('alice')
      const node = (n: number) => ({
        id: `n${n}`,
        type: `step.kind_${n}`,
        name: `Step ${'x'.repeat(80)} ${n}`,
        position: { x: n, y: 0 },
        disabled: false,
        config: { a: 'y'.repeat(60) },
        schema: null,
      })
      const content = workflow({ name: 'Heavy', nodes: Array.from({ length: 3_000 }, (_, n) => node(n)) })
      const { id } = await publish(alice, 'workflow', content, { visibility: 'public' })
      for (let n = 0; n < 5; n++) await publish(alice, 'workflow', content, { visibility: 'public' })
      const list = await target.send({ path: '/api/library/items?per_page=100' })
      const { items } = list.json() as { items: { id: string; meta: { truncated?: boolean } }[] }
      const most = items.length * 8 * 1024
      hold(list.bytes.byteLength <= most, `${items.length} items in ${list.bytes.byteLength} bytes`)
      for (const { meta } of items)
        hold(JSON.stringify(meta).length <= 4_096, `meta of ${JSON.stringify(meta).length} bytes in a list`)
      const size = JSON.stringify((await target.anonymous().api.library.get({ id })).meta).length
      if (size > 4_096)
        hold(items.find((item) => item.id === id)?.meta.truncated === true, 'nothing says what is left out')
      return `${items.length} items in ${list.bytes.byteLength} bytes; the whole meta is ${size}`
    },
  },
]
