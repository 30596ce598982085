// What the library believes of those who publish and download: keys that are none, and downloads that were not.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, hold, holdEach, holdStatus } from './attack.ts'
import type { Person } from './person.ts'
import { makeItem, workflow } from './things.ts'

const CLAUSE = 'registry'
const COUNTED_MILLISECONDS = 60_000

async function publicItem(owner: Person): Promise<string> {
  const fields = { visibility: 'public' }
  const { id } = await makeItem(owner, { kind: 'workflow', content: workflow(), fields })
  return `/api/library/items/${id}`
}

const downloadsOf = async (reader: Person, path: string) =>
  ((await reader.get(path)).json()?.['downloads'] as { total: number } | undefined)?.total ?? 0

export const registry: Attack[] = [
  {
    name: 'a key of a publisher has 32 bytes or is refused',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const add = (key: Buffer | string) =>
        owner.post('/api/library/keys', { name: 'Laptop', public_key: key.toString('base64') })
      holdStatus(await add(randomBytes(32)), [201], 'an honest key')
      const sizes = [0, 1, 31, 33, 64, 1_000]
      await holdEach(sizes, String, async (size) => holdStatus(await add(randomBytes(size)), [400], 'a key'))
      holdStatus(await add(`${'A'.repeat(42)}B=`), [400], 'bits that no byte has')
      return `${sizes.length} sizes`
    },
  },
  {
    name: 'a part of a file is no download',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, reader] = [await target.newcomer(), await target.newcomer()]
      const [touched, whole] = [await publicItem(owner), await publicItem(owner)]
      const ranges = ['bytes=0-0', 'bytes=0-10', 'bytes=5-', 'bytes=-1', 'bytes=0-1,3-4']
      for (const Range of ranges) holdStatus(await reader.get(`${touched}/artifact`, { Range }), [200, 206, 416], Range)
      holdStatus(await reader.get(`${whole}/artifact`), [200], 'a whole one')
      // What came before it is counted before it.
      for (const until = Date.now() + COUNTED_MILLISECONDS; (await downloadsOf(reader, whole)) === 0; await sleep(100))
        if (Date.now() > until) throw new Error('A whole download is not counted.')
      hold((await downloadsOf(reader, touched)) === 0, 'parts were counted')
      return `${ranges.length} ranges`
    },
  },
  {
    name: 'a revoked key of a publisher signs nothing more, and everybody sees that it was revoked',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, reader] = [await target.newcomer(), await target.newcomer()]
      const path = `${await publicItem(owner)}/versions/1.0.0`
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
      const key_id = String((await owner.post('/api/library/keys', { name: 'Laptop', public_key })).json()?.['id'])
      const payload = Buffer.from(String((await reader.get(`${path}/statement`)).json()?.['payload']), 'base64')
      const type = 'application/vnd.in-toto+json'
      const message = `DSSEv1 ${type.length} ${type} ${payload.length} ${payload}`
      const signature = sign(null, Buffer.from(message), privateKey).toString('base64')
      const put = () => owner.json('PUT', `${path}/signature`, { key_id, signature })
      const shown = async () =>
        (await reader.get(`${path}/statement`)).json()?.['publisher_key'] as { revoked_at: unknown } | undefined
      holdStatus(await put(), [200], 'an honest signature')
      hold((await shown())?.revoked_at === null, 'a key is revoked before its revocation')
      holdStatus(await owner.json('DELETE', `/api/library/keys/${key_id}`, {}), [200], 'the revocation')
      holdStatus(await put(), [400], 'a signature of the revoked key')
      hold(typeof (await shown())?.revoked_at === 'string', 'the revocation is not shown to others')
      return 'refused and shown'
    },
  },
]
