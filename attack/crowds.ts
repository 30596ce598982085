// Many accounts of one hand: what those of a network may sign up and store together, and what they may hold up for others.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, atOnce, hold, refusalOf } from './attack.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'
import { addRun, automation, makeOrg, publish, publishToAll } from './things.ts'

const CLAUSE = '4 budgets'
const MEGABYTE = 1_048_576
/** A file of a run is smaller than 2 MB, and a run has ten. */
const FILE_BYTES = 1.9 * MEGABYTE

/** How many of so many sign-ups at once pass. */
const signUps = async (target: Target, count: number, network: (n: number) => string): Promise<number> =>
  (await atOnce(count, (n) => target.newcomer({ network: network(n) }))).answers.length

/** Adds a run of so many files; gives the bytes that were stored. */
async function fill(person: Person, orgId: string, files: number): Promise<number> {
  const content = 'x'.repeat(FILE_BYTES)
  const run = Object.fromEntries(Array.from({ length: files }, (_, n) => [`${n}.md`, content]))
  const refusal = await refusalOf(addRun(person, orgId, run))
  // A refusal before the body is read may end the connection: then there is no status.
  hold(!refusal || refusal.status === 429 || refusal.status === 0, `a run: ${refusal?.status}`)
  return refusal ? 0 : files * FILE_BYTES
}

const fixture = (name: string) => readFileSync(new URL(`../test/fixtures/loopback/${name}`, import.meta.url), 'utf8')

/** A receiver of webhooks that answers after so long. */
async function receiver(milliseconds: number) {
  const arrived: number[] = []
  const server = createServer({ key: fixture('key.pem'), cert: fixture('certificate.pem') }, (request, response) => {
    arrived.push(performance.now())
    request.resume()
    setTimeout(() => response.writeHead(204).end(), milliseconds)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { arrived, port: (server.address() as AddressInfo).port, close }
}

/** Webhooks at these addresses of a public item; gives what sends a test to each. */
async function withWebhooks(owner: Person, urls: readonly string[]): Promise<() => Promise<void>> {
  const { itemWebhooks } = owner.api
  const { id: itemId } = await publishToAll(owner)
  const ids: string[] = []
  for (const url of urls) ids.push((await itemWebhooks.create({ itemId, url })).id)
  return async () => {
    for (const id of ids) await itemWebhooks.test({ id })
  }
}

/** 40 KB whose scan takes seconds: a script of words that rules look for, with as much noise as the bounds of archives ask for. */
function slowArchive(id: string): Buffer {
  const words = 'curl http://a.b/c -o d; eval (x) token='.repeat(100_000)
  const data = `${words}${randomBytes(30_000).toString('base64')}`
  return automation([{ name: 'run.sh', data }], id)
}

const SLOW_MILLISECONDS = 8_000
const SOON_MILLISECONDS = 6_000

export const crowds: Attack[] = [
  {
    name: 'accounts of a /64 store 20 MB together while their addresses are not verified, and those of a /48 200 MB',
    clause: CLAUSE,
    limited: true,
    needs: ['networks', 'newcomers', 'load'],
    async run(target) {
      const { id } = await makeOrg(await target.member('alice'))
      const home = [
        await target.newcomer({ network: '2001:db8:90:1::1' }),
        await target.newcomer({ network: '2001:db8:90:1::2' }),
      ] as const
      const near = (await fill(home[0], id, 9)) + (await fill(home[1], id, 9))
      hold(near <= 20 * MEGABYTE, `${near} bytes of a /64`)
      hold(near > 0, 'nothing is stored')
      let stored = near
      for (let n = 2; n <= 13; n++) {
        const person = await target.newcomer({ network: `2001:db8:90:${n}::1` })
        stored += await fill(person, id, 9)
      }
      hold(stored <= 200 * MEGABYTE, `${stored} bytes of a /48`)
      hold((await fill(await target.newcomer({ network: '2001:db8:91:1::1' }), id, 1)) > 0, 'others store nothing')
      return `${Math.round(stored / MEGABYTE)} MB of 14 accounts`
    },
  },
  {
    name: 'a /64 signs up 5 times an hour, and a /48 and a /24 50 times, however many come at once',
    clause: CLAUSE,
    limited: true,
    needs: ['networks', 'newcomers', 'load'],
    async run(target) {
      const home = await signUps(target, 8, (n) => `2001:db8:92:1::${n + 1}`)
      hold(home === 5, `${home} of a /64`)
      const site = home + (await signUps(target, 55, (n) => `2001:db8:92:${n + 2}::1`))
      hold(site === 50, `${site} of a /48`)
      const office = await signUps(target, 55, (n) => `198.51.100.${n + 1}`)
      hold(office === 50, `${office} of a /24`)
      await target.newcomer({ network: '2001:db8:93:1::1' })
      return '5, 50 and 50'
    },
  },
  {
    name: 'four accounts with slow addresses hold up no webhook of others',
    clause: CLAUSE,
    needs: ['newcomers', 'process', 'load'],
    async run(target) {
      const [slow, quick] = [await receiver(SLOW_MILLISECONDS), await receiver(0)]
      await target.own.reachHome(fixture('certificate.pem'))
      try {
        const url = `https://127.0.0.1:${slow.port}/hook`
        const tests = await Promise.all(
          [1, 2, 3, 4].map(async () =>
            withWebhooks(
              await target.newcomer(),
              [1, 2, 3, 4].map((n) => `${url}/${n}`),
            ),
          ),
        )
        const honest = await withWebhooks(await target.newcomer(), [`https://localhost:${quick.port}/hook`])
        for (let round = 0; round < 2; round++) await Promise.all(tests.map((test) => test()))
        for (const until = performance.now() + SOON_MILLISECONDS; slow.arrived.length === 0; await sleep(50))
          hold(performance.now() < until, 'nothing comes to the slow address')
        const began = performance.now()
        await honest()
        while (quick.arrived.length === 0 && performance.now() - began < SOON_MILLISECONDS) await sleep(50)
        const waited = Math.round(performance.now() - began)
        hold(quick.arrived.length > 0, `an honest webhook waits longer than ${waited} ms`)
        return `${waited} ms behind 32 slow ones`
      } finally {
        await target.own.reachHome(null)
        slow.close()
        quick.close()
      }
    },
  },
  {
    name: 'files of new accounts that are slow to scan hold up no publication of a verified one',
    clause: CLAUSE,
    limited: true,
    needs: ['networks', 'newcomers', 'load'],
    async run(target) {
      const honest = await target.verified()
      const newcomers = await Promise.all(Array.from({ length: 5 }, () => target.newcomer()))
      let done = 0
      const queue = newcomers.map(async (person, n) => {
        // On a busy machine some wait longer than their client does.
        const refusal = await refusalOf(publish(person, 'automation', slowArchive(`slow-${n}`))).catch(() => undefined)
        done++
        return refusal?.status ?? 0
      })
      await sleep(1_000)
      hold(done < 3, `${done} of 5 files were no trouble`)
      const began = performance.now()
      await publish(honest, 'automation', automation([], 'honest'))
      const [before, waited] = [done, Math.round(performance.now() - began)]
      for (const status of await Promise.all(queue))
        hold(status < 500 || status === 503, `one of the others: ${status}`)
      hold(before <= 3, `${before} of 5 came first`)
      return `${before} of 5 came first, in ${waited} ms`
    },
  },
]
