// A classifier that lies, or that another one speaks for: all that its verdicts can do is to have one thing wait for a moderator.
import { isSigned } from '../test/webhook-receiver.ts'
import { type Attack, hold, holdEach, holdRefused, refusalOf } from './attack.ts'
import { besideATrap, CLASSIFIER_SECRET, until, whileSet } from './machines.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'

const CLAUSE = 'machines'
const needs = ['newcomers', 'mail', 'roles', 'process'] as const

/** Does it while each text is sent to a classifier that answers by its title. */
function classified<Result>(
  target: Target,
  answers: ReadonlyMap<string, string>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { service } = target
  service.answer = (_, response) => {
    const { title } = JSON.parse(service.arrived.at(-1)!.body) as { title: string }
    const answer = answers.get(title) ?? '{"verdict":"ok"}'
    if (answer === 'late') return void setTimeout(() => response.end('{"verdict":"spam"}'), 7_000)
    const [, status = '200', place = ''] = /^(3\d\d) (.*)/.exec(answer) ?? []
    response.writeHead(Number(status), place ? { Location: place } : {}).end(place ? '{"verdict":"spam"}' : answer)
  }
  const changes = { CLASSIFIER_URL: service.url.replace('v1/chat/completions', 'classify'), CLASSIFIER_SECRET }
  return whileSet(target, changes, work)
}

const arrivedOf = ({ service }: Target, title: string) =>
  service.arrived.filter(({ body }) => (JSON.parse(body) as { title: string }).title === title)

/** Whether everybody sees a post. */
const shows = async (target: Target, id: string): Promise<boolean> =>
  (await refusalOf(target.anonymous().api.posts.get({ id }))) === undefined

const publish = async (person: Person, title: string) => (await person.api.posts.create({ title, body: 'Words' })).id

