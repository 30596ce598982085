// Threats 4 and 5: many small writes, many bytes, many mails, and small requests with huge answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, hold, holdStatus } from './attack.ts'
import { AGENT, registration } from './oauth-client.ts'
import { freshEmail, type Person } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'
import { addRun, makeBug, makeItem, makeOrg, orgJson, png, workflow } from './things.ts'

const BUDGETS = '4 budgets'
const ANSWERS = '5 answers'

const counts = (replies: readonly Reply[]) => {
  const accepted = replies.filter(({ status }) => status < 300).length
  const limited = replies.filter(({ status }) => status === 429)
  return { accepted, limited }
}

/** Sends `count` at once: exactly `most` may pass, the others are 429 with what a client needs to wait. */
async function holdBudget(most: number, replies: readonly Reply[]): Promise<string> {
  const { accepted, limited } = counts(replies)
  hold(accepted <= most, `${accepted} passed where ${most} may`)
  hold(accepted === most, `only ${accepted} of ${most} passed: ${replies.map(({ status }) => status).join()}`)
  const other = replies.find(({ status }) => status >= 300 && status !== 429)
  hold(!other, `${other?.status} ${other?.text.slice(0, 100)}`)
  for (const { headers } of limited) {
    hold(Number(headers['retry-after']) > 0, 'no Retry-After')
    hold(headers['ratelimit'] && headers['ratelimit-policy'], 'no RateLimit and RateLimit-Policy')
  }
  return `${accepted} of ${replies.length} passed`
}

const atOnce = <Result>(count: number, work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

/** A busy server takes no more of a network for a while; what is counted is what it takes. */
async function untilTaken(write: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await write()
    if (reply.status !== 503 || tries === 20) return reply
    await sleep(500)
  }
}

/** What an account with an unverified address may do in an hour (behaviour of the product, Budgets). */
const writes: [
  name: string,
  most: number,
  prepare: (target: Target, person: Person) => Promise<(n: number) => Promise<Reply>>,
][] = [
  [
    'bugs, features and posts',
    5,
    async (_, person) => (n) =>
      n % 3 === 0
        ? person.post('/api/community/bugs', { title: `t${n}`, description: 'd', severity: 'low' })
        : person.post(n % 3 === 1 ? '/api/community/features' : '/api/community/posts', {
            title: `t${n}`,
            description: 'd',
            body: 'b',
          }),
  ],
  [
    'comments',
    20,
    async (target, person) => {
      const id = await makeBug(await target.member('alice'))
      return (n) => person.post(`/api/community/bugs/${id}/comments`, { body: `c${n}` })
    },
  ],
  [
    'votes',
    100,
    async (target, person) => {
      const id = await makeBug(await target.member('alice'))
      return (n) => person.post(`/api/community/bugs/${id}/vote`, { value: n % 2 ? 1 : -1 })
    },
  ],
  [
    'org uploads',
    3,
    async (_, person) => (n) => person.post('/api/community/orgs', { orgJson: orgJson({ name: `Desk ${n}` }) }),
  ],
  [
    'run uploads',
    5,
    async (target, person) => {
      const { id } = await makeOrg(await target.member('alice'))
      return () => addRun(person, id, [{ name: 'a.md', content: '# a' }])
    },
  ],
  [
    'pictures',
    5,
    async (_, person) => {
      const { id } = await makeOrg(person)
      const image = [{ field: 'image', filename: 'a.png', content: png(4, 4) }]
      return () => person.upload(`/api/community/orgs/${id}/images`, image)
    },
  ],
]

