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
      const pages = ['/', '/community', '/feed.atom', `/community/bugs/${bug.id}`, '/search?q=Zwielichtuhr']
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
        const others = ['/community', '/api/community/bugs', '/log/checkpoint', '/api/account/feeds', '/settings']
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
]
