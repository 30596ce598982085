// A private instance: what a crawler that knows every address gets of it. The setting is of an admin, and is set back.
import { api } from '../src/api.ts'
import type { Contract, Operation } from '../src/contract/operation.ts'
import { type Attack, hold, holdEach } from './attack.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { BUG } from './things.ts'

const READS = Object.values(api as Record<string, Contract>)
  .flatMap((contract) => Object.values<Operation>(contract))
  .filter(({ method, access }) => method === 'GET' && access.area.reading && access.credential !== 'required')

const KNOWN_MILLISECONDS = 1_000

async function setReaders(admin: Person, value: 'members' | null): Promise<void> {
  await admin.api.settings.change({ changes: { READERS: value } })
  await new Promise((resolve) => setTimeout(resolve, KNOWN_MILLISECONDS))
}

async function whilePrivate<Result>(target: Target, work: () => Promise<Result>): Promise<Result> {
  const admin = await target.withRole('admin')
  await setReaders(admin, 'members')
  try {
    return await work()
  } finally {
    await setReaders(admin, null)
  }
}

export const privateMode: Attack[] = [
  {
    name: 'an anonymous crawler that knows every address of a private instance finds nothing',
    clause: 'private',
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const member = await target.member('alice')
      const title = `Zwielichtuhr ${Date.now()}`
      const bug = await member.api.bugs.create({ ...BUG, title })
      const feeds = ['/feed.atom', '/calendar/roadmap.ics', '/calendar/releases.ics', '/api/community/bugs?format=csv']
      const pages = ['/', '/community', ...feeds, `/community/bugs/${bug.id}`, '/search?q=Zwielichtuhr']
      const more = [`/share/bug/${bug.id}/picture.png`, '/sitemap.xml', '/log/checkpoint', '/community/__data.json']
      const paths = READS.map(({ path }) => `/api${path.replace(/\{\w+\}/g, bug.id)}`)
      const all = [...paths, ...pages, ...more]
      for (const path of all) await target.send({ path })
      await whilePrivate(target, () =>
        holdEach(
          all,
          (path) => path,
          async (path) => {
            for (const method of ['GET', 'HEAD']) {
              const { status, text: body } = await target.send({ method, path, headers: { Range: 'bytes=0-' } })
              hold([303, 401, 404].includes(status), `${method} ${path} is ${status}`)
              hold(!body.includes(title) && !body.includes(bug.id), `${path} tells of what there is`)
            }
          },
        ),
      )
      return `${all.length} addresses, warm, twice each`
    },
  },
  {
    name: 'a key of feeds opens feeds alone, and nothing once it has been renewed',
    clause: 'private',
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const member = await target.member('alice')
      const { key } = await member.api.feeds.renew()
      return whilePrivate(target, async () => {
        const statusOf = async (path: string) => (await target.send({ path })).status
        hold((await statusOf(`/feed.atom?key=${key}`)) === 200, 'the key does not open a feed')
        const others = [
          '/community',
          '/api/community/bugs',
          '/library/x/files/a.ics',
          '/log/checkpoint',
          '/api/account/feeds',
          '/settings',
        ]
        for (const path of others) {
          const status = await statusOf(`${path}?key=${key}`)
          hold(status === 303 || status === 401, `${path} is ${status} with a key of feeds`)
        }
        await member.api.feeds.renew()
        hold((await statusOf(`/feed.atom?key=${key}`)) === 401, 'the key from before opens a feed')
        return `${others.length + 2} tries`
      })
    },
  },
  {
    name: 'no tool, document or write tells an anonymous caller of a private instance what there is',
    clause: 'private',
    needs: ['newcomers', 'mail', 'roles'],
    async run(target) {
      const member = await target.member('alice')
      const title = `Zwielichtuhr ${Date.now()}`
      const { id } = await member.api.bugs.create({ ...BUG, title })
      const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
      const tool = (name: string, input: object) => call('tools/call', { name, arguments: input })
      const calls = [
        call('tools/list', {}),
        call('resources/list', {}),
        call('prompts/list', {}),
        tool('search', { q: 'Zwielichtuhr' }),
        tool('get_bug', { id }),
      ]
      const accept = { Accept: 'application/json, text/event-stream' }
      const writes = ['comments', 'votes', 'reactions'].map((name) => `/api/community/bugs/${id}/${name}`)
      const more = ['/api/community/reports', '/api/community/suggestions', '/api/community/assistant/summaries']
      const body = { type: 'bug', id, targetType: 'bug', targetId: id, reason: 'spam', body: 'x', value: 1 }
      return whilePrivate(target, async () => {
        const told = (text: string) => text.includes(title) || text.includes(id)
        for (const sent of calls) {
          const { status, text } = await target.anonymous().post('/api/mcp', sent, accept)
          hold(!told(text) && (status === 401 || sent.method !== 'tools/call'), `${sent.method} is ${status}`)
        }
        for (const path of [...writes, ...more]) {
          const { status, text } = await target.anonymous().post(path, body)
          hold(status >= 400 && !told(text), `${path} is ${status}`)
        }
        for (const path of ['/llms.txt', '/auth.md', '/api/openapi.json', '/api/health', '/sitemap.xml', '/robots.txt'])
          hold(!told((await target.send({ path })).text), `${path} tells of it`)
        return `${calls.length} calls of MCP, ${writes.length + more.length} writes, six documents`
      })
    },
  },
]