const budgets: Attack[] = writes.map(([name, most, prepare]) => ({
  name: `an unverified account gets ${most} ${name} an hour, however many come at once`,
  clause: BUDGETS,
  limited: true,
  needs: ['networks', 'newcomers'],
  async run(target) {
    const write = await prepare(target, await target.newcomer())
    return holdBudget(most, await atOnce(most + 15, (n) => untilTaken(() => write(n))))
  },
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
      const bug = { title: 'One of many', description: 'd', severity: 'low' }
      const replies = await atOnce(12, (n) =>
        n % 2
          ? person.form('/community/bugs/new?/create', bug, { Accept: 'text/html' })
          : person.post('/api/community/bugs', bug),
      )
      const { items } = (await person.get(`/api/community/bugs?authorId=${person.id}`)).json() as { items: unknown[] }
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
      const people = await atOnce(4, (n) => target.newcomer({ network: near(n) }))
      const orgs = await atOnce(15, async (n) =>
        people[n % 4]!.post('/api/community/orgs', { orgJson: orgJson({ name: `Many ${n}` }) }),
      )
      hold(counts(orgs).accepted <= 12, `${counts(orgs).accepted} orgs of 4 accounts`)
      return `${counts(orgs).accepted} of 4 accounts`
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
      const files = Array.from({ length: 6 }, (_, n) => ({ name: `${n}.md`, content }))
      const replies = await atOnce(4, () => addRun(person, id, files))
      const { accepted } = counts(replies)
      hold(accepted <= 1, `${accepted} runs of 12 MB each were stored`)
      const settings = await person.get('/settings', { Accept: 'text/html' })
      hold(/ MB/.test(settings.text), '/settings does not show what is stored')
      return `${accepted} of 4 runs of 12 MB`
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
      const ask = (path: string) => target.anonymous().post(path, { email, client_id: AGENT, scope: 'community:read' })
      await atOnce(16, (n) => ask(['/api/auth/sign-in/code', '/api/auth/forgot-password'][n % 2]!))
      const codes = await target.codesMailed(email)
      hold(codes <= 5, `${codes} mails came`)
      // An agent's claim has a limit of its own: codes for a person do not keep an agent out.
      await atOnce(12, () => ask('/api/auth/agent/claim'))
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
      await Promise.all(
        emails.map((email, n) =>
          target.anonymous(network.replace(/\d+$/, String(n + 1))).post('/api/auth/sign-in/code', { email }),
        ),
      )
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
        const replies = await atOnce(40, (n) =>
          registration(target, {}, target.anonymous(network.replace(/\d+$/, String(n + 1)))),
        )
        limited += counts(replies).limited.length
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
      const replies = await atOnce(40, (n) => admin.post('/api/community/posts', { title: `t${n}`, body: 'b' }))
      hold(counts(replies).accepted === 40, `${counts(replies).accepted} of 40 posts of an admin`)
      const alice = await target.verified()
      const few = await atOnce(10, (n) => alice.post('/api/community/posts', { title: `t${n}`, body: 'b' }))
      hold(counts(few).accepted === 10, `${counts(few).accepted} of 10 posts of a member`)
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
      const first = await makeItem(alice, { kind: 'workflow', content, fields: { visibility: 'public' } })
      for (let n = 0; n < 5; n++) await makeItem(alice, { kind: 'workflow', content, fields: { visibility: 'public' } })
      const list = await target.send({ path: '/api/library/items?per_page=100' })
      const { items } = list.json() as { items: { id: string; meta: { truncated?: boolean } }[] }
      const most = items.length * 8 * 1024
      hold(list.bytes.byteLength <= most, `${items.length} items in ${list.bytes.byteLength} bytes`)
      for (const { meta } of items)
        hold(JSON.stringify(meta).length <= 4_096, `meta of ${JSON.stringify(meta).length} bytes in a list`)
      const whole = (await target.send({ path: `/api/library/items/${first.id}` })).json() as { meta: object }
      const size = JSON.stringify(whole.meta).length
      if (size > 4_096)
        hold(items.find(({ id }) => id === first.id)?.meta.truncated === true, 'nothing says what is left out')
      return `${items.length} items in ${list.bytes.byteLength} bytes; the whole meta is ${size}`
    },
  },
]
