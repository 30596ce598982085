// What the library believes of those who publish and download: keys that are none, and downloads that were not.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { publishToAll } from './things.ts'

const CLAUSE = 'registry'
const COUNTED_MILLISECONDS = 60_000

export const registry: Attack[] = [
  {
    name: 'a key of a publisher has 32 bytes or is refused',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const owner = await target.newcomer()
      const add = (key: string) => owner.api.publisherKeys.add({ name: 'Laptop', public_key: key })
      const bytes = (size: number) => randomBytes(size).toString('base64')
      await add(bytes(32))
      const sizes = [0, 1, 31, 33, 64, 1_000]
      await holdEach(sizes, String, (size) => holdRefused(add(bytes(size)), [400], 'a key'))
      await holdRefused(add(`${'A'.repeat(42)}B=`), [400], 'bits that no byte has')
      return `${sizes.length} sizes`
    },
  },
  {
    name: 'a part of a file is no download',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, reader] = [await target.newcomer(), await target.newcomer()]
      const [touched, whole] = [await publishToAll(owner), await publishToAll(owner)]
      const downloadsOf = async ({ id }: { id: string }) => (await reader.api.library.get({ id })).downloads?.total ?? 0
      const ranges = ['bytes=0-0', 'bytes=0-10', 'bytes=5-', 'bytes=-1', 'bytes=0-1,3-4']
      for (const Range of ranges) {
        const part = await reader.get(`/api/library/items/${touched.id}/artifact`, { Range })
        holdStatus(part, [200, 206, 416], Range)
      }
      await (await reader.api.library.download({ id: whole.id })).bytes()
      // What came before it is counted before it.
      for (const until = Date.now() + COUNTED_MILLISECONDS; (await downloadsOf(whole)) === 0; await sleep(100))
        if (Date.now() > until) throw new Error('A whole download is not counted.')
      hold((await downloadsOf(touched)) === 0, 'parts were counted')
      return `${ranges.length} ranges`
    },
  },
  {
    name: 'a revoked key of a publisher signs nothing more, and everybody sees that it was revoked',
    clause: CLAUSE,
    needs: ['newcomers'],
    async run(target) {
      const [owner, reader] = [await target.newcomer(), await target.newcomer()]
      const item = { id: (await publishToAll(owner)).id, version: '1.0.0' }
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
      const { id: key_id } = await owner.api.publisherKeys.add({ name: 'Laptop', public_key })
      const statement = () => reader.api.transparency.statement(item)
      const payload = Buffer.from((await statement()).payload, 'base64')
      const type = 'application/vnd.in-toto+json'
      const message = `DSSEv1 ${type.length} ${type} ${payload.length} ${payload}`
      const signature = sign(null, Buffer.from(message), privateKey).toString('base64')
      const put = () => owner.api.publisherKeys.sign({ ...item, key_id, signature })
      await put()
      hold((await statement()).publisher_key?.revoked_at === null, 'a key is revoked before its revocation')
      await owner.api.publisherKeys.revoke({ id: key_id })
      await holdRefused(put(), [400], 'a signature of the revoked key')
      const revokedAt = (await statement()).publisher_key?.revoked_at
      hold(typeof revokedAt === 'string', 'the revocation is not shown to others')
      return 'refused and shown'
    },
  },
]