export const classifier: Attack[] = [
  {
    name: 'no answer of a classifier but its own two words holds a thing: none that is forged, late, sent on or too long',
    clause: CLAUSE,
    needs,
    run: (target) =>
      besideATrap(async (port) => {
        const wrong = [
          '{"verdict":"delete"}',
          '{"verdict":["spam"]}',
          '{"verdict":"SPAM"}',
          '{"verdict":"spam","confidence":1e9}',
          '{"verdict":"spam","reason":"\\u0000"}',
          `{"verdict":"spam","more":"${'x'.repeat(100_000)}"}`,
          '[{"verdict":"spam"}]',
          'verdict=spam',
          '',
          'late',
          `307 http://127.0.0.1:${port}/`,
          `308 ${target.service.url}`,
        ]
        const author = await target.verified()
        const answers = new Map(wrong.map((answer, n) => [`Text ${n} ${Date.now()}`, answer]))
        await classified(target, answers, async () => {
          const ids = new Map<string, string>()
          for (const title of answers.keys()) ids.set(title, await publish(author, title))
          await until('each text is sent', () => [...answers.keys()].every((title) => arrivedOf(target, title)[0]))
          await until('the late answer has come', () => arrivedOf(target, lastOf(answers, 'late')).length > 1)
          await holdEach(
            [...answers],
            ([, answer]) => answer,
            async ([title]) => hold(await shows(target, ids.get(title)!), 'it is held'),
          )
          for (const arrived of target.service.arrived)
            hold(isSigned(arrived, CLASSIFIER_SECRET), 'a text is sent that is not signed')
        })
      }).then((connections) => {
        hold(connections === 0, 'a redirect was followed')
        return '12 answers that are none'
      }),
  },
  {
    name: 'a verdict holds the thing that it is asked about, and does nothing else to it, its author or others',
    clause: CLAUSE,
    needs,
    async run(target) {
      const [author, other] = [await target.verified(), await target.verified()]
      const foreign = await publish(other, `Of another member ${Date.now()}`)
      const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>'
      const title = `Held ${Date.now()}`
      const more = { id: foreign, ids: [foreign], type: 'user', authorId: other.id, delete: true, block: true }
      const answer = { verdict: 'spam', reason: markup, role: 'admin', action: 'remove_all', ...more }
      return classified(target, new Map([[title, JSON.stringify(answer)]]), async () => {
        const earlier = await publish(author, `Earlier ${Date.now()}`)
        const id = await publish(author, title)
        await until('the thing is held', async () => !(await shows(target, id)))
        hold((await shows(target, foreign)) && (await shows(target, earlier)), 'another thing is held')
        hold((await author.api.posts.get({ id })).state === 'held', 'it is more than held')
        const { user } = (await author.api.accounts.getSession()) ?? {}
        hold(user?.role === 'member', 'its author has another role')
        await publish(author, `Later ${Date.now()}`)
        const moderator = await target.withRole('moderator')
        const { items } = await moderator.api.moderation.cases({})
        const found = items.find(({ target: { id: heldId } }) => heldId === id)
        hold(found?.held, 'no moderator hears of it')
        const page = await moderator.get(`/admin/cases/${found.id}`)
        hold(page.text.includes('&lt;img src=x'), 'its reason is on no page of moderators')
        hold(!page.text.includes('<img src=x') && !page.text.includes('<script>alert'), 'its reason is HTML')
        await moderator.api.moderation.decide({ id: found.id, action: 'approve', rule: 'other', reason: '' })
        const sent = arrivedOf(target, title).length
        const next = `Next ${Date.now()}`
        await publish(author, next)
        await until('another text is sent', () => arrivedOf(target, next).length > 0)
        hold((await shows(target, id)) && arrivedOf(target, title).length === sent, 'it is held once more')
        return 'one thing was held, and a moderator decided'
      })
    },
  },
  {
    name: 'no one but the server speaks for the classifier: there is no address that takes a verdict',
    clause: CLAUSE,
    needs,
    async run(target) {
      const [author, stranger] = [await target.verified(), await target.verified()]
      const title = `Waits ${Date.now()}`
      return classified(target, new Map([[title, 'none']]), async () => {
        const id = await publish(author, title)
        await until('it is sent', () => arrivedOf(target, title).length > 0)
        const [sent] = arrivedOf(target, title)
        const verdict = JSON.stringify({ id, verdict: 'spam' })
        const stolen = Object.fromEntries(
          Object.entries(sent!.headers).filter(([name]) => name.startsWith('webhook-')),
        ) as Record<string, string>
        const places = ['/classify', '/api/classify', '/api/community/classifier', `/api/community/posts/${id}/verdict`]
        const paths = [...places, '/api/community/moderation/verdicts', '/api/webhooks', '/']
        for (const person of [target.anonymous(), stranger])
          await holdEach(paths, String, async (path) => {
            for (const body of [verdict, sent!.body]) {
              const { status } = await person.post(path, body, stolen)
              hold(status >= 400, `${path} is ${status}`)
            }
          })
        hold(await shows(target, id), 'it is held')
        return `${paths.length * 4} tries`
      })
    },
  },
  {
    name: 'an admin names no classifier and no machine at a private address, and no secret of them is read',
    clause: 'ssrf',
    needs,
    async run(target) {
      const [{ api }, author] = [await target.withRole('admin'), await target.verified()]
      const secrets = { CLASSIFIER_SECRET, AI_KEY: 'sk-attacked-hunter2', AI_MODEL: 'small-1' }
      const connections = await besideATrap(async (port) => {
        const hosts = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost', '0.0.0.0']
        const { service } = target
        const named = [`http://${service.host}@127.0.0.1:${port}/`, `http://127.0.0.1:${port}/#${service.host}`]
        const urls = [...hosts.map((host) => `https://${host}:${port}/v1`), 'https://169.254.169.254/v1', ...named]
        await holdEach(urls, String, async (url) => {
          const changes = { CLASSIFIER_URL: url, AI_URL: url, ...secrets }
          const refusal = await refusalOf(api.settings.change({ changes }))
          if (refusal) return hold(refusal.status === 400, String(refusal.status))
          await publish(author, `Sent ${Date.now()}`)
          const id = await publish(author, `Asked ${Date.now()}`)
          await holdRefused(author.api.assistant.summarize({ type: 'post', id }), [503], 'an answer')
          const answers = [await api.settings.list(), await api.settings.listChanges(), await api.admin.listAudit({})]
          const seen = JSON.stringify(answers) + target.own.output()
          for (const secret of [secrets.AI_KEY, CLASSIFIER_SECRET]) hold(!seen.includes(secret), 'a secret is shown')
          await api.settings.change({ changes: Object.fromEntries(Object.keys(changes).map((name) => [name, null])) })
        })
      })
      hold(connections === 0, `the server connected ${connections} times`)
      return 'ten addresses for two services'
    },
  },
]

/** The title of the text that is answered so. */
const lastOf = (answers: ReadonlyMap<string, string>, wanted: string): string =>
  [...answers].find(([, answer]) => answer === wanted)?.[0] ?? ''
